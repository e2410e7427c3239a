// SPDX-License-Identifier: MIT
// Settings: see settings.h.
#include "transport/iwarp/settings.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/log.h"

namespace opennd::iwarp {
namespace {

std::string_view environment(const char* variable) {
    const char* const text = std::getenv(variable);
    return text ? text : "";
}

// True: the variable has the other value.
bool is_other(const char* variable, std::string_view usual, std::string_view other) {
    const std::string_view text = environment(variable);
    if (text == other) return true;
    if (!text.empty() && text != usual)
        log(LogLevel::error, "{} is \"{}\": expected {} or {}; using {}", variable, text, usual, other, usual);
    return false;
}

std::chrono::milliseconds dead_after(std::chrono::milliseconds usual) {
    constexpr unsigned kLeast = 1000, kMost = 3'600'000;
    const std::string_view text = environment("OPENND_IWARP_DEAD_MS");
    if (text.empty()) return usual;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && value >= kLeast && value <= kMost)
        return std::chrono::milliseconds(value);
    log(LogLevel::error, "OPENND_IWARP_DEAD_MS is \"{}\": expected {} to {} milliseconds; using {}", text, kLeast,
        kMost, usual.count());
    return usual;
}

}  // namespace

Settings Settings::from_environment() {
    Settings settings;
    if (is_other("OPENND_IWARP_CRC", "on", "off")) {
        settings.crc = Crc::off;
        log(LogLevel::warn, "iWARP: CRC is off by OPENND_IWARP_CRC; damaged messages are not noticed (IW-MPA-09)");
    }
    if (is_other("OPENND_IWARP_COMPLETION", "fenced", "local")) settings.completion = Completion::local;
    settings.tcp.dead_after = dead_after(settings.tcp.dead_after);
    return settings;
}

}  // namespace opennd::iwarp
