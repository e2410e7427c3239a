// SPDX-License-Identifier: MIT
// NDK_LOGICAL_ADDRESS_MAPPING, the one thing of NDK without header and table: the pages of a chain of MDLs, as addresses of
// this process (NDK-LAM-05). An adapter that translates them knows them as long as the mapping lives (NDK-LAM-11).
#pragma once

#include "ndk/object/adapter.h"
#include "ndkpi.h"

namespace opennd {

NTSTATUS build_mapping(NdkAdapter& adapter, const MDL* chain, SIZE_T bytes, NDK_LOGICAL_ADDRESS_MAPPING* mapping,
                       ULONG* mapping_bytes, ULONG* first_byte);
void release_mapping(NDK_LOGICAL_ADDRESS_MAPPING* mapping);

}  // namespace opennd
