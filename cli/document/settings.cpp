// SPDX-License-Identifier: MIT
//
// The settings of the library, as opennd_settings lists them. Read document.h first.
#include <opennd.h>

#include <algorithm>
#include <cstring>
#include <span>

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
    const std::size_t indent = widest + 4;
    for (const opennd_setting& each : settings()) {
        std::string before = "  " + std::string(each.variable);
        for (const std::string& line : wrapped(each.meaning, kColumns - indent)) {
            before.resize(indent, ' ');
            text += "\n" + before + line;
            before.clear();
        }
    }
    return text;
}

}  // namespace nd
