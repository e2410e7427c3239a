// SPDX-License-Identifier: MIT
// Values that several parts of the report have.
#pragma once

#include <chrono>
#include <cstdint>

#include "model/face.h"

namespace opennd {

// NDK-STAT-12.
inline const char* owner_of(Face face) { return face == Face::ndk ? "kernel" : "user"; }

inline std::int64_t milliseconds_of(std::chrono::nanoseconds time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

}  // namespace opennd
