// SPDX-License-Identifier: MIT
// See settings.h.
#include "ndk/device/settings.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/log.h"
#include "base/setting.h"

namespace opennd {
namespace {

std::chrono::milliseconds time_limit(const char* variable, std::chrono::milliseconds usual) {
    constexpr unsigned kLeast = 100, kMost = 3'600'000;
    const char* const found = setting(variable);
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

std::string_view without_spaces(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

NdkSettings NdkSettings::from_environment() {
    NdkSettings settings;
    settings.set_up = time_limit("OPENND_NDK_CONNECT_MS", settings.set_up);
    settings.answer = time_limit("OPENND_NDK_DISCONNECT_MS", settings.answer);
    settings.naming = time_limit("OPENND_NDK_CLOSE_MS", settings.naming);
    settings.grace = time_limit("OPENND_NDK_GRACE_MS", settings.grace);
    return settings;
}

bool NdkSettings::disable(std::string_view interface) {
    const char* const found = setting("OPENND_NDK_DISABLED");
    std::string_view names = found ? found : "";
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(','), names.size());
        if (without_spaces(names.substr(0, end)) == interface) return true;
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return false;
}

}  // namespace opennd
