// SPDX-License-Identifier: MIT
//
// HRESULTs of version 2 as outcomes.
#pragma once

#include <ndspi.h>

#include "conformance/outcome.h"

namespace opennd::conformance::nd2 {

// A status that has no outcome fails the running test and becomes Outcome::unexpected.
Outcome outcome_of(HRESULT status);

}  // namespace opennd::conformance::nd2
