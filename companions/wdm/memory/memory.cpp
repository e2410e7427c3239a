// SPDX-License-Identifier: MIT
// The functions of memory.h that are no macros.
#include "kernel/memory.h"

#include <algorithm>

SIZE_T RtlCompareMemory(const VOID* Source1, const VOID* Source2, SIZE_T Length) {
    const auto* const one = static_cast<const UCHAR*>(Source1);
    const auto* const other = static_cast<const UCHAR*>(Source2);
    return static_cast<SIZE_T>(std::mismatch(one, one + Length, other).first - one);
}
