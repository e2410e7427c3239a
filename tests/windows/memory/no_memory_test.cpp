// SPDX-License-Identifier: MIT
// No memory left: each function that needs some says so, leaves nothing behind and throws nothing at the program.
#include <gtest/gtest.h>
#include <winsock2.h>
#include <ws2spi.h>
#include <ws2tcpip.h>

#include <evntprov.h>
#include <iphlpapi.h>
#include <shellapi.h>
#include <windows.h>

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "process/allocator.h"
#include "support/requirement.h"

namespace opennd {
namespace {

using process::AllocationLimit;
using support::proves;

constexpr std::size_t kMostAllocations = 1000;
constexpr SIZE_T kLarge = 1 << 20;  // bytes; peers can map blocks of this size

struct Call {
    const char* name;
    std::function<bool()> make;  // false: failed, and the last error says why
    std::function<void()> undo;
};

void PrintTo(const Call& call, std::ostream* out) { *out << call.name; }

HANDLE mutex() {
    static const HANDLE mutex = CreateMutexW(nullptr, FALSE, nullptr);
    return mutex;
}

SOCKET a_socket() {
    static const SOCKET socket = WSASocketW(AF_INET, SOCK_STREAM, IPPROTO_TCP, nullptr, 0, 0);
    return socket;
}

HANDLE timer() {
    static const HANDLE timer = CreateWaitableTimerW(nullptr, FALSE, nullptr);
    return timer;
}

HANDLE mapping() {
    static const HANDLE mapping = CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, 4096, nullptr);
    return mapping;
}

HANDLE file() {
    static const HANDLE file =
        CreateFileW(L"/dev/zero", GENERIC_READ, 0, nullptr, OPEN_EXISTING, FILE_FLAG_OVERLAPPED, nullptr);
    return file;
}

BOOL WINAPI ignore_event(DWORD) { return TRUE; }

PTP_WORK work = nullptr;
LPWSTR* arguments = nullptr;
char buffer[16];

class NoMemory : public testing::TestWithParam<Call> {
protected:
    NoMemory() {
        EXPECT_NE(mutex(), nullptr);
        EXPECT_NE(a_socket(), INVALID_SOCKET);
        EXPECT_TRUE(timer() && mapping() && file() != INVALID_HANDLE_VALUE);
    }
};

// Each allocation of the call fails in turn, and all after it, until there are enough.
void with_each_allocation_failing(const Call& call) {
    for (std::size_t granted = 0; granted < kMostAllocations; ++granted) {
        bool made = false;
        {
            const AllocationLimit limit(granted);
            SetLastError(ERROR_SUCCESS);
            ASSERT_NO_THROW(made = call.make()) << "with " << granted << " allocations";
        }
        if (made) return call.undo();
        const DWORD error = GetLastError();
        EXPECT_TRUE(error == ERROR_NOT_ENOUGH_MEMORY || error == ERROR_NO_SYSTEM_RESOURCES || error == WSAENOBUFS)
            << error << " with " << granted << " allocations";
    }
    FAIL() << "there are never enough";
}

TEST_P(NoMemory, IsSaidAndLeavesNothing) {
    proves("ND2-FILE-01");
    // The first call makes the objects that are kept for the next: tables, and the last explanation.
    ASSERT_TRUE(GetParam().make());
    GetParam().undo();
    with_each_allocation_failing(GetParam());
    const long alive = process::live_allocations();
    with_each_allocation_failing(GetParam());
    // Another thread frees its own start record, or the request that it carried out, which this thread's count does not
    // see.
    const std::string_view name = GetParam().name;
    if (name != "CreateThread" && name != "ReadFileEx") {
        EXPECT_EQ(process::live_allocations(), alive) << "allocations";
    }
}

// The call's object stays here for its undo; one test runs in a process at a time.
HANDLE made = nullptr;
void* memory = nullptr;
PADDRINFOW names = nullptr;
REGHANDLE registration = 0;

void close_made() { EXPECT_TRUE(CloseHandle(made)); }
bool keep(HANDLE handle) {
    made = handle;
    return handle != nullptr && handle != INVALID_HANDLE_VALUE;
}

bool list_addresses() {
    SOCKET_ADDRESS_LIST list[64];
    DWORD bytes = 0;
    return WSAIoctl(a_socket(), SIO_ADDRESS_LIST_QUERY, nullptr, 0, list, sizeof list, &bytes, nullptr, nullptr) == 0;
}

bool list_protocols() {
    WSAPROTOCOL_INFOW infos[16];
    DWORD bytes = sizeof infos;
    INT error = ERROR_SUCCESS;
    const bool listed = WSCEnumProtocols(nullptr, infos, &bytes, &error) != SOCKET_ERROR;
    SetLastError(static_cast<DWORD>(error));
    return listed;
}

bool find_provider() {
    GUID none{};
    INT length = 0;
    INT error = ERROR_SUCCESS;
    EXPECT_EQ(WSCGetProviderPath(&none, nullptr, &length, &error), SOCKET_ERROR);
    SetLastError(static_cast<DWORD>(error));
    return error == WSAEINVAL;  // looked for, and there is none such
}

bool look_up() {
    // Longer than a string without an allocation.
    return GetAddrInfoW(L"0000:0000:0000:0000:0000:0000:0000:0001", L"65535", nullptr, &names) == 0;
}

bool list_adapters() {
    ULONG bytes = 0;
    const ULONG error = GetAdaptersAddresses(AF_UNSPEC, 0, nullptr, nullptr, &bytes);
    SetLastError(error);
    return error == ERROR_BUFFER_OVERFLOW || error == ERROR_SUCCESS;
}

INSTANTIATE_TEST_SUITE_P(
    Windows, NoMemory,
    testing::Values(
        Call{"CreateMutex", [] { return keep(CreateMutexW(nullptr, FALSE, nullptr)); }, close_made},
        Call{"CreateMutexOwned", [] { return keep(CreateMutexW(nullptr, TRUE, nullptr)); },
             [] {
                 EXPECT_TRUE(ReleaseMutex(made));
                 close_made();
             }},
        Call{"DuplicateHandle",
             [] {
                 return DuplicateHandle(GetCurrentProcess(), mutex(), GetCurrentProcess(), &made, 0, FALSE,
                                        DUPLICATE_SAME_ACCESS) == TRUE;
             },
             close_made},
        Call{"WaitForSingleObject", [] { return WaitForSingleObject(mutex(), 0) == WAIT_OBJECT_0; },
             [] { EXPECT_TRUE(ReleaseMutex(mutex())); }},
        Call{"WaitForMultipleObjects",
             [] {
                 const HANDLE one = mutex();
                 return WaitForMultipleObjects(1, &one, TRUE, 0) == WAIT_OBJECT_0;
             },
             [] { EXPECT_TRUE(ReleaseMutex(mutex())); }},
        Call{"CreateThread",
             [] {
                 return keep(CreateThread(
                     nullptr, 0, [](LPVOID) -> DWORD { return 0; }, nullptr, 0, nullptr));
             },
             [] {
                 EXPECT_EQ(WaitForSingleObject(made, INFINITE), WAIT_OBJECT_0);
                 close_made();
             }},
        Call{"CreateFile",
             [] { return keep(CreateFileW(L"/dev/null", GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr)); },
             close_made},
        Call{"QueueUserAPC", [] { return QueueUserAPC([](ULONG_PTR) {}, GetCurrentThread(), 0) != 0; },
             [] { EXPECT_EQ(SleepEx(0, TRUE), DWORD{WAIT_IO_COMPLETION}); }},
        Call{"CreateWaitableTimer", [] { return keep(CreateWaitableTimerW(nullptr, FALSE, nullptr)); }, close_made},
        Call{"SetWaitableTimer",
             [] {
                 const LARGE_INTEGER due = {{0xFFFFFFFF, -2}};  // minutes from now
                 return SetWaitableTimer(
                            timer(), &due, 0, [](LPVOID, DWORD, DWORD) {}, nullptr, FALSE) != FALSE;
             },
             [] { EXPECT_TRUE(CancelWaitableTimer(timer())); }},
        Call{"CreateFileMapping",
             [] { return keep(CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, 4096, nullptr)); },
             close_made},
        Call{"MapViewOfFile", [] { return (memory = MapViewOfFile(mapping(), FILE_MAP_READ, 0, 0, 0)) != nullptr; },
             [] { EXPECT_TRUE(UnmapViewOfFile(memory)); }},
        Call{"ReadFileEx",
             [] {
                 static OVERLAPPED overlapped;
                 overlapped = {};
                 return ReadFileEx(file(), buffer, sizeof buffer, &overlapped, [](DWORD, DWORD, LPOVERLAPPED) {}) !=
                        FALSE;
             },
             [] { EXPECT_EQ(SleepEx(INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION}); }},
        Call{"CreateThreadpoolWork",
             [] {
                 work = CreateThreadpoolWork([](PTP_CALLBACK_INSTANCE, PVOID, PTP_WORK) {}, nullptr, nullptr);
                 return work != nullptr;
             },
             [] { CloseThreadpoolWork(work); }},
        Call{"CommandLineToArgvW",
             [] {
                 int count = 0;
                 return (arguments = CommandLineToArgvW(L"a \"b c\" d", &count)) != nullptr;
             },
             [] { EXPECT_EQ(LocalFree(arguments), nullptr); }},
        Call{"SetConsoleCtrlHandler", [] { return SetConsoleCtrlHandler(ignore_event, TRUE) != FALSE; },
             [] { EXPECT_TRUE(SetConsoleCtrlHandler(ignore_event, FALSE)); }},
        Call{"GetDiskFreeSpaceEx", [] { return GetDiskFreeSpaceExW(L"/", nullptr, nullptr, nullptr) != FALSE; }, [] {}},
        Call{"HeapCreate", [] { return keep(HeapCreate(0, 0, 0)); }, [] { EXPECT_TRUE(HeapDestroy(made)); }},
        Call{"HeapAlloc", [] { return (memory = HeapAlloc(GetProcessHeap(), 0, kLarge)) != nullptr; },
             [] { EXPECT_TRUE(HeapFree(GetProcessHeap(), 0, memory)); }},
        Call{"VirtualAlloc",
             [] {
                 return (memory = VirtualAlloc(nullptr, kLarge, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE)) != nullptr;
             },
             [] { EXPECT_TRUE(VirtualFree(memory, 0, MEM_RELEASE)); }},
        Call{"VirtualReserve",
             [] { return (memory = VirtualAlloc(nullptr, kLarge, MEM_RESERVE, PAGE_READWRITE)) != nullptr; },
             [] { EXPECT_TRUE(VirtualFree(memory, 0, MEM_RELEASE)); }},
        Call{"EventRegister",
             [] {
                 static const GUID id{};
                 const ULONG error = EventRegister(&id, nullptr, nullptr, &registration);
                 SetLastError(error);
                 return error == ERROR_SUCCESS;
             },
             [] { EXPECT_EQ(EventUnregister(registration), ULONG{ERROR_SUCCESS}); }},
        Call{"GetAddrInfo", look_up, [] { FreeAddrInfoW(names); }}, Call{"AddressListQuery", list_addresses, [] {}},
        Call{"EnumProtocols", list_protocols, [] {}}, Call{"GetProviderPath", find_provider, [] {}},
        Call{"GetAdaptersAddresses", list_adapters, [] {}}),
    [](const testing::TestParamInfo<Call>& call) { return std::string(call.param.name); });

}  // namespace
}  // namespace opennd
