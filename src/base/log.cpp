// SPDX-License-Identifier: MIT
// The sink behind log.h: a destination of log_destination.h, or the program's own function.
#include "base/log.h"

#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "base/line_budget.h"
#include "base/log_destination.h"
#include "base/log_of_child.h"
#include "base/printable.h"

namespace opennd {
namespace {

// Relaxed: it points to code, which is constant.
constinit std::atomic<LogDefaultsSource> defaults_source{nullptr};

LogDefaults defaults() {
    const LogDefaultsSource source = defaults_source.load(std::memory_order_relaxed);
    return source ? source() : LogDefaults{};
}

constexpr std::string_view kKinds[] = {"what the program does", "connections that were asked for", "what peers do"};

// Never destroyed.
struct Memory {
    RecentLines lines;
    Memory* parents = nullptr;  // of the process that this one is a child of
};

class Log {
public:
    Log() {
        const LogDefaults usual = defaults();
        destination_ = make_log_destination(usual.place);
        level_.store(usual.level, std::memory_order_relaxed);
    }

    void set(LogFunction function, void* context, LogLevel level) {
        const std::lock_guard lock(mutex_);
        function_ = function;
        context_ = context;
        level_.store(function ? level : defaults().level, std::memory_order_relaxed);
        const std::lock_guard budgets_lock(budgets_mutex_);
        budgets_ = {};
    }

    bool wants(LogLevel level) const {
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

    void begin_anew() noexcept {
        try {
            memory_.store(new Memory{{}, memory_.load()});
        } catch (const std::bad_alloc&) {
            memory_.store(nullptr);
        }
    }

    std::vector<RecentLine> recent() const {
        const Memory* const memory = memory_.load();
        return memory ? memory->lines.all() : std::vector<RecentLine>();
    }

private:
    // Null: such lines are not kept.
    RecentLines* lines_for(LogLevel level) const {
        Memory* const memory = memory_.load();
        return memory && level <= LogLevel::info ? &memory->lines : nullptr;
    }
    static std::chrono::steady_clock::time_point steady_now() { return std::chrono::steady_clock::now(); }

    bool enabled(LogLevel level) const {
        const LogLevel limit = level_.load(std::memory_order_relaxed);
        return limit != LogLevel::off && level <= limit;
    }

    bool sink_takes(LogLevel level, LogCause cause) {
        if (!enabled(level)) return false;
        if (cause == LogCause::program || enabled(LogLevel::debug)) return true;
        const auto kind = static_cast<std::size_t>(cause);
        std::optional<std::uint64_t> left_out;
        {
            const std::lock_guard lock(budgets_mutex_);
            left_out = budgets_[kind].take(steady_now());
        }
        if (left_out.value_or(0) != 0)
            give(level, format("{} lines about {} were left out here; OPENND_LOG=debug leaves none out", *left_out,
                               kKinds[kind]));
        return left_out.has_value();
    }

    void give(LogLevel level, const std::string& line) {
        const std::lock_guard lock(mutex_);
        if (function_)
            function_(context_, level, line.c_str());
        else
            destination_->write(level, line);
    }

    std::mutex mutex_;  // held while a sink runs, so that set() returns after the old one
    LogFunction function_ = nullptr;
    void* context_ = nullptr;
    std::unique_ptr<LogDestination> destination_;        // where no function is
    std::mutex budgets_mutex_;                           // nothing is called under it
    std::array<LineBudget, std::size(kKinds)> budgets_;  // by LogCause; whole again for each sink
    // Null: a child of fork had no memory for its own. Sequentially consistent, and written where there is one thread.
    std::atomic<Memory*> memory_{new Memory};
    // Relaxed: a line more or less around a change of level is harmless.
    std::atomic<LogLevel> level_{LogLevel::error};
};

// Never destroyed: threads may log while the process exits.
Log& the_log() {
    static Log* const instance = new Log;
    return *instance;
}

}  // namespace

void set_log_defaults_source(LogDefaultsSource source) { defaults_source.store(source, std::memory_order_relaxed); }

void set_log_sink(LogFunction function, void* context, LogLevel level) { the_log().set(function, context, level); }

bool log_wants(LogLevel level) { return the_log().wants(level); }

LogTargets log_takes(LogLevel level, LogCause cause) { return the_log().takes(level, cause); }

void log_write(LogTargets to, LogLevel level, std::string_view message) { the_log().write(to, level, message); }

void begin_log_of_child() noexcept { the_log().begin_anew(); }

std::vector<RecentLine> recent_log_lines() { return the_log().recent(); }

}  // namespace opennd
