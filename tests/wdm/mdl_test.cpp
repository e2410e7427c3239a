// SPDX-License-Identifier: MIT
// Memory descriptor lists: their fields, chains, parts, and frees that are reported.
#include <climits>
#include <memory>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

struct FreeMdl {
    void operator()(PMDL mdl) const { IoFreeMdl(mdl); }
};
using Mdl = std::unique_ptr<MDL, FreeMdl>;

Mdl allocate(void* address, ULONG bytes, IRP* irp = nullptr, BOOLEAN secondary = FALSE) {
    return Mdl(IoAllocateMdl(address, bytes, secondary, FALSE, irp));
}

void* at(ULONG_PTR address) { return reinterpret_cast<void*>(address); }

TEST(Mdl, DescribesItsBytes) {
    support::proves("NDK-HOST-20", "NDK-HOST-40");
    const Mdl mdl = allocate(at(0x12345678), 10'000);
    ASSERT_NE(mdl, nullptr);
    EXPECT_EQ(mdl->StartVa, at(0x12345000));
    EXPECT_EQ(mdl->ByteOffset, 0x678u);
    EXPECT_EQ(mdl->ByteCount, 10'000u);
    EXPECT_EQ(mdl->Next, nullptr);
    EXPECT_EQ(mdl->MdlFlags, 0);
    EXPECT_EQ(mdl->Size, 0x30 + 3 * 8 + 8 * (0x678 + 10'000 > 3 * 4096));
    EXPECT_EQ(MmGetMdlVirtualAddress(mdl.get()), at(0x12345678));
    EXPECT_EQ(MmGetMdlByteCount(mdl.get()), 10'000u);
    EXPECT_EQ(MmGetMdlByteOffset(mdl.get()), 0x678u);
    EXPECT_EQ(MmGetMdlBaseVa(mdl.get()), at(0x12345000));
    EXPECT_EQ(MmGetSystemAddressForMdlSafe(mdl.get(), NormalPagePriority | MdlMappingNoExecute), at(0x12345678));
}

TEST(Mdl, OfNonPagedPoolHasTheProcesssPageNumbers) {
    support::proves("NDK-HOST-20");
    const Mdl mdl = allocate(at(0x7FF012345FF0), 0x1020);
    const Mdl other = allocate(at(0x7FF012346000), 0x1000);
    MmBuildMdlForNonPagedPool(mdl.get());
    MmBuildMdlForNonPagedPool(other.get());
    EXPECT_EQ(mdl->MdlFlags, MDL_SOURCE_IS_NONPAGED_POOL);
    EXPECT_EQ(mdl->MappedSystemVa, at(0x7FF012345FF0));
    const PPFN_NUMBER pages = MmGetMdlPfnArray(mdl.get());
    EXPECT_EQ(pages, reinterpret_cast<PPFN_NUMBER>(mdl.get() + 1));
    EXPECT_EQ(pages[0], 0x7FF012345u);
    EXPECT_EQ(pages[1], 0x7FF012346u);
    EXPECT_EQ(pages[2], 0x7FF012347u);
    EXPECT_EQ(MmGetMdlPfnArray(other.get())[0], pages[1]) << "two over the same memory have the same numbers";
    EXPECT_EQ(MmGetSystemAddressForMdlSafe(mdl.get(), LowPagePriority), at(0x7FF012345FF0));
}

TEST(Mdl, LocksAndUnlocks) {
    Violations violations;
    const Mdl mdl = allocate(at(0x5000), 1);
    MmProbeAndLockPages(mdl.get(), KernelMode, IoWriteAccess);
    EXPECT_EQ(mdl->MdlFlags, MDL_PAGES_LOCKED);
    EXPECT_EQ(MmGetMdlPfnArray(mdl.get())[0], 5u);
    MmUnlockPages(mdl.get());
    EXPECT_EQ(mdl->MdlFlags, 0);
    EXPECT_TRUE(violations.were_none());
}

TEST(Mdl, MadeForARequestJoinsItsChain) {
    IRP irp{};
    const Mdl first = allocate(at(0x1000), 100, &irp);
    const Mdl second = allocate(at(0x2000), 100, &irp, TRUE);
    const Mdl third = allocate(at(0x3000), 100, &irp, TRUE);
    EXPECT_EQ(irp.MdlAddress, first.get());
    EXPECT_EQ(first->Next, second.get());
    EXPECT_EQ(second->Next, third.get());
}

TEST(Mdl, PartsHaveThePagesOfTheWhole) {
    support::proves("NDK-HOST-20");
    Violations violations;
    const Mdl whole = allocate(at(0x10000100), 0x10000);
    MmBuildMdlForNonPagedPool(whole.get());
    MmGetMdlPfnArray(whole.get())[2] = 0x777;  // as if the memory were elsewhere: numbers are copied, not computed
    const Mdl part = allocate(at(0x10000000), 0x4000);
    IoBuildPartialMdl(whole.get(), part.get(), at(0x10001F00), 0x1200);
    EXPECT_EQ(MmGetMdlVirtualAddress(part.get()), at(0x10001F00));
    EXPECT_EQ(part->ByteCount, 0x1200u);
    EXPECT_EQ(part->MdlFlags, MDL_PARTIAL | MDL_SOURCE_IS_NONPAGED_POOL);
    EXPECT_EQ(MmGetMdlPfnArray(part.get())[0], 0x10001u);
    EXPECT_EQ(MmGetMdlPfnArray(part.get())[1], 0x777u);
    EXPECT_EQ(MmGetMdlPfnArray(part.get())[2], 0x10003u);
    EXPECT_EQ(MmGetSystemAddressForMdlSafe(part.get(), NormalPagePriority), at(0x10001F00));

    IoBuildPartialMdl(whole.get(), part.get(), at(0x1000F000), 0);
    EXPECT_EQ(part->ByteCount, 0x1100u) << "0: all that is left";
    EXPECT_TRUE(violations.were_none());

    IoBuildPartialMdl(whole.get(), part.get(), at(0x10000000), 0x200);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "MDL", part.get())) << "before the whole";
    IoBuildPartialMdl(whole.get(), part.get(), at(0x10000100), 0x10001);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "MDL", part.get())) << "behind it";
    IoBuildPartialMdl(whole.get(), part.get(), at(0x10000100), 0x4000);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "MDL", part.get())) << "no room for five pages";
}

