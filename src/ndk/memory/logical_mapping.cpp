// SPDX-License-Identifier: MIT
// See logical_mapping.h.
#include "ndk/memory/logical_mapping.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "ndk/call/refusal.h"
#include "ndk/memory/mdl_range.h"

namespace opennd {
namespace {

// A context is the adapter; or, with the lowest bit set, a reference to the pages' names.
constexpr std::uintptr_t kNames = 1;

Result<PVOID> context_of(NdkAdapter& adapter, const MdlRange& range) {
    Result<Ref<RefCounted>> names = adapter.core()->name_pages(range.pages());
    if (!names.ok()) return names.status();
    if (!names.value()) return PVOID{&adapter};
    RefCounted* const kept = names.value().get();
    kept->add_ref();
    return reinterpret_cast<PVOID>(reinterpret_cast<std::uintptr_t>(kept) | kNames);
}

void release_context(PVOID context) {
    const auto number = reinterpret_cast<std::uintptr_t>(context);
    if ((number & kNames) != 0) reinterpret_cast<RefCounted*>(number - kNames)->drop_ref();
}

}  // namespace

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
    const Result<PVOID> context = context_of(adapter, range);
    if (!context.ok()) return to_ntstatus(context.status());
    mapping->AdapterContext = context.value();
    mapping->AdapterPageCount = range.page_count();
    range.write_pages(mapping->AdapterPageArray);
    *first_byte = range.first_byte();
    return STATUS_SUCCESS;
}

void release_mapping(NDK_LOGICAL_ADDRESS_MAPPING* mapping) {
    if (PVOID const context = std::exchange(mapping->AdapterContext, nullptr)) return release_context(context);
    (void)report(Status::invalid_state, {.object = "adapter",
                                         .operation = "NdkReleaseLAM",
                                         .asked = "the end of a mapping that is not built",
                                         .limit = "once for each success of NdkBuildLAM",
                                         .remedy = "release each mapping once, unchanged",
                                         .requirement = "NDK-LAM-09"});
}

}  // namespace opennd
