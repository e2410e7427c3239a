// SPDX-License-Identifier: MIT
//
// The generic tests that NDKPI is left out of, each with the reason: NDKPI cannot express the test, or promises
// otherwise. Its own promises are tested in tests/ndk.
#pragma once

#include "conformance/vocabulary/variant.h"

namespace opennd::conformance::ndk {

std::span<const LeftOut> left_out();

}  // namespace opennd::conformance::ndk
