// SPDX-License-Identifier: MIT
// Logging through one sink. Lines of level info and graver are also kept in memory for a while (recent_lines.h). Failures come through explanation.h, which gives each its one line; other lines tell a
// choice that was made (a wire, a way to copy), or a fault of OpenND itself.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/format.h"
#include "base/recent_lines.h"

namespace opennd {

enum class LogLevel : int { error, warn, info, debug, off };

// A place where the lines of the log go that no program's function takes (platform/descriptor/log_destination.h has those that there are). Any thread.
class LogDestination {
public:
    virtual ~LogDestination() = default;
    // Waits for nobody. False: the place has no room for the line now, or cannot be written.
    [[nodiscard]] virtual bool write(LogLevel level, std::string_view line) = 0;
};

// The cause of a line. The program's own lines are all written; of the lines that others can cause without end, each
// kind has a budget (LineBudget), unless the level is debug.
enum class LogCause : int {
    program,  // this program, or its system
    caller,   // a host that asks for a connection
    peer,     // a host that has a connection, or is about to have one
    checks,  // the checking layer, which somebody has asked for: a line goes to the sink at every level of the log but off
};

// Called with one line, without characters that control a terminal (printable.h), from any thread, never twice at a
// time: a thread with a line waits until the function has returned. Must not call into OpenND.
using LogFunction = void (*)(void* context, LogLevel level, const char* message);

// How a line looks in a file and on standard error.
enum class LogForm : int {
    text,
    json,  // an object for each line
};

// The log of a program that has no sink of its own.
struct LogDefaults {
    LogLevel level = LogLevel::error;
    std::string place;  // for `make`
    LogForm form = LogForm::text;
    // Called for the first line that no sink takes. Null: such lines are only kept in memory.
    std::unique_ptr<LogDestination> (*make)(std::string_view place, LogForm form) = nullptr;
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

// From here on the log keeps lines of this process alone. A child of fork begins so by itself; a simulated process, which shares the log
// with others, by this call. No other thread logs meanwhile.
void begin_log_of_child() noexcept;

// The budget for one kind of lines that another host can cause without end: some at once, then one more for each second that passed. A line that finds
// no room is counted, and the next one that finds room carries the count.
// Not thread-safe: one thread at a time calls it.
class LineBudget {
public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr std::uint32_t kAtOnce = 20;
    static constexpr std::chrono::seconds kEach{1};

    // How many lines were left out before this one; nothing: this one is, too.
    std::optional<std::uint64_t> take(Time at);

private:
    std::uint32_t room_ = kAtOnce;
    Time filled_{};  // while room_ < kAtOnce: up to when time has become room
    std::uint64_t left_out_ = 0;
};

}  // namespace opennd
