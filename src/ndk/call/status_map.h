// SPDX-License-Identifier: MIT
// From Status to NTSTATUS.
#pragma once

#include "base/explanation.h"
#include "base/status_names.h"
#include "base/status_table.h"

namespace opennd {

inline NTSTATUS to_ntstatus(Status status) { return ok(status) ? STATUS_SUCCESS : row_of(status).ndk; }

// With its name, for explanations.
inline FaceStatus named(NTSTATUS status) { return {status, ndk_status_name(status)}; }
inline FaceStatus ndk_face_status(Status status) { return named(to_ntstatus(status)); }

}  // namespace opennd
