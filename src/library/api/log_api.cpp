// SPDX-License-Identifier: MIT
// The functions of opennd.h on the log.
#include "opennd.h"

#include <cstring>
#include <type_traits>

#include "base/log.h"
#include "library/api/program_sink.h"
#include "spi/at_face.h"
#include "spi/explanation.h"

namespace opennd {
namespace {

using LogSink = ProgramSink<opennd_log_function>;

// A program may pass a number that is no level and no value of the type; to load it as the type would be undefined.
std::underlying_type_t<opennd_log_level> number_of(const opennd_log_level& level) {
    std::underlying_type_t<opennd_log_level> number = 0;
    std::memcpy(&number, &level, sizeof number);
    return number;
}

void call_log_sink(void* context, LogLevel level, const char* message) {
    const auto* sink = static_cast<const LogSink*>(context);
    sink->function(sink->context, static_cast<opennd_log_level>(level), message);
}

constinit ProgramSinkOwner<opennd_log_function> log_sink_owner;
[[maybe_unused]] const bool log_sink_owner_listed = log_sink_owner.list();

}  // namespace
}  // namespace opennd

using namespace opennd;

HRESULT opennd_log_sink(opennd_log_function function, void* context, opennd_log_level level) {
    static_assert(int(LogLevel::error) == OPENND_LOG_ERROR && int(LogLevel::warn) == OPENND_LOG_WARN &&
                  int(LogLevel::info) == OPENND_LOG_INFO && int(LogLevel::debug) == OPENND_LOG_DEBUG &&
                  int(LogLevel::off) == OPENND_LOG_OFF);
    const auto number = number_of(level);
    return at_face([&]() -> HRESULT {
        if (number > OPENND_LOG_OFF)
            return explain(ND_INVALID_PARAMETER, {.object = "log",
                                                  .operation = "opennd_log_sink",
                                                  .asked = phrase("level {}", number),
                                                  .limit = "OPENND_LOG_ERROR (0) to OPENND_LOG_OFF (4)",
                                                  .remedy = "pass one of the constants of opennd_log_level",
                                                  .requirement = "ND2-GEN-02"});
        log_sink_owner.replace(function, context, [number](LogSink* sink) {
            set_log_sink(sink ? call_log_sink : nullptr, sink, static_cast<LogLevel>(number));
        });
        return ND_SUCCESS;
    });
}

VOID opennd_log_write(opennd_log_level level, const char* message) {
    if (message == nullptr || number_of(level) >= OPENND_LOG_OFF) return;
    const auto inner = static_cast<LogLevel>(number_of(level));
    (void)at_face([&]() -> HRESULT {
        log(inner, "{}", message);
        return ND_SUCCESS;
    });
}
