// SPDX-License-Identifier: MIT
// Interlocked lists. Only the holder of the list's lock takes entries off, so that the first entry is still there, and
// still the same, when a pop reads its link and when it exchanges it for the next: an entry that was popped, freed or
// pushed again meanwhile (the ABA problem) cannot be. A push needs no lock: it reads no entry.
#include "win32/interlocked_lists.h"

#include <atomic>

#include "windows/sync/futex_lock.h"

using namespace opennd::windows;

namespace {

constexpr DWORD kLooks = 100;  // then a pop sleeps

std::atomic_ref<PSLIST_ENTRY> first(SLIST_HEADER& list) { return std::atomic_ref<PSLIST_ENTRY>(list.opennd_first); }

class Popping {
public:
    explicit Popping(SLIST_HEADER& list) : list_(list) { take(list_.opennd_pops, kLooks); }
    ~Popping() { leave(list_.opennd_pops); }
    Popping(const Popping&) = delete;
    Popping& operator=(const Popping&) = delete;

private:
    SLIST_HEADER& list_;
};

}  // namespace

VOID InitializeSListHead(PSLIST_HEADER ListHead) { *ListHead = {}; }

PSLIST_ENTRY InterlockedPushEntrySList(PSLIST_HEADER ListHead, PSLIST_ENTRY ListEntry) {
    atomic(ListHead->opennd_depth).fetch_add(1);  // before a pop can count the entry
    PSLIST_ENTRY before = first(*ListHead).load(std::memory_order_relaxed);
    do ListEntry->Next = before;
    while (!first(*ListHead).compare_exchange_weak(before, ListEntry));
    return before;
}

PSLIST_ENTRY InterlockedPopEntrySList(PSLIST_HEADER ListHead) {
    const Popping popping(*ListHead);
    PSLIST_ENTRY entry = first(*ListHead).load();
    while (entry != nullptr && !first(*ListHead).compare_exchange_weak(entry, entry->Next)) {
    }
    if (entry != nullptr) atomic(ListHead->opennd_depth).fetch_sub(1);
    return entry;
}

PSLIST_ENTRY InterlockedFlushSList(PSLIST_HEADER ListHead) {
    const Popping popping(*ListHead);
    const PSLIST_ENTRY entries = first(*ListHead).exchange(nullptr);
    DWORD count = 0;
    for (const SLIST_ENTRY* entry = entries; entry != nullptr; entry = entry->Next) ++count;
    atomic(ListHead->opennd_depth).fetch_sub(count);
    return entries;
}

USHORT QueryDepthSList(PSLIST_HEADER ListHead) {
    return static_cast<USHORT>(atomic(ListHead->opennd_depth).load(std::memory_order_relaxed));
}
