// SPDX-License-Identifier: MIT
// File mappings and their views.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <windows.h>

#include <cstring>
#include <string>

#include "temporary_file.h"

namespace opennd {
namespace {

const SIZE_T kPage = static_cast<SIZE_T>(sysconf(_SC_PAGESIZE));

HANDLE map_memory(DWORD protection, SIZE_T bytes) {
    return CreateFileMapping(INVALID_HANDLE_VALUE, nullptr, protection, 0, static_cast<DWORD>(bytes), nullptr);
}

template <typename Result>
void expect_refused(Result result, DWORD error) {
    EXPECT_EQ(result, Result{});
    EXPECT_EQ(GetLastError(), error);
}

TEST(FileMapping, OfMemoryIsZeroedAndSharedByItsViews) {
    SetLastError(ERROR_INVALID_HANDLE);
    const HANDLE mapping = map_memory(PAGE_READWRITE, 3 * kPage);
    ASSERT_NE(mapping, nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_SUCCESS});
    auto* const one = static_cast<char*>(MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, 0));
    auto* const other = static_cast<char*>(MapViewOfFile(mapping, FILE_MAP_READ, 0, static_cast<DWORD>(kPage), 10));
    ASSERT_TRUE(one != nullptr && other != nullptr);
    EXPECT_EQ(one[3 * kPage - 1], 0);
    std::strcpy(one + kPage, "shared");
    EXPECT_STREQ(other, "shared");
    EXPECT_TRUE(CloseHandle(mapping)) << "views outlive it";
    one[kPage] = 'S';
    EXPECT_STREQ(other, "Shared");
    EXPECT_TRUE(UnmapViewOfFile(one));
    EXPECT_STREQ(other, "Shared");
    EXPECT_TRUE(UnmapViewOfFile(other));
    expect_refused(UnmapViewOfFile(other), ERROR_INVALID_ADDRESS);
}

TEST(FileMapping, ReachesAChildOfFork) {
    const HANDLE mapping = map_memory(PAGE_READWRITE | SEC_COMMIT, kPage);
    auto* const view = static_cast<volatile int*>(MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, 0));
    const pid_t child = fork();
    if (child == 0) {
        *view = 42;
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    EXPECT_EQ(*view, 42);
    EXPECT_TRUE(UnmapViewOfFile(const_cast<int*>(view)));
    CloseHandle(mapping);
}

TEST(FileMapping, OfAFileReadsAndWritesIt) {
    const TemporaryFile place("0123456789");
    const HANDLE file = place.open(GENERIC_READ | GENERIC_WRITE);
    const HANDLE mapping = CreateFileMapping(file, nullptr, PAGE_READWRITE, 0, 0, nullptr);
    ASSERT_NE(mapping, nullptr);
    CloseHandle(file);
    auto* const view = static_cast<char*>(MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, 0));
    ASSERT_NE(view, nullptr);
    EXPECT_EQ(std::string(view, 10), "0123456789");
    view[0] = 'x';
    EXPECT_EQ(place.content(), "x123456789");
    auto* const copy = static_cast<char*>(MapViewOfFile(mapping, FILE_MAP_COPY, 0, 0, 0));
    copy[1] = 'y';
    EXPECT_EQ(place.content(), "x123456789") << "a copy is this view's alone";
    UnmapViewOfFile(copy);
    UnmapViewOfFile(view);
    CloseHandle(mapping);
}

TEST(FileMapping, MakesAFileLarger) {
    const TemporaryFile place("01");
    const HANDLE file = place.open(GENERIC_READ | GENERIC_WRITE);
    const HANDLE mapping = CreateFileMappingW(file, nullptr, PAGE_READWRITE, 0, 5, nullptr);
    ASSERT_NE(mapping, nullptr);
    EXPECT_EQ(place.content(), std::string("01\0\0\0", 5));
    expect_refused(CreateFileMapping(file, nullptr, PAGE_READONLY, 0, 6, nullptr), ERROR_NOT_ENOUGH_MEMORY);
    expect_refused(CreateFileMapping(file, nullptr, PAGE_READWRITE, 0x7FFFFFFF, 0xFFFFFFFF, nullptr), ERROR_DISK_FULL);
    CloseHandle(mapping);
    CloseHandle(file);
}

TEST(FileMapping, AllowsWhatItsProtectionAndItsFileAllow) {
    const TemporaryFile place("0123456789");
    const HANDLE reader = place.open(GENERIC_READ);
    const HANDLE writer = place.open(GENERIC_WRITE);
    expect_refused(CreateFileMapping(reader, nullptr, PAGE_READWRITE, 0, 0, nullptr), ERROR_ACCESS_DENIED);
    expect_refused(CreateFileMapping(writer, nullptr, PAGE_READONLY, 0, 0, nullptr), ERROR_ACCESS_DENIED);
    for (const DWORD protection : {PAGE_READONLY, PAGE_WRITECOPY}) {
        const HANDLE mapping = CreateFileMapping(reader, nullptr, protection, 0, 0, nullptr);
        expect_refused(MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, 0), ERROR_ACCESS_DENIED);
        expect_refused(MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, 0), ERROR_ACCESS_DENIED);
        expect_refused(MapViewOfFile(mapping, FILE_MAP_READ | FILE_MAP_EXECUTE, 0, 0, 0), ERROR_ACCESS_DENIED);
        void* const view = MapViewOfFile(mapping, FILE_MAP_COPY, 0, 0, 0);
        ASSERT_NE(view, nullptr);
        *static_cast<char*>(view) = 'x';
        UnmapViewOfFile(view);
        CloseHandle(mapping);
    }
    EXPECT_EQ(place.content(), "0123456789");
    const HANDLE memory = map_memory(PAGE_READONLY, kPage);
    expect_refused(MapViewOfFile(memory, FILE_MAP_WRITE, 0, 0, 0), ERROR_ACCESS_DENIED);
    CloseHandle(memory);
    CloseHandle(reader);
    CloseHandle(writer);
}

