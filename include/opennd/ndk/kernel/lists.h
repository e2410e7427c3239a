/* SPDX-License-Identifier: MIT
 *
 * lists.h: rings of LIST_ENTRY and stacks of SINGLE_LIST_ENTRY. Links that do not agree, as after an
 * entry was removed twice, are reported, and the entry is then left where it is.
 */
#ifndef OPENND_KERNEL_LISTS_H
#define OPENND_KERNEL_LISTS_H

#include "checking.h"
#include "locks.h"

/* ---- rings ------------------------------------------------------------------------------------------------------- */

FORCEINLINE VOID InitializeListHead(PLIST_ENTRY ListHead) { ListHead->Flink = ListHead->Blink = ListHead; }

FORCEINLINE BOOLEAN IsListEmpty(const LIST_ENTRY* ListHead) { return ListHead->Flink == ListHead; }

/* Between two that are neighbours. */
FORCEINLINE VOID opennd_wdm_link(PLIST_ENTRY before, PLIST_ENTRY entry, PLIST_ENTRY after, const char* function) {
    if (before->Flink != after || after->Blink != before) {
        opennd_wdm_list_broken(before, function);
        return;
    }
    entry->Flink = after;
    entry->Blink = before;
    after->Blink = entry;
    before->Flink = entry;
}

FORCEINLINE VOID InsertHeadList(PLIST_ENTRY ListHead, PLIST_ENTRY Entry) {
    opennd_wdm_link(ListHead, Entry, ListHead->Flink, "InsertHeadList");
}

FORCEINLINE VOID InsertTailList(PLIST_ENTRY ListHead, PLIST_ENTRY Entry) {
    opennd_wdm_link(ListHead->Blink, Entry, ListHead, "InsertTailList");
}

/* TRUE: the list is empty now. */
FORCEINLINE BOOLEAN RemoveEntryList(PLIST_ENTRY Entry) {
    PLIST_ENTRY after = Entry->Flink;
    PLIST_ENTRY before = Entry->Blink;
    if (after->Blink != Entry || before->Flink != Entry) {
        opennd_wdm_list_broken(Entry, "RemoveEntryList");
        return FALSE;
    }
    before->Flink = after;
    after->Blink = before;
    return after == before;
}

/* The entry; the head itself: the list is empty. */
FORCEINLINE PLIST_ENTRY RemoveHeadList(PLIST_ENTRY ListHead) {
    PLIST_ENTRY entry = ListHead->Flink;
    RemoveEntryList(entry);
    return entry;
}

FORCEINLINE PLIST_ENTRY RemoveTailList(PLIST_ENTRY ListHead) {
    PLIST_ENTRY entry = ListHead->Blink;
    RemoveEntryList(entry);
    return entry;
}

/* The ring of ListToAppend, without a head of its own. */
FORCEINLINE VOID AppendTailList(PLIST_ENTRY ListHead, PLIST_ENTRY ListToAppend) {
    PLIST_ENTRY end = ListHead->Blink;
    ListHead->Blink->Flink = ListToAppend;
    ListHead->Blink = ListToAppend->Blink;
    ListToAppend->Blink->Flink = ListHead;
    ListToAppend->Blink = end;
}

/* ---- stacks ------------------------------------------------------------------------------------------------------ */

FORCEINLINE VOID PushEntryList(PSINGLE_LIST_ENTRY ListHead, PSINGLE_LIST_ENTRY Entry) {
    Entry->Next = ListHead->Next;
    ListHead->Next = Entry;
}

/* NULL: empty. */
FORCEINLINE PSINGLE_LIST_ENTRY PopEntryList(PSINGLE_LIST_ENTRY ListHead) {
    PSINGLE_LIST_ENTRY first = ListHead->Next;
    if (first != NULL) ListHead->Next = first->Next;
    return first;
}

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- under a lock, which the caller does not hold; any level ------------------------------------------------------- */

/* The first (the last) entry before; NULL: the list was empty. */
PLIST_ENTRY NTAPI ExInterlockedInsertHeadList(PLIST_ENTRY ListHead, PLIST_ENTRY ListEntry, PKSPIN_LOCK Lock);
PLIST_ENTRY NTAPI ExInterlockedInsertTailList(PLIST_ENTRY ListHead, PLIST_ENTRY ListEntry, PKSPIN_LOCK Lock);
/* NULL: empty. */
PLIST_ENTRY NTAPI ExInterlockedRemoveHeadList(PLIST_ENTRY ListHead, PKSPIN_LOCK Lock);
PSINGLE_LIST_ENTRY NTAPI ExInterlockedPushEntryList(PSINGLE_LIST_ENTRY ListHead, PSINGLE_LIST_ENTRY ListEntry,
                                                    PKSPIN_LOCK Lock);
PSINGLE_LIST_ENTRY NTAPI ExInterlockedPopEntryList(PSINGLE_LIST_ENTRY ListHead, PKSPIN_LOCK Lock);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
