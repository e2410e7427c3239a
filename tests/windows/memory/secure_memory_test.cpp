// SPDX-License-Identifier: MIT
// Programs that keep registrations of memory are told when it goes.
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "windows.h"

namespace opennd {
namespace {

using Ranges = std::vector<std::pair<PVOID, SIZE_T>>;
Ranges told;

BOOLEAN CALLBACK note(PVOID address, SIZE_T bytes) {
    [[maybe_unused]] const volatile char still_there = *static_cast<volatile char*>(address);
    told.emplace_back(address, bytes);
    return TRUE;
}

using Change = BOOL(WINAPI*)(PSECURE_MEMORY_CACHE_CALLBACK);

// As MS-MPI finds them: it sends without copying only if both are there.
Change find(const char* name) {
    HMODULE const kernel = GetModuleHandle(TEXT("kernel32.dll"));
    return reinterpret_cast<Change>(reinterpret_cast<void*>(GetProcAddress(kernel, name)));
}

class SecureMemory : public testing::Test {
protected:
    SecureMemory() {
        told.clear();
        EXPECT_NE(add_, nullptr);
        EXPECT_NE(remove_, nullptr);
        EXPECT_TRUE(add_(note));
    }
    ~SecureMemory() override { EXPECT_TRUE(remove_(note)); }

    const Change add_ = find("AddSecureMemoryCacheCallback");
    const Change remove_ = find("RemoveSecureMemoryCacheCallback");
};

TEST_F(SecureMemory, IsToldOfWhenVirtualFreeGivesItBack) {
    void* const memory = VirtualAlloc(nullptr, 100'000, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    ASSERT_NE(memory, nullptr);
    EXPECT_FALSE(VirtualFree(memory, 100, MEM_RELEASE)) << "not so";
    EXPECT_FALSE(VirtualFree(static_cast<char*>(memory) + 4096, 0, MEM_RELEASE));
    EXPECT_TRUE(told.empty()) << "what stays is not told of";
    EXPECT_TRUE(VirtualFree(memory, 0, MEM_RELEASE));
    EXPECT_EQ(told, (Ranges{{memory, 102'400}}));
}

TEST_F(SecureMemory, IsToldOfWhenPagesAreDecommitted) {
    auto* const memory = static_cast<char*>(VirtualAlloc(nullptr, 65'536, MEM_RESERVE, PAGE_NOACCESS));
    ASSERT_EQ(VirtualAlloc(memory, 65'536, MEM_COMMIT, PAGE_READWRITE), memory);
    EXPECT_TRUE(VirtualFree(memory + 8192, 4096, MEM_DECOMMIT));
    EXPECT_EQ(told, (Ranges{{memory + 8192, 4096}}));
    EXPECT_TRUE(VirtualAlloc(memory + 8192, 4096, MEM_COMMIT, PAGE_READWRITE));
    EXPECT_TRUE(VirtualFree(memory, 0, MEM_RELEASE));
    EXPECT_EQ(told.back(), (std::pair<PVOID, SIZE_T>{memory, 65'536}));
}

TEST_F(SecureMemory, IsToldOfWhenAHeapGivesItBack) {
    const HANDLE heap = GetProcessHeap();
    void* const large = HeapAlloc(heap, 0, 200'000);
    void* const small = HeapAlloc(heap, 0, 1000);
    EXPECT_TRUE(HeapFree(heap, 0, small));
    EXPECT_TRUE(told.empty()) << "pages that stay";
    EXPECT_TRUE(HeapFree(heap, 0, large));
    EXPECT_EQ(told, (Ranges{{large, 200'000}}));
}

// A program may have registered all that was there once.
TEST_F(SecureMemory, IsToldOfWhollyThoughABlockShrankBefore) {
    const HANDLE heap = GetProcessHeap();
    void* const memory = HeapAlloc(heap, 0, 200'000);
    ASSERT_EQ(HeapReAlloc(heap, HEAP_REALLOC_IN_PLACE_ONLY, memory, 10), memory);
    EXPECT_TRUE(HeapFree(heap, 0, memory));
    EXPECT_EQ(told, (Ranges{{memory, 200'000}}));
}

TEST_F(SecureMemory, IsToldOfWhenABlockMovesOrItsHeapEnds) {
    const HANDLE heap = HeapCreate(0, 0, 0);
    void* const before = HeapAlloc(heap, 0, 100'000);
    void* const after = HeapReAlloc(heap, 0, before, 300'000);
    ASSERT_NE(after, before);
    EXPECT_EQ(told, (Ranges{{before, 100'000}}));
    EXPECT_TRUE(HeapDestroy(heap));
    EXPECT_EQ(told, (Ranges{{before, 100'000}, {after, 300'000}}));
}

TEST_F(SecureMemory, CountsHowOftenACallbackWasAdded) {
    EXPECT_TRUE(add_(note));
    HeapFree(GetProcessHeap(), 0, HeapAlloc(GetProcessHeap(), 0, 100'000));
    EXPECT_EQ(told.size(), 2u);
    EXPECT_TRUE(remove_(note));
    HeapFree(GetProcessHeap(), 0, HeapAlloc(GetProcessHeap(), 0, 100'000));
    EXPECT_EQ(told.size(), 3u);
}

TEST(SecureMemoryCallbacks, AreRefusedWhereThereAreNone) {
    EXPECT_FALSE(AddSecureMemoryCacheCallback(nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_FALSE(RemoveSecureMemoryCacheCallback(note));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

}  // namespace
}  // namespace opennd
