// SPDX-License-Identifier: MIT
//
// Numbers that keep what they say: a small one is not printed as 0.00.
#pragma once

#include <cstdint>
#include <string>

namespace nd {

// The number with `decimals` digits behind the point, and with more where fewer than three would tell something: 2954.20, 1.50,
// 0.0123, 0.0000456.
std::string number_text(double number, int decimals);

// "1 packet", "2 packets".
std::string counted(std::uint64_t number, const char* one, const char* many);

}  // namespace nd
