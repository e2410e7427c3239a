// SPDX-License-Identifier: MIT
// Lookaside lists: a size, a tag and a count of the blocks that are out.
#include "kernel/lookaside.h"

#include <atomic>
#include <string>

#include "wdm/checking/checking.h"
#include "wdm/checking/live_objects.h"
#include "wdm/checking/tag.h"

using namespace opennd::wdm;

namespace {

constexpr const char* kKind = "lookaside list";

void record(const void* list, SIZE_T bytes, ULONG tag, const void* caller) {
    LiveObjects::instance().add(list, {.kind = kKind,
                                       .detail = "of " + std::to_string(bytes) + " bytes, tag " + text_of_tag(tag),
                                       .made_at = caller});
}

void forget(const void* list, LONG64 in_use) {
    LiveObjects::instance().remove(list, kKind, [&](const LiveObject& object) {
        if (in_use != 0)
            report(OPENND_WDM_RULE_IN_USE, {kKind, list},
                   object.detail + ", is deleted while " + std::to_string(in_use) + " of its blocks are in use");
        return true;
    });
}

std::atomic_ref<LONG64> in_use(LONG64& count) { return std::atomic_ref<LONG64>(count); }

// A block more is in use, if there is one.
void* counted(LONG64& count, void* block) {
    if (block != nullptr) in_use(count).fetch_add(1, std::memory_order_relaxed);
    return block;
}

}  // namespace

NTSTATUS ExInitializeLookasideListEx(PLOOKASIDE_LIST_EX Lookaside, PALLOCATE_FUNCTION_EX Allocate,
                                     PFREE_FUNCTION_EX Free, POOL_TYPE PoolType, ULONG Flags, SIZE_T Size, ULONG Tag,
                                     USHORT) {
    if (Flags != 0) return STATUS_INVALID_PARAMETER;
    *Lookaside = {.opennd_pool = PoolType,
                  .opennd_tag = Tag,
                  .opennd_bytes = Size,
                  .opennd_allocate = Allocate,
                  .opennd_free = Free,
                  .opennd_in_use = 0};
    record(Lookaside, Size, Tag, __builtin_return_address(0));
    return STATUS_SUCCESS;
}

PVOID ExAllocateFromLookasideListEx(PLOOKASIDE_LIST_EX Lookaside) {
    const POOL_TYPE pool = Lookaside->opennd_pool;
    const SIZE_T bytes = Lookaside->opennd_bytes;
    const ULONG tag = Lookaside->opennd_tag;
    void* const block = Lookaside->opennd_allocate != nullptr ? Lookaside->opennd_allocate(pool, bytes, tag, Lookaside)
                                                              : ExAllocatePoolWithTag(pool, bytes, tag);
    return counted(Lookaside->opennd_in_use, block);
}

VOID ExFreeToLookasideListEx(PLOOKASIDE_LIST_EX Lookaside, PVOID Entry) {
    in_use(Lookaside->opennd_in_use).fetch_sub(1, std::memory_order_relaxed);
    if (Lookaside->opennd_free != nullptr)
        Lookaside->opennd_free(Entry, Lookaside);
    else
        ExFreePoolWithTag(Entry, Lookaside->opennd_tag);
}

VOID ExDeleteLookasideListEx(PLOOKASIDE_LIST_EX Lookaside) {
    forget(Lookaside, in_use(Lookaside->opennd_in_use).load(std::memory_order_relaxed));
}

VOID ExInitializeNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside, PALLOCATE_FUNCTION Allocate, PFREE_FUNCTION Free,
                                     ULONG, SIZE_T Size, ULONG Tag, USHORT) {
    *Lookaside = {
        .opennd_tag = Tag, .opennd_bytes = Size, .opennd_allocate = Allocate, .opennd_free = Free, .opennd_in_use = 0};
    record(Lookaside, Size, Tag, __builtin_return_address(0));
}

PVOID ExAllocateFromNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside) {
    const SIZE_T bytes = Lookaside->opennd_bytes;
    const ULONG tag = Lookaside->opennd_tag;
    void* const block = Lookaside->opennd_allocate != nullptr ? Lookaside->opennd_allocate(NonPagedPoolNx, bytes, tag)
                                                              : ExAllocatePoolWithTag(NonPagedPoolNx, bytes, tag);
    return counted(Lookaside->opennd_in_use, block);
}

VOID ExFreeToNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside, PVOID Entry) {
    in_use(Lookaside->opennd_in_use).fetch_sub(1, std::memory_order_relaxed);
    if (Lookaside->opennd_free != nullptr)
        Lookaside->opennd_free(Entry);
    else
        ExFreePoolWithTag(Entry, Lookaside->opennd_tag);
}

VOID ExDeleteNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside) {
    forget(Lookaside, in_use(Lookaside->opennd_in_use).load(std::memory_order_relaxed));
}
