// SPDX-License-Identifier: MIT
//
// Read number_text.h first.
#include "text/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace nd {

std::string number_text(double number, int decimals) {
    constexpr int kDigits = 3, kMostDecimals = 12;
    if (number != 0 && std::fabs(number) < std::pow(10, kDigits - 1 - decimals)) {
        const int behind = kDigits - 1 - static_cast<int>(std::floor(std::log10(std::fabs(number))));
        decimals = std::clamp(behind, decimals, kMostDecimals);
    }
    char text[64] = "";
    std::snprintf(text, sizeof text, "%.*f", decimals, number);
    return text;
}

std::string counted(std::uint64_t number, const char* one, const char* many) {
    return std::to_string(number) + " " + (number == 1 ? one : many);
}

}  // namespace nd