TEST(Mdl, OfManyPagesIsBuilt) {
    constexpr ULONG kBytes = 256u << 20;  // more pages than the structure's Size can say
    const Mdl mdl = allocate(at(0x7F0000000000), kBytes);
    ASSERT_NE(mdl, nullptr);
    EXPECT_EQ(mdl->Size, SHRT_MAX);
    MmBuildMdlForNonPagedPool(mdl.get());
    EXPECT_EQ(MmGetMdlPfnArray(mdl.get())[kBytes / PAGE_SIZE - 1], 0x7F0000000ull + kBytes / PAGE_SIZE - 1);
}

TEST(Mdl, FreedWhileLockedIsReported) {
    Violations violations;
    Mdl mdl = allocate(at(0x5000), 1);
    MmProbeAndLockPages(mdl.get(), KernelMode, IoReadAccess);
    const void* const address = mdl.get();
    mdl.reset();
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "MDL", address));
}

TEST(Mdl, FreedTwiceIsReported) {
    Violations violations;
    PMDL const mdl = IoAllocateMdl(at(0x5000), 1, FALSE, FALSE, nullptr);
    IoFreeMdl(mdl);
    IoFreeMdl(mdl);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_FREE, "MDL", mdl));
}

TEST(Mdl, LockedTwiceOrUnlockedUnlockedIsReported) {
    Violations violations;
    const Mdl mdl = allocate(at(0x5000), 1);
    MmUnlockPages(mdl.get());
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "MDL", mdl.get()));
    MmProbeAndLockPages(mdl.get(), KernelMode, IoReadAccess);
    MmProbeAndLockPages(mdl.get(), KernelMode, IoReadAccess);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "MDL", mdl.get()));
    MmUnlockPages(mdl.get());
}

TEST(Pages, AreCountedByTheMacros) {
    EXPECT_EQ(PAGE_SIZE, 4096);
    EXPECT_EQ(PAGE_SHIFT, 12);
    EXPECT_EQ(ADDRESS_AND_SIZE_TO_SPAN_PAGES(0x1000, 0), 0u);
    EXPECT_EQ(ADDRESS_AND_SIZE_TO_SPAN_PAGES(0x1000, 1), 1u);
    EXPECT_EQ(ADDRESS_AND_SIZE_TO_SPAN_PAGES(0x1FFF, 1), 1u);
    EXPECT_EQ(ADDRESS_AND_SIZE_TO_SPAN_PAGES(0x1FFF, 2), 2u);
    EXPECT_EQ(ADDRESS_AND_SIZE_TO_SPAN_PAGES(0x1001, 0x1000), 2u);
    EXPECT_EQ(ADDRESS_AND_SIZE_TO_SPAN_PAGES(at(0xFFF), 0xFFFFFFFFu), 0x100001u);
    EXPECT_EQ(BYTE_OFFSET(at(0x12345)), 0x345u);
    EXPECT_EQ(PAGE_ALIGN(at(0x12345)), at(0x12000));
    EXPECT_EQ(ROUND_TO_PAGES(1), 0x1000u);
    EXPECT_EQ(ROUND_TO_PAGES(0x2000), 0x2000u);
    EXPECT_EQ(BYTES_TO_PAGES(0x2001), 3);
}

}  // namespace
}  // namespace opennd
