// SPDX-License-Identifier: MIT
// The sink behind log.h: a LogDestination, or the program's own function.
#include "base/log.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/fork_step.h"
#include "base/lock.h"
#include "base/printable.h"
#include "base/sink.h"

namespace opennd {
namespace {

// Relaxed: it points to code, which is constant.
constinit std::atomic<LogDefaultsSource> defaults_source{nullptr};

LogDefaults defaults() {
    const LogDefaultsSource source = defaults_source.load(std::memory_order_relaxed);
    return source ? source() : LogDefaults{};
}

constexpr std::string_view kKinds[] = {"what the program does", "connections that were asked for", "what peers do"};

struct Memory {
    explicit Memory(const Memory*) {}  // a child of fork does not have the lines of its parent

    RecentLines lines;
};
constinit OfProcess<Memory> log_memory;
constinit Sink<LogFunction> log_sink;
[[maybe_unused]] const bool log_parts_listed = log_memory.list() && log_sink.list();

class Log final : public ForkStep {
public:
    constexpr Log() = default;

    void set(LogFunction function, void* context, LogLevel level) {
        log_sink.set(function, context);
        level_.store(function ? level : defaults().level, std::memory_order_relaxed);
        const Held lock(budgets_mutex_);
        budgets_ = {};
    }

    bool wants(LogLevel level) {
        if (enabled(level)) return true;
        const RecentLines* const lines = lines_for(level);
        return lines && lines->has_room(steady_now());
    }

    LogTargets takes(LogLevel level, LogCause cause) {
        RecentLines* const lines = lines_for(level);
        return {sink_takes(level, cause), lines && lines->take_room(steady_now())};
    }

    void write(LogTargets to, LogLevel level, std::string_view message) {
        const std::string line = printable(message);  // one line, even if a peer has put control characters into it
        if (RecentLines* const lines = to.memory ? lines_for(level) : nullptr) lines->keep(level, line);
        if (to.sink) give(level, line);
    }

private:
    // The place of such lines; null if they are not kept, or if there is no memory for them.
    static RecentLines* lines_for(LogLevel level) {
        if (level > LogLevel::info) return nullptr;
        try {
            return &log_memory.get().lines;
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    }
    static std::chrono::steady_clock::time_point steady_now() { return std::chrono::steady_clock::now(); }

    bool enabled(LogLevel level) {
        const LogLevel limit = this->limit();
        return limit != LogLevel::off && level <= limit;
    }
    LogLevel limit() {
        LogLevel known = level_.load(std::memory_order_relaxed);
        if (known != kUnread) return known;
        const LogLevel usual = defaults().level;
        return level_.compare_exchange_strong(known, usual, std::memory_order_relaxed) ? usual : known;
    }

    bool sink_takes(LogLevel level, LogCause cause) {
        if (cause == LogCause::checks) return limit() != LogLevel::off;
        if (!enabled(level)) return false;
        if (cause == LogCause::program || enabled(LogLevel::debug)) return true;
        const auto kind = static_cast<std::size_t>(cause);
        std::optional<std::uint64_t> left_out;
        {
            const Held lock(budgets_mutex_);
            left_out = budgets_[kind].take(steady_now());
        }
        if (left_out.value_or(0) != 0)
            give(level, format("{} lines about {} were left out here; OPENND_LOG=debug leaves none out", *left_out,
                               kKinds[kind]));
        return left_out.has_value();
    }

    void give(LogLevel level, const std::string& line) {
        const auto call = [&](LogFunction function, void* context) { function(context, level, line.c_str()); };
        if (log_sink.tell(call)) return;
        if (LogDestination* const to = destination()) give(*to, level, line);
    }

    // The line behind those that found no room tells how many they were.
    void give(LogDestination& to, LogLevel level, std::string_view line) {
        std::uint64_t lost = lost_.exchange(0, std::memory_order_relaxed);
        if (lost != 0 &&
            to.write(LogLevel::warn, format("{} lines were left out here: there was no room for them, since nobody "
                                            "read, or the disk was full",
                                            lost)))
            lost = 0;
        if (lost != 0 || !to.write(level, line)) lost_.fetch_add(lost + 1, std::memory_order_relaxed);
    }

    // The place for lines; null if the process has none.
    LogDestination* destination() {
        LogDestination* known = destination_.load(std::memory_order_acquire);
        if (known) return known;
        const LogDefaults usual = defaults();
        if (!usual.make) return nullptr;
        std::unique_ptr<LogDestination> made = usual.make(usual.place, usual.form);
        return destination_.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel) ? made.release()
                                                                                                  : known;
    }

    void begin_child() noexcept override NO_THREAD_SAFETY_ANALYSIS {
        forget_holder(budgets_mutex_);
        budgets_ = {};
    }

    static constexpr LogLevel kUnread{-1};

    Mutex budgets_mutex_;  // nothing is called under it
    std::array<LineBudget, std::size(kKinds)> budgets_
        GUARDED_BY(budgets_mutex_);  // by LogCause; whole again for each sink
    // Relaxed: a line more or less around a change of level is harmless. kUnread: nobody has asked for the defaults.
    std::atomic<LogLevel> level_{kUnread};
    // Made once, and never destroyed; a child of fork has its parent's. Release and acquire.
    std::atomic<LogDestination*> destination_{nullptr};
    // Lines that the destination had no room for, and that no line has told of. Relaxed: it is only a number.
    std::atomic<std::uint64_t> lost_{0};
};

constinit Log the_log;
[[maybe_unused]] const bool log_listed = the_log.list();

}  // namespace

void set_log_defaults_source(LogDefaultsSource source) { defaults_source.store(source, std::memory_order_relaxed); }

void set_log_sink(LogFunction function, void* context, LogLevel level) { the_log.set(function, context, level); }

bool log_wants(LogLevel level) { return the_log.wants(level); }

LogTargets log_takes(LogLevel level, LogCause cause) try {
    return the_log.takes(level, cause);
} catch (const std::bad_alloc&) {
    return {};
}

void log_write(LogTargets to, LogLevel level, fmt::string_view text, fmt::format_args arguments) try {
    the_log.write(to, level, format_arguments({text.data(), text.size()}, arguments));
} catch (const std::bad_alloc&) {  // the line is lost
}

void begin_log_of_child() noexcept { log_memory.forget(); }

std::vector<RecentLine> recent_log_lines() {
    const Memory* const kept = log_memory.found();
    return kept ? kept->lines.all() : std::vector<RecentLine>();
}

std::optional<std::uint64_t> LineBudget::take(Time at) {
    if (room_ == kAtOnce) filled_ = at;
    const auto passed = std::max<std::int64_t>((at - filled_) / kEach, 0);
    room_ += static_cast<std::uint32_t>(std::min<std::int64_t>(passed, kAtOnce - room_));
    filled_ += passed * kEach;
    if (room_ == 0) {
        ++left_out_;
        return std::nullopt;
    }
    --room_;
    return std::exchange(left_out_, 0);
}

}  // namespace opennd
