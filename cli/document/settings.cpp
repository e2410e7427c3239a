// SPDX-License-Identifier: MIT
//
// The settings of the library, as opennd_settings lists them. Read document.h first.
#include <opennd.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "document/document.h"
#include "text/wrapped_text.h"

namespace nd {
namespace {

std::span<const opennd_setting> settings() {
    ULONG count = 0;
    const opennd_setting* const all = opennd_settings(&count);
    return {all, count};
}

std::string in_code(const char* text) { return *text == '\0' ? std::string() : "`" + std::string(text) + "`"; }

// These are in the table, as the suite sees from `nd --help`.
constexpr std::string_view kMostUsed[] = {"OPENND_TRANSPORT", "OPENND_LOG",    "OPENND_CHECK",
                                          "OPENND_CAPTURE",   "OPENND_FAULTS", "OPENND_PROFILE"};

struct Line {
    std::string variable, meaning;
};

std::string help_on(const std::vector<Line>& some) {
    std::size_t widest = 0;
    for (const Line& each : some) widest = std::max(widest, each.variable.size());
    std::string text = "Environment:";
    const std::size_t indent = widest + 4;
    for (const Line& each : some) {
        std::string before = "  " + each.variable;
        for (const std::string& line : wrapped(each.meaning, kColumns - indent)) {
            before.resize(indent, ' ');
            text += "\n" + before + line;
            before.clear();
        }
    }
    return text;
}

}  // namespace

void write_settings_table(std::ostream& out) {
    out << "| Variable | Values | Default | Meaning |\n|---|---|---|---|\n";
    for (const opennd_setting& each : settings())
        out << "| `" << each.variable << "` | " << each.values << " | " << in_code(each.default_value) << " | "
            << each.meaning << " |\n";
}

std::string settings_help() {
    std::vector<Line> all;
    for (const opennd_setting& each : settings()) all.push_back({each.variable, each.meaning});
    return help_on(all);
}

std::string most_used_settings_help() {
    std::vector<Line> some;
    for (const std::string_view name : kMostUsed) {
        const std::span<const opennd_setting> all = settings();
        const std::string_view meaning = std::ranges::find(all, name, &opennd_setting::variable)->meaning;
        some.push_back({std::string(name), std::string(meaning.substr(0, meaning.find(';')))});
    }
    return help_on(some);
}

}  // namespace nd
