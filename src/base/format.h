// SPDX-License-Identifier: MIT
// Formatted text, checked at compile time. The formatter itself is compiled once, in format.cpp: its headers take seconds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/core.h>

namespace opennd {

std::string format_arguments(std::string_view text, fmt::format_args arguments);

// Writes as much as fits into `out`, without a terminator, and returns the length of the whole text. Does not throw:
// where a formatter does, the text is empty.
std::size_t format_arguments_to(char* out, std::size_t out_bytes, std::string_view text,
                                fmt::format_args arguments) noexcept;

// format("{} bytes", count). An object, since the namespace of an argument is searched for functions alone: std::format would be as good.
struct Format {
    template <typename... Args>
    std::string operator()(fmt::format_string<Args...> checked, Args&&... args) const {
        const fmt::string_view text = checked;
        return format_arguments({text.data(), text.size()}, fmt::make_format_args(args...));
    }
};
inline constexpr Format format;

}  // namespace opennd
