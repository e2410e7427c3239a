// SPDX-License-Identifier: MIT
// Logging through one sink. Failures come through explanation.h, which gives each its one line; other lines tell which way
// was chosen, and what ails OpenND itself.
#pragma once

#include <atomic>
#include <string_view>
#include <utility>

#include "base/format.h"

namespace opennd {

enum class LogLevel : int { error, warn, info, debug, off };

// Whose doing a line is. The program's own lines are all written; of those that others can cause without end, each kind has a
// budget (line_budget.h), unless the level is debug.
enum class LogCause : int {
    program,  // this program, or its system
    caller,   // who asks for a connection
    peer,     // who has one, or is about to
};

// Called with one line, without characters that control a terminal (printable.h), from any thread, never twice at a time. Must not
// call into OpenND.
using LogFunction = void (*)(void* context, LogLevel level, const char* message);

// Replaces the sink; nullptr restores standard error at the level OPENND_LOG names. On return the old sink is not running.
void set_log_sink(LogFunction function, void* context, LogLevel level);

bool log_enabled(LogLevel level);
// Whether the log takes one more line of this level and cause, which is to be written then. Tells first how many it did not take.
bool log_takes(LogLevel level, LogCause cause);
void log_write(LogLevel level, std::string_view message);

template <typename... Args>
void log(LogLevel level, LogCause cause, fmt::format_string<Args...> format, Args&&... args) {
    if (!log_takes(level, cause)) return;
    const fmt::string_view text = format;
    log_write(level, format_arguments({text.data(), text.size()}, fmt::make_format_args(args...)));
}

template <typename... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
    log(level, LogCause::program, format, std::forward<Args>(args)...);
}

}  // namespace opennd
