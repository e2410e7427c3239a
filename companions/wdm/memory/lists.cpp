// SPDX-License-Identifier: MIT
// Lists under a lock of the caller's.
#include "kernel/lists.h"

#include "wdm/sync/spin_lock.h"

namespace {

// At any level, which stays as it is: the holder is not interrupted here.
class Held {
public:
    Held(PKSPIN_LOCK lock, const char* call) : lock_(*lock), call_(call) {
        opennd::wdm::acquire(lock_, "spin lock of a list", call);
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() { opennd::wdm::release(lock_, "spin lock of a list", call_); }

private:
    KSPIN_LOCK& lock_;
    const char* const call_;
};

PLIST_ENTRY null_if_head(PLIST_ENTRY entry, PLIST_ENTRY head) { return entry == head ? nullptr : entry; }

}  // namespace

PLIST_ENTRY ExInterlockedInsertHeadList(PLIST_ENTRY ListHead, PLIST_ENTRY ListEntry, PKSPIN_LOCK Lock) {
    const Held held(Lock, "ExInterlockedInsertHeadList");
    PLIST_ENTRY const before = ListHead->Flink;
    InsertHeadList(ListHead, ListEntry);
    return null_if_head(before, ListHead);
}

PLIST_ENTRY ExInterlockedInsertTailList(PLIST_ENTRY ListHead, PLIST_ENTRY ListEntry, PKSPIN_LOCK Lock) {
    const Held held(Lock, "ExInterlockedInsertTailList");
    PLIST_ENTRY const before = ListHead->Blink;
    InsertTailList(ListHead, ListEntry);
    return null_if_head(before, ListHead);
}

PLIST_ENTRY ExInterlockedRemoveHeadList(PLIST_ENTRY ListHead, PKSPIN_LOCK Lock) {
    const Held held(Lock, "ExInterlockedRemoveHeadList");
    return null_if_head(RemoveHeadList(ListHead), ListHead);
}

PSINGLE_LIST_ENTRY ExInterlockedPushEntryList(PSINGLE_LIST_ENTRY ListHead, PSINGLE_LIST_ENTRY ListEntry,
                                              PKSPIN_LOCK Lock) {
    const Held held(Lock, "ExInterlockedPushEntryList");
    PSINGLE_LIST_ENTRY const before = ListHead->Next;
    PushEntryList(ListHead, ListEntry);
    return before;
}

PSINGLE_LIST_ENTRY ExInterlockedPopEntryList(PSINGLE_LIST_ENTRY ListHead, PKSPIN_LOCK Lock) {
    const Held held(Lock, "ExInterlockedPopEntryList");
    return PopEntryList(ListHead);
}
