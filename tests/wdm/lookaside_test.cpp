// SPDX-License-Identifier: MIT
// Lookaside lists of both kinds, over the pool and over functions of the consumer's.
#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

constexpr ULONG kTag = 'ndkL';
int calls;

PVOID allocate_ex(POOL_TYPE pool, SIZE_T bytes, ULONG tag, PLOOKASIDE_LIST_EX) {
    ++calls;
    return ExAllocatePoolWithTag(pool, bytes, tag);
}
VOID free_ex(PVOID block, PLOOKASIDE_LIST_EX) {
    ++calls;
    ExFreePoolWithTag(block, kTag);
}
PVOID allocate(POOL_TYPE pool, SIZE_T bytes, ULONG tag) { return allocate_ex(pool, bytes, tag, nullptr); }
VOID free(PVOID block) { free_ex(block, nullptr); }

TEST(Lookaside, GivesBlocksOfItsSize) {
    support::proves("NDK-HOST-40");
    Violations violations;
    LOOKASIDE_LIST_EX list;
    ASSERT_EQ(ExInitializeLookasideListEx(&list, nullptr, nullptr, NonPagedPoolNx, 0, 8'192, kTag, 0), STATUS_SUCCESS);
    void* const one = ExAllocateFromLookasideListEx(&list);
    void* const other = ExAllocateFromLookasideListEx(&list);
    EXPECT_TRUE(one != nullptr && other != nullptr && one != other);
    RtlFillMemory(one, 8'192, 1);
    ExFreeToLookasideListEx(&list, one);
    ExFreeToLookasideListEx(&list, other);
    ExDeleteLookasideListEx(&list);
    EXPECT_TRUE(violations.were_none());
    EXPECT_EQ(ExInitializeLookasideListEx(&list, nullptr, nullptr, NonPagedPoolNx, 1, 16, kTag, 0),
              STATUS_INVALID_PARAMETER);
}

TEST(Lookaside, CallsTheConsumersFunctions) {
    calls = 0;
    LOOKASIDE_LIST_EX list;
    ASSERT_EQ(ExInitializeLookasideListEx(&list, allocate_ex, free_ex, NonPagedPoolNx, 0, 16, kTag, 0), STATUS_SUCCESS);
    ExFreeToLookasideListEx(&list, ExAllocateFromLookasideListEx(&list));
    ExDeleteLookasideListEx(&list);
    NPAGED_LOOKASIDE_LIST old_list;
    ExInitializeNPagedLookasideList(&old_list, allocate, free, 0, 16, kTag, 0);
    ExFreeToNPagedLookasideList(&old_list, ExAllocateFromNPagedLookasideList(&old_list));
    ExDeleteNPagedLookasideList(&old_list);
    EXPECT_EQ(calls, 4);
}

TEST(Lookaside, DeletedWhileABlockIsOutIsReported) {
    Violations violations;
    NPAGED_LOOKASIDE_LIST list;
    ExInitializeNPagedLookasideList(&list, nullptr, nullptr, 0, 16, kTag, 0);
    void* const block = ExAllocateFromNPagedLookasideList(&list);
    ExDeleteNPagedLookasideList(&list);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "lookaside list", &list));
    ExFreeToNPagedLookasideList(&list, block);
    ExDeleteNPagedLookasideList(&list);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_FREE, "lookaside list", &list)) << "deleted twice";
}

TEST(Lookaside, ABlockGivenBackTwiceIsReported) {
    Violations violations;
    LOOKASIDE_LIST_EX list;
    ASSERT_EQ(ExInitializeLookasideListEx(&list, nullptr, nullptr, NonPagedPoolNx, 0, 16, kTag, 0), STATUS_SUCCESS);
    void* const block = ExAllocateFromLookasideListEx(&list);
    void* const other = ExAllocateFromLookasideListEx(&list);
    ExFreeToLookasideListEx(&list, block);
    ExFreeToLookasideListEx(&list, block);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_FREE, "pool block", block));
    ExFreePool(other);
    ExDeleteLookasideListEx(&list);
}

}  // namespace
}  // namespace opennd
