// SPDX-License-Identifier: MIT
// From Status to NTSTATUS.
#pragma once

#include "base/explanation.h"
#include "base/status.h"
#include "ndkstatus.h"

namespace opennd {

NTSTATUS failure_to_ntstatus(Status status);

inline NTSTATUS to_ntstatus(Status status) {
    return ok(status) ? STATUS_SUCCESS : failure_to_ntstatus(status);  // the one that is in a hurry stays inline
}

// With its name, for explanations.
FaceStatus named(NTSTATUS status);
FaceStatus ndk_face_status(Status status);

}  // namespace opennd
