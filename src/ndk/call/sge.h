// SPDX-License-Identifier: MIT
// NDK_SGE as core takes it.
#pragma once

#include "model/sge_list.h"
#include "ndk/call/token.h"
#include "ndkpi.h"

namespace opennd {

// A logical address is an address of this process (NDK-LAM-05), so that both members of the union mean the same here.
inline Sge to_sge(const NDK_SGE& sge) {
    return {static_cast<std::byte*>(sge.VirtualAddress), sge.Length, from_ndk_token(sge.MemoryRegionToken)};
}

using NdkSgeList = SgeList<NDK_SGE, to_sge, 32>;

}  // namespace opennd
