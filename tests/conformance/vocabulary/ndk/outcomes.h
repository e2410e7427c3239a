// SPDX-License-Identifier: MIT
//
// Statuses of NDKPI in the test vocabulary. Some reasons have other names than in version 2.
#pragma once

#include <ndkpi.h>

#include "conformance/vocabulary/driver.h"

namespace opennd::conformance::ndk {

// The outcome of a function or of the callback of a request.
Outcome outcome_of(NTSTATUS status);

// The outcome of a result. Reports a failure for a status that a request of this kind may not have.
Outcome result_of(RequestKind kind, NTSTATUS status);

// The outcome that a queue's notification reports.
Outcome event_of(NTSTATUS status);

}  // namespace opennd::conformance::ndk
