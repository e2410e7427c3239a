// SPDX-License-Identifier: MIT
//
// The generic tests that version 1 is left out of, each with the reason: version 1 cannot express the test, or promises
// otherwise.
#pragma once

#include "conformance/vocabulary/variant.h"

namespace opennd::conformance::nd1 {

std::span<const LeftOut> left_out();

}  // namespace opennd::conformance::nd1
