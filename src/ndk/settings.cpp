// SPDX-License-Identifier: MIT
// See settings.h.
#include "ndk/settings.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/log.h"

namespace opennd {
namespace {

std::chrono::milliseconds time_limit(const char* variable, std::chrono::milliseconds usual) {
    constexpr unsigned kLeast = 100, kMost = 3'600'000;
    const char* const found = std::getenv(variable);
    if (found == nullptr) return usual;
    const std::string_view text = found;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = error == std::errc{} && end == text.data() + text.size();
    if (number && value >= kLeast && value <= kMost) return std::chrono::milliseconds(value);
    log(LogLevel::error, "{} is \"{}\": expected {} to {} milliseconds; using {}", variable, text, kLeast, kMost,
        usual.count());
    return usual;
}

}  // namespace

NdkSettings NdkSettings::from_environment() {
    NdkSettings settings;
    settings.set_up = time_limit("OPENND_NDK_CONNECT_MS", settings.set_up);
    settings.answer = time_limit("OPENND_NDK_DISCONNECT_MS", settings.answer);
    settings.naming = time_limit("OPENND_NDK_CLOSE_MS", settings.naming);
    return settings;
}

}  // namespace opennd
