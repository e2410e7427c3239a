// SPDX-License-Identifier: MIT
// See logical_mapping.h.
#include "ndk/memory/logical_mapping.h"

#include <cstddef>
#include <utility>

#include "ndk/call/refusal.h"
#include "ndk/memory/mdl_range.h"

namespace opennd {

NTSTATUS build_mapping(NdkAdapter& adapter, const MDL* chain, SIZE_T bytes, NDK_LOGICAL_ADDRESS_MAPPING* mapping,
                       ULONG* mapping_bytes, ULONG* first_byte) {
    constexpr NdkCall call{"adapter", "NdkBuildLAM"};
    if (mapping_bytes == nullptr) return refuse_null(call, "pLAMSize");
    if (first_byte == nullptr) return refuse_null(call, "pFBO");
    if (const NTSTATUS bad = MdlRange::check(call, chain, bytes); !NT_SUCCESS(bad)) return bad;
    const MdlRange range(chain, bytes);
    constexpr SIZE_T kFixed = offsetof(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageArray);
    const SIZE_T needed = kFixed + SIZE_T{range.page_count()} * sizeof(NDK_LOGICAL_ADDRESS);
    const ULONG room = std::exchange(*mapping_bytes, static_cast<ULONG>(needed));
    if (room < needed) return refuse_room(call, room, needed, "NDK-LAM-03");
    if (mapping == nullptr) return refuse_null(call, "pNdkLAM");
    mapping->AdapterContext = &adapter;
    mapping->AdapterPageCount = range.page_count();
    range.write_pages(mapping->AdapterPageArray);
    *first_byte = range.first_byte();
    return STATUS_SUCCESS;
}

void release_mapping(NDK_LOGICAL_ADDRESS_MAPPING* mapping) {
    if (std::exchange(mapping->AdapterContext, nullptr)) return;
    (void)report(Status::invalid_state, {.object = "adapter",
                                         .operation = "NdkReleaseLAM",
                                         .asked = "the end of a mapping that is not built",
                                         .limit = "once for each success of NdkBuildLAM",
                                         .remedy = "release each mapping once, unchanged",
                                         .requirement = "NDK-LAM-09"});
}

}  // namespace opennd
