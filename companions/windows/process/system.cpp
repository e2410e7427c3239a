// SPDX-License-Identifier: MIT
// Processors and memory of the host.
#include "win32/system.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "win32/threads.h"
#include "windows/last_error.h"

using namespace opennd::windows;

namespace {

constexpr DWORD kGroupSize = 64;

DWORD processors() { return static_cast<DWORD>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1l)); }
DWORD page_bytes() { return static_cast<DWORD>(sysconf(_SC_PAGESIZE)); }

struct Memory {
    DWORDLONG total = 0, available = 0, swap = 0, free_swap = 0;  // bytes
};

Memory memory() {
    Memory memory;
    std::ifstream lines("/proc/meminfo");
    std::string name, unit;
    for (DWORDLONG kibibytes = 0; lines >> name >> kibibytes; std::getline(lines, unit)) {
        if (name == "MemTotal:") memory.total = kibibytes * 1024;
        if (name == "MemAvailable:") memory.available = kibibytes * 1024;
        if (name == "SwapTotal:") memory.swap = kibibytes * 1024;
        if (name == "SwapFree:") memory.free_swap = kibibytes * 1024;
    }
    return memory;
}

// Of a process: half of 48 bits, which Linux gives a program unless it asks for more.
constexpr DWORDLONG kAddressSpace = DWORDLONG{1} << 47;

}  // namespace

VOID GetSystemInfo(LPSYSTEM_INFO lpSystemInfo) {
    const DWORD count = std::min(processors(), kGroupSize);
    *lpSystemInfo = {};
#if defined(__x86_64__)
    lpSystemInfo->wProcessorArchitecture = PROCESSOR_ARCHITECTURE_AMD64;
#else
    lpSystemInfo->wProcessorArchitecture = PROCESSOR_ARCHITECTURE_ARM64;
#endif
    lpSystemInfo->dwPageSize = lpSystemInfo->dwAllocationGranularity = page_bytes();
    lpSystemInfo->lpMinimumApplicationAddress = reinterpret_cast<LPVOID>(ULONG_PTR{0x10000});
    lpSystemInfo->lpMaximumApplicationAddress = reinterpret_cast<LPVOID>(kAddressSpace - page_bytes() - 1);
    lpSystemInfo->dwActiveProcessorMask = count == kGroupSize ? ~DWORD_PTR{0} : (DWORD_PTR{1} << count) - 1;
    lpSystemInfo->dwNumberOfProcessors = count;
}

BOOL GlobalMemoryStatusEx(LPMEMORYSTATUSEX lpBuffer) {
    if (lpBuffer == nullptr || lpBuffer->dwLength != sizeof *lpBuffer) return fail(ERROR_INVALID_PARAMETER, FALSE);
    const Memory found = memory();
    if (found.total == 0) return fail(ERROR_GEN_FAILURE, FALSE);
    lpBuffer->dwMemoryLoad = static_cast<DWORD>(100 - found.available * 100 / found.total);
    lpBuffer->ullTotalPhys = found.total;
    lpBuffer->ullAvailPhys = found.available;
    lpBuffer->ullTotalPageFile = found.total + found.swap;
    lpBuffer->ullAvailPageFile = found.available + found.free_swap;
    lpBuffer->ullTotalVirtual = kAddressSpace;
    lpBuffer->ullAvailVirtual = kAddressSpace;
    lpBuffer->ullAvailExtendedVirtual = 0;
    return TRUE;
}

DWORD GetActiveProcessorCount(WORD GroupNumber) {
    const DWORD count = processors();
    if (GroupNumber == ALL_PROCESSOR_GROUPS) return count;
    const DWORD before = DWORD{GroupNumber} * kGroupSize;
    return before < count ? std::min(count - before, kGroupSize) : fail(ERROR_INVALID_PARAMETER, DWORD{0});
}

WORD GetActiveProcessorGroupCount(VOID) { return static_cast<WORD>((processors() + kGroupSize - 1) / kGroupSize); }
