// SPDX-License-Identifier: MIT
// The sink behind log.h: spdlog to standard error, or the program's own function.
#define FMT_HEADER_ONLY
#define SPDLOG_FMT_EXTERNAL
#include "base/log.h"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/printable.h"
#include "base/setting.h"

namespace opennd {
namespace {

LogLevel level_from_environment() {
    const char* text = setting("OPENND_LOG");
    const std::string_view wanted = text ? text : "";
    if (wanted == "warn") return LogLevel::warn;
    if (wanted == "info") return LogLevel::info;
    if (wanted == "debug") return LogLevel::debug;
    if (wanted == "off") return LogLevel::off;
    return LogLevel::error;
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

class Log {
public:
    Log()
        : standard_error_(
              std::make_shared<spdlog::logger>("opennd", std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
        standard_error_->set_pattern("%H:%M:%S.%f opennd %l: %v");
        standard_error_->set_level(spdlog::level::trace);
        level_.store(level_from_environment(), std::memory_order_relaxed);
    }

    void set(LogFunction function, void* context, LogLevel level) {
        const std::lock_guard lock(mutex_);
        function_ = function;
        context_ = context;
        level_.store(function ? level : level_from_environment(), std::memory_order_relaxed);
    }

    bool enabled(LogLevel level) const {
        const LogLevel limit = level_.load(std::memory_order_relaxed);
        return limit != LogLevel::off && level <= limit;
    }

    void write(LogLevel level, std::string_view message) {
        const std::string line = printable(message);  // one line, whatever a peer has put into it
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
    // Relaxed: a line more or less around a change of level is harmless.
    std::atomic<LogLevel> level_{LogLevel::error};
};

// Never destroyed: threads may log while the process exits.
Log& the_log() {
    static Log* const instance = new Log;
    return *instance;
}

}  // namespace

void set_log_sink(LogFunction function, void* context, LogLevel level) { the_log().set(function, context, level); }

bool log_enabled(LogLevel level) { return the_log().enabled(level); }

void log_write(LogLevel level, std::string_view message) { the_log().write(level, message); }

}  // namespace opennd
