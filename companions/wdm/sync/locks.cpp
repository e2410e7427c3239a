// SPDX-License-Identifier: MIT
// Spin locks, queued spin locks and fast mutexes: one lock, and the effect of each on the level.
#include "kernel/locks.h"

#include <string>

#include "wdm/checking/checking.h"
#include "wdm/sync/spin_lock.h"

using namespace opennd::wdm;

namespace {

constexpr const char* kSpinLock = "spin lock";
constexpr const char* kQueuedSpinLock = "queued spin lock";
constexpr const char* kFastMutex = "fast mutex";

void expect_dispatch_level(const char* kind, const void* lock, const char* call) {
    if (KeGetCurrentIrql() >= DISPATCH_LEVEL) return;
    report(OPENND_WDM_RULE_IRQL, {kind, lock},
           std::string(call) + " was called at " + name_of(KeGetCurrentIrql()) + ", and needs DISPATCH_LEVEL");
}

void release_at_dpc_level(KSPIN_LOCK& lock, const char* kind, const char* call) {
    expect_dispatch_level(kind, &lock, call);
    release(lock, kind, call);
}

// `irql`: the level before the lock was taken; KeLowerIrql reports one above the present level.
void release_and_lower(KSPIN_LOCK& lock, KIRQL irql, const char* kind, const char* call) {
    release_at_dpc_level(lock, kind, call);
    KeLowerIrql(irql);
}

}  // namespace

VOID KeInitializeSpinLock(PKSPIN_LOCK SpinLock) { *SpinLock = 0; }

KIRQL KeAcquireSpinLockRaiseToDpc(PKSPIN_LOCK SpinLock) {
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    acquire(*SpinLock, kSpinLock, "KeAcquireSpinLock");
    return before;
}

VOID KeReleaseSpinLock(PKSPIN_LOCK SpinLock, KIRQL NewIrql) {
    release_and_lower(*SpinLock, NewIrql, kSpinLock, "KeReleaseSpinLock");
}

VOID KeAcquireSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock) {
    expect_dispatch_level(kSpinLock, SpinLock, "KeAcquireSpinLockAtDpcLevel");
    acquire(*SpinLock, kSpinLock, "KeAcquireSpinLockAtDpcLevel");
}

VOID KeReleaseSpinLockFromDpcLevel(PKSPIN_LOCK SpinLock) {
    release_at_dpc_level(*SpinLock, kSpinLock, "KeReleaseSpinLockFromDpcLevel");
}

BOOLEAN KeTryToAcquireSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock) {
    expect_dispatch_level(kSpinLock, SpinLock, "KeTryToAcquireSpinLockAtDpcLevel");
    return try_acquire(*SpinLock);
}

VOID KeAcquireInStackQueuedSpinLock(PKSPIN_LOCK SpinLock, PKLOCK_QUEUE_HANDLE LockHandle) {
    LockHandle->LockQueue.Lock = SpinLock;
    LockHandle->OldIrql = KeRaiseIrqlToDpcLevel();
    acquire(*SpinLock, kQueuedSpinLock, "KeAcquireInStackQueuedSpinLock");
}

VOID KeReleaseInStackQueuedSpinLock(PKLOCK_QUEUE_HANDLE LockHandle) {
    release_and_lower(*LockHandle->LockQueue.Lock, LockHandle->OldIrql, kQueuedSpinLock,
                      "KeReleaseInStackQueuedSpinLock");
}

VOID KeAcquireInStackQueuedSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock, PKLOCK_QUEUE_HANDLE LockHandle) {
    expect_dispatch_level(kQueuedSpinLock, SpinLock, "KeAcquireInStackQueuedSpinLockAtDpcLevel");
    LockHandle->LockQueue.Lock = SpinLock;
    LockHandle->OldIrql = DISPATCH_LEVEL;
    acquire(*SpinLock, kQueuedSpinLock, "KeAcquireInStackQueuedSpinLockAtDpcLevel");
}

VOID KeReleaseInStackQueuedSpinLockFromDpcLevel(PKLOCK_QUEUE_HANDLE LockHandle) {
    release_at_dpc_level(*LockHandle->LockQueue.Lock, kQueuedSpinLock, "KeReleaseInStackQueuedSpinLockFromDpcLevel");
}

VOID ExInitializeFastMutex(PFAST_MUTEX FastMutex) { *FastMutex = {}; }

VOID ExAcquireFastMutex(PFAST_MUTEX FastMutex) {
    const KIRQL before = KeGetCurrentIrql();
    if (expect_irql_at_most(APC_LEVEL, "ExAcquireFastMutex", {kFastMutex, FastMutex})) {
        KIRQL ignored;
        KeRaiseIrql(APC_LEVEL, &ignored);
    }
    acquire(FastMutex->opennd_lock, kFastMutex, "ExAcquireFastMutex");
    FastMutex->OldIrql = before;
}

BOOLEAN ExTryToAcquireFastMutex(PFAST_MUTEX FastMutex) {
    const KIRQL before = KeGetCurrentIrql();
    (void)expect_irql_at_most(APC_LEVEL, "ExTryToAcquireFastMutex", {kFastMutex, FastMutex});
    if (!try_acquire(FastMutex->opennd_lock)) return FALSE;
    if (before < APC_LEVEL) {
        KIRQL ignored;
        KeRaiseIrql(APC_LEVEL, &ignored);
    }
    FastMutex->OldIrql = before;
    return TRUE;
}

VOID ExReleaseFastMutex(PFAST_MUTEX FastMutex) {
    const KIRQL before = FastMutex->OldIrql;  // read before the release: the next holder overwrites it
    release(FastMutex->opennd_lock, kFastMutex, "ExReleaseFastMutex");
    KeLowerIrql(before);
}
