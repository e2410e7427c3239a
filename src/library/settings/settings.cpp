// SPDX-License-Identifier: MIT
// See settings.h.
#include "library/settings/settings.h"

#include "library/settings/setting_table.h"

namespace opennd {
namespace {

// The log has lines before the library is made, and reads its level alone; a bad value is logged when the library is made.
LogLevel log_level_now() {
    Settings settings;
    for (const SettingRow& row : setting_table()) {
        if (std::string_view(row.variable) != "OPENND_LOG") continue;
        if (const char* const text = environment_value(row.variable)) (void)take_setting(row, text, settings);
    }
    return settings.log_level;
}

// Before main: the log has no other way to the layers above it.
[[maybe_unused]] const bool log_asks_here = (set_log_level_source(&log_level_now), true);

// The text to take: the value of the variable, or the default. An empty value counts as none but where any text is allowed.
void read_setting(const SettingRow& row, const Environment& environment, Settings& settings) {
    const char* const value = environment(row.variable);
    if (const auto* const free = std::get_if<TextSetting>(&row.kind)) {
        free->take(settings, value ? value : free->usual);
        return;
    }
    const std::string_view text = value ? value : "";
    if (!text.empty() && !take_setting(row, text, settings))
        log(LogLevel::error, "{} is \"{}\": expected {}; using {}", row.variable, text, values_of(row),
            default_of(row));
}

}  // namespace

Settings read_settings(Reading when, const Environment& environment) {
    Settings settings;
    for (const SettingRow& row : setting_table())
        if (row.reading == when) read_setting(row, environment, settings);
    return settings;
}

}  // namespace opennd
