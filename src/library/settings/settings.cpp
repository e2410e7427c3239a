// SPDX-License-Identifier: MIT
// See settings.h.
#include "library/settings/settings.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/explanation.h"
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

std::string_view trim(std::string_view text) {
    constexpr std::string_view kBlanks = " \t";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view take_item(std::string_view& list) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = trim(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    return item;
}

bool contains(std::span<const std::string> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string listed(std::span<const std::string> names) {
    std::string list;
    for (const std::string& name : names) {
        if (!list.empty()) list += ", ";
        list += name;
    }
    return list;
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

Result<std::vector<std::string>> choose_transports(std::string_view list, std::span<const std::string> available,
                                                   std::span<const std::string> usual) {
    const std::string_view whole = list;
    std::vector<std::string> wanted;
    std::vector<std::string> excluded;
    while (!list.empty()) {
        std::string_view name = take_item(list);
        if (name.empty()) continue;
        const bool exclude = name.front() == '^';
        if (exclude) name.remove_prefix(1);
        if (!contains(available, name)) {
            return explain(Status::invalid_parameter,
                           {.object = "transports",
                            .operation = "choice",
                            .asked = phrase("transport \"{}\" in \"{}\"", name, whole),
                            .limit = phrase("this library has {}", listed(available)),
                            .remedy = "correct OPENND_TRANSPORT or the argument of opennd_transport_select",
                            .requirement = "ND2-CON-CONN-08",
                            .level = LogLevel::error});
        }
        std::vector<std::string>& side = exclude ? excluded : wanted;
        if (!contains(side, name)) side.emplace_back(name);
    }
    if (wanted.empty()) wanted.assign(usual.begin(), usual.end());
    std::erase_if(wanted, [&](const std::string& name) { return contains(excluded, name); });
    if (wanted.empty())
        return explain(Status::invalid_parameter,
                       {.object = "transports",
                        .operation = "choice",
                        .asked = phrase("\"{}\", which leaves out all", whole),
                        .limit = phrase("at least one of {}", listed(available)),
                        .remedy = "correct OPENND_TRANSPORT or the argument of opennd_transport_select",
                        .requirement = "ND2-CON-CONN-08",
                        .level = LogLevel::error});
    return wanted;
}

Result<OverrunRule> choose_overrun_rule(std::string_view name) {
    if (name.empty() || name == "forgiving") return OverrunRule::forgiving;
    if (name == "strict") return OverrunRule::strict;
    log(LogLevel::error, "overrun of completion queues \"{}\": expected forgiving or strict", name);
    return Status::invalid_parameter;
}

}  // namespace opennd
