// SPDX-License-Identifier: MIT
//
// The settings of the library, as opennd_settings lists them. Read document.h first.
#include <opennd.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "document/document.h"

namespace nd {
namespace {

std::span<const opennd_setting> settings() {
    ULONG count = 0;
    const opennd_setting* const all = opennd_settings(&count);
    return {all, count};
}

std::string in_code(const char* text) { return *text == '\0' ? std::string() : "`" + std::string(text) + "`"; }

}  // namespace

void write_settings_table(std::ostream& out) {
    out << "| Variable | Values | Default | Meaning |\n|---|---|---|---|\n";
    for (const opennd_setting& each : settings())
        out << "| `" << each.variable << "` | " << each.values << " | " << in_code(each.default_value) << " | "
            << each.meaning << " |\n";
}

std::string settings_help() {
    std::size_t widest = 0;
    for (const opennd_setting& each : settings()) widest = std::max(widest, std::strlen(each.variable));
    std::string text = "Environment:";
    for (const opennd_setting& each : settings()) {
        std::string variable = each.variable;
        variable.resize(widest, ' ');
        text += "\n  " + variable + "  " + each.meaning;
    }
    return text;
}

}  // namespace nd
