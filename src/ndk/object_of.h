// SPDX-License-Identifier: MIT
// Which object a header belongs to.
#pragma once

#include "ndk/object/object.h"
#include "ndkpi.h"

namespace opennd {

// The object of this header; ends the process if the header is an adapter's or none of ours (NDK-GEN-07).
NdkObject& object_of(NDK_OBJECT_HEADER* header);

}  // namespace opennd
