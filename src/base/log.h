// SPDX-License-Identifier: MIT
// Logging through one sink. Lines of level info and graver are also kept in memory for a while (recent_lines.h). Failures come through explanation.h, which gives each its one line; other lines tell a
// choice that was made (a wire, a way to copy), or a fault of OpenND itself.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/format.h"
#include "base/log_destination.h"
#include "base/recent_lines.h"

namespace opennd {

enum class LogLevel : int { error, warn, info, debug, off };

// The cause of a line. The program's own lines are all written; of the lines that others can cause without end, each
// kind has a budget (line_budget.h), unless the level is debug.
enum class LogCause : int {
    program,  // this program, or its system
    caller,   // a host that asks for a connection
    peer,     // a host that has a connection, or is about to have one
};

// Called with one line, without characters that control a terminal (printable.h), from any thread, never twice at a
// time: a thread with a line waits until the function has returned. Must not call into OpenND.
using LogFunction = void (*)(void* context, LogLevel level, const char* message);

// The log of a program that has no sink of its own.
struct LogDefaults {
    LogLevel level = LogLevel::error;
    std::string place;  // for `make`
    // Called for the first line that no sink takes. Null: such lines are only kept in memory.
    std::unique_ptr<LogDestination> (*make)(std::string_view place) = nullptr;
};
// Called at the first line, perhaps by several threads, and when a sink is taken away, of which the place then stays. Must not log.
using LogDefaultsSource = LogDefaults (*)();

// Any thread, best before the first line. Without a source: an empty LogDefaults.
void set_log_defaults_source(LogDefaultsSource source);

// Replaces the sink; nullptr restores the defaults. On return the old sink is not running.
void set_log_sink(LogFunction function, void* context, LogLevel level);

// Where a line goes.
struct LogTargets {
    bool sink = false;
    bool memory = false;
    explicit operator bool() const { return sink || memory; }
};

// Whether a line of this level would go anywhere now. A hint, for callers whose line is costly to make.
bool log_wants(LogLevel level);
// Where one more line of this level and cause goes, which is to be written then. The sink is told first how many it did not get.
// A line that has no memory is lost, and its caller is not told.
LogTargets log_takes(LogLevel level, LogCause cause);
void log_write(LogTargets to, LogLevel level, fmt::string_view text, fmt::format_args arguments);

// The lines in memory, the oldest first. Any thread. Throws std::bad_alloc.
std::vector<RecentLine> recent_log_lines();

template <typename... Args>
void log(LogLevel level, LogCause cause, fmt::format_string<Args...> checked, Args&&... args) {
    const LogTargets to = log_takes(level, cause);
    if (to) log_write(to, level, checked, fmt::make_format_args(args...));
}

template <typename... Args>
void log(LogLevel level, fmt::format_string<Args...> checked, Args&&... args) {
    log(level, LogCause::program, checked, std::forward<Args>(args)...);
}

}  // namespace opennd
