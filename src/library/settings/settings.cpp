// SPDX-License-Identifier: MIT
// See settings.h.
#include "library/settings/settings.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "library/settings/setting_table.h"
#include "platform/descriptor/log_destination.h"

namespace opennd {
namespace {

// The log has lines before the library is made, and reads its settings alone; a bad value is logged when the library is made.
LogDefaults log_defaults_now() {
    Settings settings;
    for (const SettingRow& row : setting_table()) {
        if (!std::string_view(row.variable).starts_with("OPENND_LOG")) continue;
        if (const char* const text = environment_value(row.variable)) (void)take_setting(row, text, settings);
    }
    settings.log.make = &make_log_destination;
    return settings.log;
}

// Before main: the log has no other way to the layers above it.
[[maybe_unused]] const bool log_asks_here = (set_log_defaults_source(&log_defaults_now), true);

void read_setting(const SettingRow& row, const Environment& environment, Settings& settings) {
    const SettingNow now = setting_now(row, environment);
    (void)take_setting(row, now.value, settings);
    if (now.source == SettingSource::refused)
        log(LogLevel::error, "{} is \"{}\": expected {}; using {}", row.variable, environment(row.variable),
            values_of(row), now.value);
}

}  // namespace

Settings read_settings(Reading when, const Environment& environment) {
    Settings settings;
    for (const SettingRow& row : setting_table())
        if (row.reading == when) read_setting(row, environment, settings);
    return settings;
}

const char* environment_value(const char* variable) { return ::secure_getenv(variable); }

std::vector<std::string_view> environment_names(std::string_view prefix) {
    std::vector<std::string_view> names;
    for (char** each = ::environ; each && *each; ++each) {
        const std::string_view entry = *each;
        if (!entry.starts_with(prefix)) continue;
        const std::string_view name = entry.substr(0, entry.find('='));
        if (environment_value(std::string(name).c_str())) names.push_back(name);
    }
    return names;
}

}  // namespace opennd
