// SPDX-License-Identifier: MIT
//
// The generic tests that version 1 is left out of, each with the reason: what it cannot express, or promises otherwise.
#pragma once

#include <string_view>

namespace opennd::conformance::nd1 {

// Why version 1 does not run this test; null: it does.
const char* left_out(std::string_view suite, std::string_view test);

}  // namespace opennd::conformance::nd1
