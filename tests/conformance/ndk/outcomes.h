// SPDX-License-Identifier: MIT
//
// Statuses of NDKPI in the test vocabulary. One reason has other names than in version 2 where spec ndk, section 6.3, says
// so.
#pragma once

#include <ndkpi.h>

#include "conformance/driver.h"

namespace opennd::conformance::ndk {

// Of a function or of the callback of a request.
Outcome outcome_of(NTSTATUS status);

// Of a result. Reports a failure for a status that a request of this kind may not have (section 3.10).
Outcome result_of(RequestKind kind, NTSTATUS status);

// What a notification of a queue says.
Outcome event_of(NTSTATUS status);

}  // namespace opennd::conformance::ndk
