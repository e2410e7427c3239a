// SPDX-License-Identifier: MIT
//
// Read within.h first.
#include "usage/within.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace nd {
namespace {

std::string number_words(double number) {
    char text[32] = "";
    std::snprintf(text, sizeof text, "%.12g", number);
    return text;
}

}  // namespace

CLI::Validator within(double lowest, double highest) {
    return CLI::Validator(
        [lowest, highest](std::string& text) {
            char* end = nullptr;
            const double number = std::strtod(text.c_str(), &end);
            if (!text.empty() && *end == '\0' && number >= lowest && number <= highest) return std::string();
            return "'" + text + "' is outside " + number_words(lowest) + " to " + number_words(highest);
        },
        "");
}

}  // namespace nd
