// SPDX-License-Identifier: MIT
// See log_destination.h.
#define FMT_HEADER_ONLY
#define SPDLOG_FMT_EXTERNAL
#include "base/log_destination.h"

#include <syslog.h>

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/format.h"

namespace opennd {
namespace {

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

int priority_of(LogLevel level) {
    switch (level) {
        case LogLevel::error: return LOG_ERR;
        case LogLevel::warn: return LOG_WARNING;
        case LogLevel::info: return LOG_INFO;
        case LogLevel::debug:
        case LogLevel::off: return LOG_DEBUG;
    }
    return LOG_DEBUG;
}

class Stream final : public LogDestination {
public:
    explicit Stream(spdlog::sink_ptr to) : logger_("opennd", std::move(to)) {
        logger_.set_pattern("%Y-%m-%d %H:%M:%S.%f %P:%t opennd %l: %v");
        logger_.set_level(spdlog::level::trace);
        logger_.flush_on(spdlog::level::trace);
    }
    void write(LogLevel level, std::string_view line) override {
        logger_.log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
    }

private:
    spdlog::logger logger_;
};

// The connection to the system's log is the program's: it has been opened under the program's name, or is under its file's.
class SystemLog final : public LogDestination {
public:
    void write(LogLevel level, std::string_view line) override {
        ::syslog(LOG_USER | priority_of(level), "opennd %.*s", static_cast<int>(line.size()), line.data());
    }
};

std::unique_ptr<LogDestination> standard_error() {
    return std::make_unique<Stream>(std::make_shared<spdlog::sinks::stderr_sink_mt>());
}

std::unique_ptr<LogDestination> standard_error_instead(std::string_view place, std::string_view reason) {
    std::unique_ptr<LogDestination> destination = standard_error();
    destination->write(LogLevel::error,
                       format("the log cannot go to \"{}\": {}; it goes to standard error", place, reason));
    return destination;
}

}  // namespace

std::unique_ptr<LogDestination> make_log_destination(std::string_view place) {
    if (place.empty() || place == "stderr") return standard_error();
    if (place == "syslog") return std::make_unique<SystemLog>();
    if (!place.starts_with('/')) return standard_error_instead(place, "expected stderr, syslog, or an absolute path");
    try {
        return std::make_unique<Stream>(std::make_shared<spdlog::sinks::basic_file_sink_mt>(std::string(place)));
    } catch (const spdlog::spdlog_ex& failure) {
        return standard_error_instead(place, failure.what());
    }
}

}  // namespace opennd
