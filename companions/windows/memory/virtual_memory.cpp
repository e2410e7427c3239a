// SPDX-License-Identifier: MIT
// VirtualAlloc and its kin. A reservation is a mapping without access; to commit is to allow access, to decommit is to
// drop the pages and forbid it again.
#include "win32/virtual_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string>

#include "opennd.h"
#include "windows/last_error.h"
#include "windows/memory/secure_memory.h"
#include "windows/memory/views.h"

namespace opennd::windows {
namespace {

using Address = std::uintptr_t;

Address number(const void* address) { return reinterpret_cast<Address>(address); }
void* pointer(Address address) { return reinterpret_cast<void*>(address); }

struct Pages {
    Address begin = 0;
    Address end = 0;
};

// Whole pages, as Windows rounds: from the one that holds the first byte to the one that holds the last.
Pages pages_of(Address address, SIZE_T bytes) {
    const Address page = static_cast<Address>(sysconf(_SC_PAGESIZE));
    return {address / page * page, (address + bytes + page - 1) / page * page};
}

std::optional<int> system_protection(DWORD protection) {
    switch (protection) {
        case PAGE_NOACCESS: return PROT_NONE;
        case PAGE_READONLY: return PROT_READ;
        case PAGE_READWRITE: return PROT_READ | PROT_WRITE;
        default: return std::nullopt;
    }
}

// A block of VirtualAlloc.
struct Allocation {
    SIZE_T bytes;
    bool mappable;  // from opennd_memory_allocate; otherwise a reservation
};

class Allocations {
public:
    void* allocate(SIZE_T bytes, int protection) {
        const Pages pages = pages_of(0, bytes);
        void* memory = nullptr;
        if (const HRESULT status = opennd_memory_allocate(pages.end, &memory); FAILED(status))
            return fail(win32_error(status), static_cast<void*>(nullptr));
        mprotect(memory, pages.end, protection);
        return keep(memory, {pages.end, true});
    }

    void* reserve(void* address, SIZE_T bytes) {
        const Pages pages = pages_of(number(address), bytes);
        const int at = address != nullptr ? MAP_FIXED_NOREPLACE : 0;
        void* const memory = mmap(pointer(pages.begin), pages.end - pages.begin, PROT_NONE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | at, -1, 0);
        if (memory == MAP_FAILED)
            return fail(DWORD(address != nullptr ? ERROR_INVALID_ADDRESS : ERROR_NOT_ENOUGH_MEMORY),
                        static_cast<void*>(nullptr));
        return keep(memory, {pages.end - pages.begin, false});
    }

    void* commit(void* address, SIZE_T bytes, int protection) {
        const std::lock_guard held(mutex_);
        const Pages pages = pages_of(number(address), bytes);
        if (!is_reserved(pages)) return fail(ERROR_INVALID_ADDRESS, static_cast<void*>(nullptr));
        if (mprotect(pointer(pages.begin), pages.end - pages.begin, protection) != 0)
            return fail(ERROR_NOT_ENOUGH_MEMORY, static_cast<void*>(nullptr));
        return pointer(pages.begin);
    }

