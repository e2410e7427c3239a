// SPDX-License-Identifier: MIT
// The settings that libopennd takes from the environment, one row each: the values, the default and the meaning of a variable,
// from which messages, the help of `nd` and the table of docs/settings.md are made (opennd_settings).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "library/settings/settings.h"

namespace opennd {

// A time, in milliseconds. The default is that of a new Settings.
struct TimeSetting {
    enum class Zero : std::uint8_t { within_range_only, no_limit };

    unsigned least_ms;
    unsigned most_ms;
    Zero zero;  // no_limit: 0 is allowed beside the range
    std::chrono::milliseconds& (*at)(Settings&);
};

struct SettingWord {
    std::string_view text;  // empty: not used
    void (*choose)(Settings&) = nullptr;
};

// One of a few words; the first one is the default.
struct WordSetting {
    constexpr WordSetting(SettingWord a, SettingWord b, SettingWord c = {}, SettingWord d = {}, SettingWord e = {})
        : words{a, b, c, d, e} {}

    std::array<SettingWord, 5> words;
};

// A number of something.
struct NumberSetting {
    unsigned least;
    unsigned most;
    std::string_view unit;   // "bytes"
    std::string_view usual;  // what the default is, in digits, or in words where no number stands for it
    void (*take)(Settings&, unsigned number);
};

// A text, which `take` or a later reader checks.
struct TextSetting {
    std::string_view values;  // in words
    std::string_view usual;
    void (*take)(Settings&, std::string_view text);
};

struct SettingRow {
    const char* variable;
    Reading reading;
    std::variant<TimeSetting, WordSetting, NumberSetting, TextSetting> kind;
    const char* meaning;
};

std::span<const SettingRow> setting_table();

// "100 to 3600000 milliseconds, or 0 for no limit"; "auto or 2 or 1".
std::string values_of(const SettingRow& row);
// "15000"; "auto". Empty: none.
std::string default_of(const SettingRow& row);

enum class SettingSource : std::uint8_t {
    usual,        // the variable is not set
    environment,  // the variable
    refused,      // the default, for the variable has a value that the setting does not take
};

// The value of a setting by `environment`. An empty value counts as none where only some texts are allowed.
struct SettingNow {
    std::string value;
    SettingSource source;
};
SettingNow setting_now(const SettingRow& row, const Environment& environment);

// The settings that `environment` gives a value of their own.
using SettingsSet = std::vector<std::pair<std::string, std::string>>;
SettingsSet settings_set(const Environment& environment);

// Puts the value of `text` into `settings`. False: a bad value, and nothing has changed.
bool take_setting(const SettingRow& row, std::string_view text, Settings& settings);

}  // namespace opennd
