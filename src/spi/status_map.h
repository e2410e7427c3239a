// SPDX-License-Identifier: MIT
// From Status to HRESULT, for every face that speaks HRESULT.
#pragma once

#include "base/explanation.h"
#include "base/status.h"
#include "ndstatus.h"

namespace opennd {

HRESULT failure_to_hresult(Status status);

inline HRESULT to_hresult(Status status) {
    return ok(status) ? ND_SUCCESS : failure_to_hresult(status);  // success is the data path's, and inline
}

// Number and name of the face's status for it, for explanations.
FaceStatus face_status(Status status);

}  // namespace opennd
