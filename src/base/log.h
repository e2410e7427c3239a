// SPDX-License-Identifier: MIT
// Logging through one sink. Failures come through explanation.h, which gives each its one line; other lines tell which way
// was chosen, and what ails OpenND itself.
#pragma once

#include <atomic>
#include <string_view>

#include "base/format.h"

namespace opennd {

enum class LogLevel : int { error, warn, info, debug, off };

// Called with one line, without characters that control a terminal (printable.h), from any thread, never twice at a time. Must not
// call into OpenND.
using LogFunction = void (*)(void* context, LogLevel level, const char* message);

// Replaces the sink; nullptr restores standard error at the level OPENND_LOG names. On return the old sink is not running.
void set_log_sink(LogFunction function, void* context, LogLevel level);

bool log_enabled(LogLevel level);
void log_write(LogLevel level, std::string_view message);

template <typename... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
    if (!log_enabled(level)) return;
    const fmt::string_view text = format;
    log_write(level, format_arguments({text.data(), text.size()}, fmt::make_format_args(args...)));
}

}  // namespace opennd
