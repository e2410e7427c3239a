// SPDX-License-Identifier: MIT
// Which object a header belongs to.
#pragma once

#include "ndk/object.h"
#include "ndkpi.h"

namespace opennd {

// The header is that of an object of ours, which is no adapter; otherwise the process ends (NDK-GEN-07).
NdkObject& object_of(NDK_OBJECT_HEADER* header);

}  // namespace opennd
