// SPDX-License-Identifier: MIT
// From Status to HRESULT, for every face that speaks version 2's.
#pragma once

#include "base/explanation.h"
#include "base/status_names.h"
#include "base/status_table.h"

namespace opennd {

inline HRESULT to_hresult(Status status) {
    if (ok(status)) [[likely]]
        return ND_SUCCESS;
    return row_of(status).nd2;
}

// Number and name of the face's status for it, for explanations.
inline FaceStatus face_status(Status status) { return {to_hresult(status), status_name(to_hresult(status))}; }

}  // namespace opennd
