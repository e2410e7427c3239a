// SPDX-License-Identifier: MIT
// Pools: the allocator of the process, and a record of each block by which double frees, wrong tags and leaks are found.
#include "kernel/pool.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include "kernel/mdl.h"
#include "wdm/checking/checking.h"
#include "wdm/checking/live_objects.h"
#include "wdm/checking/tag.h"

using namespace opennd::wdm;

namespace {

constexpr const char* kKind = "pool block";
constexpr SIZE_T kCacheLine = 64;
constexpr POOL_FLAGS kPools = POOL_FLAG_NON_PAGED | POOL_FLAG_NON_PAGED_EXECUTE | POOL_FLAG_PAGED;
constexpr POOL_FLAGS kKnownFlags = kPools | POOL_FLAG_UNINITIALIZED | POOL_FLAG_CACHE_ALIGNED;

struct Wish {
    SIZE_T bytes;
    ULONG tag;
    bool paged;
    bool zeroed;
    bool cache_aligned;
};

void* allocate(const Wish& wish, const char* call, const void* caller) {
    if (wish.paged)
        (void)expect_irql_at_most(APC_LEVEL, call, {"paged pool", nullptr});
    else
        (void)expect_irql_at_most(DISPATCH_LEVEL, call, {"pool", nullptr});
    // NDK-CONS-35: from a page on, whole pages; malloc's own 16 bytes below that.
    const SIZE_T alignment = wish.bytes >= PAGE_SIZE ? SIZE_T{PAGE_SIZE} : wish.cache_aligned ? kCacheLine : 16;
    void* block = nullptr;
    if (posix_memalign(&block, alignment, wish.bytes != 0 ? wish.bytes : 1) != 0) return nullptr;
    if (wish.zeroed) std::memset(block, 0, wish.bytes);
    LiveObjects::instance().add(block, {.kind = kKind,
                                        .detail = std::to_string(wish.bytes) + " bytes, tag " + text_of_tag(wish.tag),
                                        .tag = wish.tag,
                                        .made_at = caller});
    return block;
}

Wish by_type(POOL_TYPE type, SIZE_T bytes, ULONG tag, bool zeroed) {
    return {.bytes = bytes, .tag = tag, .paged = (type & 1) != 0, .zeroed = zeroed, .cache_aligned = (type & 4) != 0};
}

void* allocate(POOL_FLAGS flags, SIZE_T bytes, ULONG tag, const char* call, const void* caller) {
    const POOL_FLAGS pool = flags & kPools;
    if ((flags & ~kKnownFlags) != 0 || pool == 0 || (pool & (pool - 1)) != 0) return nullptr;
    return allocate({.bytes = bytes,
                     .tag = tag,
                     .paged = pool == POOL_FLAG_PAGED,
                     .zeroed = (flags & POOL_FLAG_UNINITIALIZED) == 0,
                     .cache_aligned = (flags & POOL_FLAG_CACHE_ALIGNED) != 0},
                    call, caller);
}

void release(void* block, ULONG tag, const char* call) {
    (void)expect_irql_at_most(DISPATCH_LEVEL, call, {kKind, block});
    const bool known = LiveObjects::instance().remove(block, kKind, [&](const LiveObject& object) {
        if (tag != 0 && object.tag != tag)
            report(OPENND_WDM_RULE_FREE, {kKind, block},
                   std::string(call) + " names tag " + text_of_tag(tag) + ", but it has " + object.detail);
        return true;
    });
    if (known) std::free(block);
}

}  // namespace

PVOID ExAllocatePoolWithTag(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag) {
    return allocate(by_type(PoolType, NumberOfBytes, Tag, false), "ExAllocatePoolWithTag", __builtin_return_address(0));
}

PVOID ExAllocatePoolWithTagPriority(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag, EX_POOL_PRIORITY) {
    return allocate(by_type(PoolType, NumberOfBytes, Tag, false), "ExAllocatePoolWithTagPriority",
                    __builtin_return_address(0));
}

PVOID ExAllocatePoolZero(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag) {
    return allocate(by_type(PoolType, NumberOfBytes, Tag, true), "ExAllocatePoolZero", __builtin_return_address(0));
}

PVOID ExAllocatePool2(POOL_FLAGS Flags, SIZE_T NumberOfBytes, ULONG Tag) {
    return allocate(Flags, NumberOfBytes, Tag, "ExAllocatePool2", __builtin_return_address(0));
}

PVOID ExAllocatePool3(POOL_FLAGS Flags, SIZE_T NumberOfBytes, ULONG Tag, PCPOOL_EXTENDED_PARAMETER ExtendedParameters,
                      ULONG ExtendedParametersCount) {
    for (ULONG i = 0; i < ExtendedParametersCount; ++i)
        if (ExtendedParameters[i].Type != PoolExtendedParameterPriority && ExtendedParameters[i].Optional == 0)
            return nullptr;
    return allocate(Flags, NumberOfBytes, Tag, "ExAllocatePool3", __builtin_return_address(0));
}

VOID ExFreePool(PVOID P) { release(P, 0, "ExFreePool"); }

VOID ExFreePoolWithTag(PVOID P, ULONG Tag) { release(P, Tag, "ExFreePoolWithTag"); }
