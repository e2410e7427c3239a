// SPDX-License-Identifier: MIT
//
// Read markup.h first.
#include "plot/markup.h"

#include <cstdio>

namespace nd {

std::string escape_markup(std::string_view text) {
    std::string escaped;
    for (char c : text) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default: escaped += c;
        }
    }
    return escaped;
}

std::string element(const char* name, Attributes attributes, const std::string& content) {
    std::string begin = name;
    for (const auto& [key, value] : attributes) begin += " " + std::string(key) + "=\"" + escape_markup(value) + "\"";
    return "<" + begin + ">" + content + "</" + name + ">";
}

std::string text_element(const char* name, std::string_view text, Attributes attributes) {
    return element(name, attributes, escape_markup(text));
}

std::string coordinate(double value) {
    char text[32] = "";
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

}  // namespace nd
