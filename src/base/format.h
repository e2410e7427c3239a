// SPDX-License-Identifier: MIT
// Formatted text, checked at compile time. The formatter itself is compiled once, in format.cpp: its headers take seconds.
#pragma once

#include <string>
#include <string_view>

#include <fmt/core.h>

namespace opennd {

std::string format_arguments(std::string_view format, fmt::format_args arguments);

template <typename... Args>
std::string format(fmt::format_string<Args...> format, Args&&... args) {
    const fmt::string_view text = format;
    return format_arguments({text.data(), text.size()}, fmt::make_format_args(args...));
}

}  // namespace opennd
