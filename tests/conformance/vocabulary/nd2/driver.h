// SPDX-License-Identifier: MIT
//
// The test vocabulary in terms of Network Direct version 2.
#pragma once

#include <memory>

#include "conformance/vocabulary/driver.h"

namespace opennd::conformance::nd2 {

std::unique_ptr<Driver> open_driver();

}  // namespace opennd::conformance::nd2
