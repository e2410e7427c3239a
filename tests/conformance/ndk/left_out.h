// SPDX-License-Identifier: MIT
//
// The generic tests that NDKPI is left out of, each with the reason: what it cannot express, or promises otherwise (spec
// ndk, section 6.4). What it promises instead is tested in tests/ndk.
#pragma once

#include "conformance/variant.h"

namespace opennd::conformance::ndk {

std::span<const LeftOut> left_out();

}  // namespace opennd::conformance::ndk
