// SPDX-License-Identifier: MIT
// WaitOnAddress: words of any size share a few counters of wakes, chosen by address. A shared counter causes spurious
// wakes now and then, which callers must expect anyway.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "win32/locks.h"
#include "windows/last_error.h"
#include "windows/sync/futex.h"

using namespace opennd::windows;

namespace {

struct alignas(64) Wakes {
    DWORD count = 0;
};
constinit std::array<Wakes, 64> wakes;

DWORD& wakes_at(const volatile void* address) {
    const auto number = reinterpret_cast<std::uintptr_t>(const_cast<const void*>(address));
    return wakes[(number >> 3 ^ number >> 12) % wakes.size()].count;
}

template <typename Word>
bool equals(const volatile void* address, const void* compare) {
    Word expected;
    std::memcpy(&expected, compare, sizeof expected);
    auto& word = *static_cast<Word*>(const_cast<void*>(address));
    return std::atomic_ref<Word>(word).load() == expected;
}

bool equals(const volatile void* address, const void* compare, SIZE_T bytes) {
    switch (bytes) {
        case 1: return equals<std::uint8_t>(address, compare);
        case 2: return equals<std::uint16_t>(address, compare);
        case 4: return equals<std::uint32_t>(address, compare);
        default: return equals<std::uint64_t>(address, compare);
    }
}

}  // namespace

BOOL WaitOnAddress(volatile VOID* Address, PVOID CompareAddress, SIZE_T AddressSize, DWORD dwMilliseconds) {
    if (!std::has_single_bit(AddressSize) || AddressSize > 8) return fail(ERROR_INVALID_PARAMETER, FALSE);
    const Deadline deadline(dwMilliseconds);
    DWORD& count = wakes_at(Address);
    const DWORD before = atomic(count).load();
    if (!equals(Address, CompareAddress, AddressSize)) return TRUE;
    return futex_wait(count, before, deadline) ? TRUE : fail(ERROR_TIMEOUT, FALSE);
}

// All: somebody else may share the counter, and one wake must reach the right thread.
VOID WakeByAddressSingle(PVOID Address) { WakeByAddressAll(Address); }

VOID WakeByAddressAll(PVOID Address) {
    DWORD& count = wakes_at(Address);
    atomic(count).fetch_add(1);
    futex_wake_all(count);
}