#if defined(__x86_64__)
TEST(FileMapping, MayHoldCode) {
    const HANDLE mapping = map_memory(PAGE_EXECUTE_READWRITE, kPage);
    void* const view = MapViewOfFile(mapping, FILE_MAP_WRITE | FILE_MAP_EXECUTE, 0, 0, 0);
    ASSERT_NE(view, nullptr);
    std::memcpy(view, "\xB8\x2A\x00\x00\x00\xC3", 6);  // mov eax, 42; ret
    EXPECT_EQ(reinterpret_cast<int (*)()>(view)(), 42);
    UnmapViewOfFile(view);
    CloseHandle(mapping);
}
#endif

TEST(FileMapping, IsMappedAtAPlace) {
    const HANDLE mapping = map_memory(PAGE_READWRITE, 2 * kPage);
    void* const free = VirtualAlloc(nullptr, 2 * kPage, MEM_RESERVE, PAGE_NOACCESS);
    expect_refused(MapViewOfFileEx(mapping, FILE_MAP_WRITE, 0, 0, 0, free), ERROR_INVALID_ADDRESS);
    VirtualFree(free, 0, MEM_RELEASE);
    EXPECT_EQ(MapViewOfFileEx(mapping, FILE_MAP_WRITE, 0, 0, 0, free), free);
    expect_refused(MapViewOfFileEx(mapping, FILE_MAP_WRITE, 0, 0, 0, static_cast<char*>(free) + 8),
                   ERROR_MAPPED_ALIGNMENT);
    EXPECT_TRUE(UnmapViewOfFile(free));
    CloseHandle(mapping);
}

TEST(FileMapping, IsSeenByVirtualQuery) {
    const HANDLE mapping = map_memory(PAGE_READWRITE, 3 * kPage);
    auto* const view = static_cast<char*>(MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, kPage + 1));
    MEMORY_BASIC_INFORMATION about{};
    EXPECT_EQ(VirtualQuery(view + kPage, &about, sizeof about), sizeof about);
    EXPECT_EQ(about.AllocationBase, view);
    EXPECT_EQ(about.BaseAddress, view + kPage);
    EXPECT_EQ(about.RegionSize, kPage);
    EXPECT_EQ(about.Type, DWORD{MEM_MAPPED});
    EXPECT_EQ(about.Protect, DWORD{PAGE_READWRITE});
    UnmapViewOfFile(view);
    CloseHandle(mapping);
}

void* told_address = nullptr;
SIZE_T told_bytes = 0;
BOOLEAN CALLBACK tell(PVOID address, SIZE_T bytes) {
    told_address = address;
    told_bytes = bytes;
    return TRUE;
}

TEST(FileMapping, TellsOfAViewThatGoes) {
    const HANDLE mapping = map_memory(PAGE_READWRITE, 16 * kPage);
    void* const view = MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, 0);
    EXPECT_TRUE(AddSecureMemoryCacheCallback(tell));
    EXPECT_TRUE(UnmapViewOfFile(view));
    EXPECT_EQ(told_address, view);
    EXPECT_EQ(told_bytes, 16 * kPage);
    EXPECT_TRUE(RemoveSecureMemoryCacheCallback(tell));
    CloseHandle(mapping);
}

TEST(FileMapping, ThatCannotBeIsRefused) {
    const TemporaryFile place("");
    const HANDLE file = place.open(GENERIC_READ | GENERIC_WRITE);
    const HANDLE event = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    expect_refused(CreateFileMappingA(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, 1, "name"),
                   ERROR_NOT_SUPPORTED);
    expect_refused(map_memory(PAGE_READWRITE, 0), ERROR_INVALID_PARAMETER);
    expect_refused(map_memory(PAGE_NOACCESS, kPage), ERROR_INVALID_PARAMETER);
    expect_refused(CreateFileMapping(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0x80000000, 0, nullptr),
                   ERROR_INVALID_PARAMETER);
    expect_refused(CreateFileMapping(file, nullptr, PAGE_READWRITE, 0, 0, nullptr), ERROR_FILE_INVALID);
    expect_refused(CreateFileMapping(event, nullptr, PAGE_READWRITE, 0, 1, nullptr), ERROR_INVALID_HANDLE);
    expect_refused(MapViewOfFile(event, FILE_MAP_READ, 0, 0, 0), ERROR_INVALID_HANDLE);
    const HANDLE mapping = map_memory(PAGE_READWRITE, 2 * kPage);
    expect_refused(MapViewOfFile(mapping, 0, 0, 0, 0), ERROR_INVALID_PARAMETER);
    expect_refused(MapViewOfFile(mapping, FILE_MAP_READ, 0, 1, 0), ERROR_MAPPED_ALIGNMENT);
    expect_refused(MapViewOfFile(mapping, FILE_MAP_READ, 0, static_cast<DWORD>(kPage), kPage + 1), ERROR_ACCESS_DENIED);
    expect_refused(MapViewOfFile(mapping, FILE_MAP_READ, 1, 0, 0), ERROR_ACCESS_DENIED);
    for (const HANDLE handle : {file, event, mapping}) CloseHandle(handle);
}

}  // namespace
}  // namespace opennd
