// SPDX-License-Identifier: MIT
// Pools: alignment, zeroes, tags, levels.
#include <cstring>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

constexpr ULONG kTag = 'ndkT';

bool is_aligned(const void* block, ULONG_PTR to) { return reinterpret_cast<ULONG_PTR>(block) % to == 0; }

bool is_zero(const void* block, SIZE_T bytes) {
    const auto* const all = static_cast<const char*>(block);
    for (SIZE_T i = 0; i < bytes; ++i)
        if (all[i] != 0) return false;
    return true;
}

TEST(Pool, GivesWholePagesFromAPageOn) {
    support::proves("NDK-CONS-35", "NDK-HOST-40");
    for (const SIZE_T bytes : {0ul, 1ul, 16ul, 4095ul, 4096ul, 4097ul, 64ul * 1024, 1ul << 20}) {
        void* const blocks[] = {ExAllocatePoolWithTag(NonPagedPoolNx, bytes, kTag),
                                ExAllocatePoolWithTagPriority(PagedPool, bytes, kTag, NormalPoolPriority),
                                ExAllocatePoolZero(NonPagedPool, bytes, kTag),
                                ExAllocatePool2(POOL_FLAG_NON_PAGED, bytes, kTag),
                                ExAllocatePool3(POOL_FLAG_PAGED, bytes, kTag, nullptr, 0)};
        for (void* const block : blocks) {
            ASSERT_NE(block, nullptr);
            EXPECT_TRUE(is_aligned(block, bytes >= PAGE_SIZE ? PAGE_SIZE : 16)) << bytes;
            std::memset(block, 0xA5, bytes);
            ExFreePoolWithTag(block, kTag);
        }
    }
}

TEST(Pool, ZeroesWhereItIsToldTo) {
    constexpr SIZE_T kBytes = 5'000;
    for (int i = 0; i < 3; ++i) {
        void* const dirty = ExAllocatePool2(POOL_FLAG_NON_PAGED | POOL_FLAG_UNINITIALIZED, kBytes, kTag);
        std::memset(dirty, 0xFF, kBytes);
        ExFreePool(dirty);
        void* const one = ExAllocatePoolZero(NonPagedPoolNx, kBytes, kTag);
        void* const other = ExAllocatePool2(POOL_FLAG_NON_PAGED, kBytes, kTag);
        EXPECT_TRUE(is_zero(one, kBytes));
        EXPECT_TRUE(is_zero(other, kBytes));
        ExFreePool(one);
        ExFreePool(other);
    }
}

TEST(Pool, RefusesWhatItDoesNotKnow) {
    EXPECT_EQ(ExAllocatePool2(0, 16, kTag), nullptr) << "no pool";
    EXPECT_EQ(ExAllocatePool2(POOL_FLAG_PAGED | POOL_FLAG_NON_PAGED, 16, kTag), nullptr) << "two pools";
    EXPECT_EQ(ExAllocatePool2(POOL_FLAG_NON_PAGED | 0x8000, 16, kTag), nullptr) << "an unknown flag";
    POOL_EXTENDED_PARAMETER parameter{7, FALSE, NormalPoolPriority};
    EXPECT_EQ(ExAllocatePool3(POOL_FLAG_NON_PAGED, 16, kTag, &parameter, 1), nullptr);
    parameter.Optional = TRUE;
    void* const block = ExAllocatePool3(POOL_FLAG_NON_PAGED | POOL_FLAG_CACHE_ALIGNED, 16, kTag, &parameter, 1);
    EXPECT_TRUE(block != nullptr && is_aligned(block, 64));
    ExFreePool(block);
}

TEST(Pool, FreedTwiceIsReportedAndFreedOnce) {
    Violations violations;
    void* const block = ExAllocatePoolWithTag(NonPagedPoolNx, 100, kTag);
    ExFreePoolWithTag(block, kTag);
    EXPECT_TRUE(violations.were_none());
    ExFreePoolWithTag(block, kTag);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_FREE, "pool block", block));
    int local = 0;
    ExFreePool(&local);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_FREE, "pool block", &local));
}

TEST(Pool, FreedUnderAnotherTagIsReported) {
    Violations violations;
    void* const block = ExAllocatePoolWithTag(NonPagedPoolNx, 100, 'dcba');
    ExFreePoolWithTag(block, 'hgfe');
    const auto all = violations.take_all();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].rule, OPENND_WDM_RULE_FREE);
    EXPECT_NE(all[0].text.find("tag 'efgh', but it has 100 bytes, tag 'abcd'"), std::string::npos) << all[0].text;
}

TEST(Pool, PagedPoolAtDispatchLevelIsReported) {
    Violations violations;
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    void* const block = ExAllocatePoolWithTag(NonPagedPoolNx, 100, kTag);
    EXPECT_TRUE(violations.were_none());
    void* const paged = ExAllocatePoolWithTag(PagedPool, 100, kTag);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "paged pool"));
    ExFreePool(block);
    ExFreePool(paged);
    KeLowerIrql(before);
}

}  // namespace
}  // namespace opennd
