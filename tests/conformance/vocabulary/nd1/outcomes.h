// SPDX-License-Identifier: MIT
//
// Statuses of version 1 in the test vocabulary. Some reasons have other names than in version 2.
#pragma once

#include <ndspi.h>

#include "conformance/vocabulary/driver.h"

namespace opennd::conformance::nd1 {

// The outcome of a call, or an overlapped request.
Outcome outcome_of(HRESULT status);

// The outcome of a result. Reports a failure for a status that a request of this kind may not have.
Outcome result_of(RequestKind kind, HRESULT status);

}  // namespace opennd::conformance::nd1
