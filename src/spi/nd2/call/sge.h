// SPDX-License-Identifier: MIT
// ND2_SGE as core takes it.
#pragma once

#include "model/sge_list.h"
#include "ndspi.h"

namespace opennd {

inline Sge to_sge(const ND2_SGE& sge) {
    return {static_cast<std::byte*>(sge.Buffer), sge.BufferLength, static_cast<Token>(sge.MemoryRegionToken)};
}

using Nd2SgeList = SgeList<ND2_SGE, to_sge, 16>;

}  // namespace opennd
