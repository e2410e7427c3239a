// SPDX-License-Identifier: MIT
//
// The test vocabulary in terms of Network Direct version 1. left_out.h has the tests that it cannot speak.
#pragma once

#include <memory>

#include "conformance/vocabulary/driver.h"

namespace opennd::conformance::nd1 {

std::unique_ptr<Driver> open_driver();

}  // namespace opennd::conformance::nd1
