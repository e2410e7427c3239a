// SPDX-License-Identifier: MIT
//
// The test vocabulary in terms of NDKPI. left_out.h has the tests that it cannot speak.
#pragma once

#include <memory>

#include "conformance/vocabulary/driver.h"

namespace opennd::conformance::ndk {

std::unique_ptr<Driver> open_driver();

}  // namespace opennd::conformance::ndk
