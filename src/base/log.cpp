// SPDX-License-Identifier: MIT
// The sink behind log.h: spdlog to standard error, or the program's own function.
#define FMT_HEADER_ONLY
#define SPDLOG_FMT_EXTERNAL
#include "base/log.h"

#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/line_budget.h"
#include "base/printable.h"

namespace opennd {
namespace {

// Relaxed: it points to code, which is constant.
constinit std::atomic<LogLevelSource> level_source{nullptr};

LogLevel level_of_standard_error() {
    const LogLevelSource source = level_source.load(std::memory_order_relaxed);
    return source ? source() : LogLevel::error;
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
    switch (level) {
        case LogLevel::error: return spdlog::level::err;
        case LogLevel::warn: return spdlog::level::warn;
        case LogLevel::info: return spdlog::level::info;
        case LogLevel::debug: return spdlog::level::debug;
        case LogLevel::off: return spdlog::level::off;
    }
    return spdlog::level::off;
}

constexpr std::string_view kKinds[] = {"what the program does", "connections that were asked for", "what peers do"};

class Log {
public:
    Log()
        : standard_error_(
              std::make_shared<spdlog::logger>("opennd", std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
        standard_error_->set_pattern("%H:%M:%S.%f opennd %l: %v");
        standard_error_->set_level(spdlog::level::trace);
        level_.store(level_of_standard_error(), std::memory_order_relaxed);
    }

    void set(LogFunction function, void* context, LogLevel level) {
        const std::lock_guard lock(mutex_);
        function_ = function;
        context_ = context;
        level_.store(function ? level : level_of_standard_error(), std::memory_order_relaxed);
        const std::lock_guard budgets_lock(budgets_mutex_);
        budgets_ = {};
    }

    bool enabled(LogLevel level) const {
        const LogLevel limit = level_.load(std::memory_order_relaxed);
        return limit != LogLevel::off && level <= limit;
    }

    bool takes(LogLevel level, LogCause cause) {
        if (!enabled(level)) return false;
        if (cause == LogCause::program || enabled(LogLevel::debug)) return true;
        const auto kind = static_cast<std::size_t>(cause);
        std::optional<std::uint64_t> left_out;
        {
            const std::lock_guard lock(budgets_mutex_);
            left_out = budgets_[kind].take(std::chrono::steady_clock::now());
        }
        if (left_out.value_or(0) != 0)
            write(level, format("{} lines about {} were left out here; OPENND_LOG=debug leaves none out", *left_out,
                                kKinds[kind]));
        return left_out.has_value();
    }

    void write(LogLevel level, std::string_view message) {
        const std::string line = printable(message);  // one line, even if a peer has put control characters into it
        const std::lock_guard lock(mutex_);
        if (function_)
            function_(context_, level, line.c_str());
        else
            standard_error_->log(to_spdlog(level), line);
    }

private:
    std::mutex mutex_;  // held while a sink runs, so that set() returns after the old one
    LogFunction function_ = nullptr;
    void* context_ = nullptr;
    std::shared_ptr<spdlog::logger> standard_error_;
    std::mutex budgets_mutex_;                           // nothing is called under it
    std::array<LineBudget, std::size(kKinds)> budgets_;  // by LogCause; whole again for each sink
    // Relaxed: a line more or less around a change of level is harmless.
    std::atomic<LogLevel> level_{LogLevel::error};
};

// Never destroyed: threads may log while the process exits.
Log& the_log() {
    static Log* const instance = new Log;
    return *instance;
}

}  // namespace

void set_log_level_source(LogLevelSource source) { level_source.store(source, std::memory_order_relaxed); }

void set_log_sink(LogFunction function, void* context, LogLevel level) { the_log().set(function, context, level); }

bool log_enabled(LogLevel level) { return the_log().enabled(level); }

bool log_takes(LogLevel level, LogCause cause) { return the_log().takes(level, cause); }

void log_write(LogLevel level, std::string_view message) { the_log().write(level, message); }

}  // namespace opennd