    BOOL decommit(void* address, SIZE_T bytes) {
        const std::lock_guard held(mutex_);
        const auto found = by_address_.find(number(address));
        if (bytes == 0) bytes = found != by_address_.end() ? found->second.bytes : 0;
        const Pages pages = pages_of(number(address), bytes);
        if (bytes == 0 || !is_reserved(pages)) return fail(ERROR_INVALID_ADDRESS, FALSE);
        // Mapped anew: the pages are gone, and later commits start zeroed.
        mmap(pointer(pages.begin), pages.end - pages.begin, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        return TRUE;
    }

    BOOL release(void* address) {
        const std::lock_guard held(mutex_);
        const auto found = by_address_.find(number(address));
        if (found == by_address_.end()) return fail(ERROR_INVALID_ADDRESS, FALSE);
        if (found->second.mappable) {
            mprotect(address, found->second.bytes, PROT_READ | PROT_WRITE);  // as it was given
            opennd_memory_free(address);
        } else {
            munmap(address, found->second.bytes);
        }
        by_address_.erase(found);
        return TRUE;
    }

    // The pages that VirtualFree is about to give back, for the callbacks; empty: it will refuse.
    Pages about_to_go(void* address, SIZE_T bytes, bool all) const {
        const std::lock_guard held(mutex_);
        const auto found = by_address_.find(number(address));
        if (bytes == 0 && found == by_address_.end()) return {};
        if (bytes == 0) bytes = found->second.bytes;
        const Pages pages = pages_of(number(address), bytes);
        return all || is_reserved(pages) ? pages : Pages{};
    }

    // The beginning of the allocation that the address is in; 0: none.
    Address base_of(Address address) const {
        const std::lock_guard held(mutex_);
        const auto found = find(address);
        return found != by_address_.end() ? found->first : 0;
    }

private:
    using Map = std::map<Address, Allocation>;

    void* keep(void* memory, const Allocation& allocation) {
        const std::lock_guard held(mutex_);
        try {
            by_address_.emplace(number(memory), allocation);
            return memory;
        } catch (const std::bad_alloc&) {
            if (allocation.mappable)
                opennd_memory_free(memory);
            else
                munmap(memory, allocation.bytes);
            return fail(ERROR_NOT_ENOUGH_MEMORY, static_cast<void*>(nullptr));
        }
    }

    Map::const_iterator find(Address address) const {
        auto next = by_address_.upper_bound(address);
        if (next == by_address_.begin()) return by_address_.end();
        --next;
        return address < next->first + next->second.bytes ? next : by_address_.end();
    }

    bool is_reserved(const Pages& pages) const {
        const auto found = find(pages.begin);
        return found != by_address_.end() && !found->second.mappable && pages.end <= found->first + found->second.bytes;
    }

    mutable std::mutex mutex_;
    Map by_address_;
};

Allocations& allocations() {
    static auto* const allocations = new Allocations;  // never destroyed: programs free memory while they exit
    return *allocations;
}

struct Mapping {
    Pages pages;
    DWORD protection;
};

DWORD protection_of(const char* access) {
    if (access[1] == 'w') return PAGE_READWRITE;
    return access[0] == 'r' ? PAGE_READONLY : PAGE_NOACCESS;
}

// The mapping that holds the address, with those of the same kind that follow; or the hole that it is in, which has no
// protection.
Mapping mapping_around(Address address, Address end_of_program) {
    std::ifstream maps("/proc/self/maps");
    Address hole = 0;
    std::optional<Mapping> found;
    for (std::string line; std::getline(maps, line);) {
        Address begin = 0, end = 0;
        char access[5] = {};
        if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, access) != 3) continue;
        if (found) {
            if (begin != found->pages.end || protection_of(access) != found->protection) return *found;
            found->pages.end = end;
        } else if (address < begin) {
            return {{hole, begin}, 0};
        } else if (address < end) {
            found = {{begin, end}, protection_of(access)};
        }
        hole = end;
    }
    return found ? *found : Mapping{{hole, end_of_program}, 0};
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

LPVOID VirtualAlloc(LPVOID lpAddress, SIZE_T dwSize, DWORD flAllocationType, DWORD flProtect) {
    const std::optional<int> protection = system_protection(flProtect);
    if (dwSize == 0 || !protection) return fail(ERROR_INVALID_PARAMETER, LPVOID{});
    if (flAllocationType == (MEM_RESERVE | MEM_COMMIT) || (flAllocationType == MEM_COMMIT && lpAddress == nullptr))
        return lpAddress == nullptr ? allocations().allocate(dwSize, *protection)
                                    : fail(ERROR_INVALID_PARAMETER, LPVOID{});
    if (flAllocationType == MEM_RESERVE) return allocations().reserve(lpAddress, dwSize);
    if (flAllocationType == MEM_COMMIT) return allocations().commit(lpAddress, dwSize, *protection);
    return fail(ERROR_INVALID_PARAMETER, LPVOID{});
}

BOOL VirtualFree(LPVOID lpAddress, SIZE_T dwSize, DWORD dwFreeType) {
    const bool all = dwFreeType == MEM_RELEASE && dwSize == 0;
    if (!all && dwFreeType != MEM_DECOMMIT) return fail(ERROR_INVALID_PARAMETER, FALSE);
    const Pages going = allocations().about_to_go(lpAddress, dwSize, all);
    if (going.begin != going.end) tell_that_memory_goes(pointer(going.begin), going.end - going.begin);
    return all ? allocations().release(lpAddress) : allocations().decommit(lpAddress, dwSize);
}

SIZE_T VirtualQuery(LPCVOID lpAddress, PMEMORY_BASIC_INFORMATION lpBuffer, SIZE_T dwLength) {
    constexpr Address kEndOfProgram = Address{1} << 47;
    const Address address = pages_of(number(lpAddress), 1).begin;
    if (lpBuffer == nullptr || dwLength < sizeof *lpBuffer || address >= kEndOfProgram)
        return fail(ERROR_INVALID_PARAMETER, SIZE_T{0});
    const Mapping mapping = mapping_around(address, kEndOfProgram);
    *lpBuffer = {};
    lpBuffer->BaseAddress = pointer(address);
    lpBuffer->RegionSize = mapping.pages.end - address;
    if (mapping.protection == 0) {
        lpBuffer->State = MEM_FREE;
        lpBuffer->Protect = PAGE_NOACCESS;
        return sizeof *lpBuffer;
    }
    const std::optional<View> view = find_view(address);
    const Address base = view ? view->begin : allocations().base_of(address);
    if (view && view->begin + view->bytes < mapping.pages.end)
        lpBuffer->RegionSize = view->begin + view->bytes - address;
    lpBuffer->AllocationBase = pointer(base != 0 ? base : mapping.pages.begin);
    lpBuffer->AllocationProtect = mapping.protection;
    lpBuffer->State = mapping.protection == PAGE_NOACCESS ? MEM_RESERVE : MEM_COMMIT;
    lpBuffer->Protect = lpBuffer->State == MEM_COMMIT ? mapping.protection : 0;
    lpBuffer->Type = view ? MEM_MAPPED : MEM_PRIVATE;
    return sizeof *lpBuffer;
}
