// SPDX-License-Identifier: MIT
//
// HRESULTs of version 2 as outcomes.
#pragma once

#include <ndspi.h>

#include "conformance/vocabulary/outcome.h"

namespace opennd::conformance::nd2 {

// A status that has no outcome fails the running test and becomes Outcome::unexpected.
Outcome outcome_of(HRESULT status);

// Whether a result of this type may have this status (ND2-QP-STAT-03).
bool may_report(ND2_REQUEST_TYPE type, HRESULT status);

}  // namespace opennd::conformance::nd2
