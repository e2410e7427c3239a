// SPDX-License-Identifier: MIT
// Types, macros and values that consumers are compiled against, and Interlocked functions.
#define OPENND_WDM_MIN_MAX
#include <ndkpi.h>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

C_ASSERT(sizeof(NTSTATUS) == 4 && sizeof(ULONG) == 4 && sizeof(LONG) == 4 && sizeof(LONGLONG) == 8);
C_ASSERT(sizeof(SIZE_T) == 8 && sizeof(ULONG_PTR) == 8 && sizeof(PVOID) == 8 && sizeof(BOOLEAN) == 1);
C_ASSERT(sizeof(WCHAR) == 4 && sizeof(KIRQL) == 1);
C_ASSERT(sizeof(SOCKADDR) == 16 && sizeof(SOCKADDR_IN) == 16 && sizeof(SOCKADDR_IN6) == 28);
C_ASSERT(sizeof(SOCKADDR_INET) == 28 && alignof(SOCKADDR_INET) == 4 && sizeof(SOCKADDR_STORAGE) == 128);

TEST(Types, HaveWindowsWidthsAndLayouts) {
    support::proves("NDK-HOST-50", "NDK-HOST-52");
    EXPECT_EQ(FIELD_OFFSET(SOCKADDR_IN, sin_port), 2);
    EXPECT_EQ(FIELD_OFFSET(SOCKADDR_IN, sin_addr), 4);
    EXPECT_EQ(FIELD_OFFSET(SOCKADDR_IN6, sin6_addr), 8);
    EXPECT_EQ(FIELD_OFFSET(SOCKADDR_IN6, sin6_scope_id), 0x18);
}

TEST(Types, FourCharacterConstantsHaveTheFirstOnTop) {
    support::proves("NDK-HOST-53");
    EXPECT_EQ('NDKD', 0x4E444B44);
}

TEST(Types, AnSgeIsFilledThroughItsUnion) {
    support::proves("NDK-HOST-54");
    NDK_SGE sge{};
    sge.LogicalAddress.QuadPart = 0x1000;
    EXPECT_EQ(sge.VirtualAddress, reinterpret_cast<PVOID>(0x1000));
}

TEST(Macros, FindFieldsAndTheirOwners) {
    struct Owner {
        USHORT first;
        ULONG second[4];
    } owner{};
    EXPECT_EQ(CONTAINING_RECORD(&owner.second, Owner, second), &owner);
    EXPECT_EQ(RTL_SIZEOF_THROUGH_FIELD(Owner, first), 2u);
    EXPECT_EQ(ARRAYSIZE(owner.second), 4u);
    const ULONG pages = 17;  // NDK-CONS-21
    EXPECT_EQ(static_cast<SIZE_T>(FIELD_OFFSET(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageArray[pages])), 0x10 + 17 * 8);
    UNREFERENCED_PARAMETER(owner);
}

TEST(Macros, AlignAndLimit) {
    EXPECT_EQ(ALIGN_UP_BY(0x1001, 0x1000), 0x2000u);
    EXPECT_EQ(ALIGN_UP_BY(0x1000, 0x1000), 0x1000u);
    EXPECT_EQ(ALIGN_DOWN_BY(0x1FFF, 0x1000), 0x1000u);
    EXPECT_EQ(ALIGN_UP(5, ULONG64), 8u);
    EXPECT_EQ(ALIGN_DOWN(15, ULONG64), 8u);
    EXPECT_EQ(ALIGN_UP_POINTER_BY(0x11, 16), reinterpret_cast<PVOID>(0x20));
    EXPECT_EQ(ALIGN_DOWN_POINTER_BY(0x1F, 16), reinterpret_cast<PVOID>(0x10));
    EXPECT_EQ(MAXULONG, 0xFFFFFFFFu);
    EXPECT_EQ(MAXUSHORT, 0xFFFFu);
    EXPECT_EQ(MAXLONG, 0x7FFFFFFF);
    EXPECT_EQ(min(3u, SIZE_T{4}), 3u);
    EXPECT_EQ(max(LONG{-1}, 2), 2);
    struct DECLSPEC_CACHEALIGN Line {
        char byte;
    };
    EXPECT_EQ(alignof(Line), std::size_t{SYSTEM_CACHE_ALIGNMENT_SIZE});
}

TEST(Statuses, HaveTheirValuesAndKinds) {
    EXPECT_EQ(static_cast<ULONG>(STATUS_NO_MEMORY), 0xC0000017u);
    EXPECT_EQ(static_cast<ULONG>(STATUS_INVALID_OWNER), 0xC000005Au);
    EXPECT_EQ(static_cast<ULONG>(STATUS_INVALID_CONNECTION), 0xC0000140u);
    EXPECT_EQ(static_cast<ULONG>(STATUS_NOINTERFACE), 0xC00002B9u);
    EXPECT_TRUE(NT_SUCCESS(STATUS_PENDING) && NT_ERROR(STATUS_NO_MEMORY) && NT_WARNING(STATUS_BUFFER_OVERFLOW));
    EXPECT_FALSE(NT_INFORMATION(STATUS_TIMEOUT));
}

TEST(Interlocked, HasBothSpellings) {
    support::proves("NDK-HOST-40");
    volatile LONG number = 5;
    volatile LONG64 wide = 1;
    EXPECT_EQ(InterlockedIncrement(&number), 6);
    EXPECT_EQ(_InterlockedDecrement(&number), 5);
    EXPECT_EQ(InterlockedAdd(&number, 2), 7);
    EXPECT_EQ(_InterlockedAdd(&number, -2), 5);
    EXPECT_EQ(InterlockedExchange(&number, 9), 5);
    EXPECT_EQ(InterlockedCompareExchange(&number, 1, 9), 9);
    EXPECT_EQ(InterlockedOr(&number, 2), 1);
    EXPECT_EQ(_InterlockedAnd(&number, 2), 3);
    EXPECT_EQ(InterlockedXor(&number, 2), 2);
    EXPECT_EQ(InterlockedIncrement64(&wide), 2);
    EXPECT_EQ(_InterlockedAdd64(&wide, LONG64{1} << 40), (LONG64{1} << 40) + 2);
    EXPECT_EQ(_InterlockedExchange64(&wide, 3), (LONG64{1} << 40) + 2);
    EXPECT_EQ(InterlockedCompareExchange64(&wide, 4, 3), 3);
    EXPECT_EQ(InterlockedExchangeAdd64(&wide, 1), 4);
    int target = 0;
    PVOID volatile pointer = nullptr;
    EXPECT_EQ(_InterlockedExchangePointer(&pointer, &target), nullptr);
    EXPECT_EQ(InterlockedCompareExchangePointer(&pointer, nullptr, &target), &target);
    KeMemoryBarrier();
}

}  // namespace
}  // namespace opennd
