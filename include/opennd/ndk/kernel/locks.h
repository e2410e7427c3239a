/* SPDX-License-Identifier: MIT
 *
 * locks.h: spin locks, queued spin locks and fast mutexes.
 *
 * A waiter for a spin lock spins a little and then sleeps, since the holder may have lost the processor. A thread that
 * takes a lock it holds is reported and goes on as if it had got it; a release by a thread that does not hold the lock
 * is reported and only restores the level.
 */
#ifndef OPENND_KERNEL_LOCKS_H
#define OPENND_KERNEL_LOCKS_H

#include "events.h"
#include "irql.h"

/* All zero is one that nobody holds. */
typedef ULONG_PTR KSPIN_LOCK, *PKSPIN_LOCK;

typedef struct _KSPIN_LOCK_QUEUE {
    struct _KSPIN_LOCK_QUEUE* volatile Next;
    PKSPIN_LOCK volatile Lock;
} KSPIN_LOCK_QUEUE, *PKSPIN_LOCK_QUEUE;

/* On the stack of the lock's holder. */
typedef struct _KLOCK_QUEUE_HANDLE {
    KSPIN_LOCK_QUEUE LockQueue;
    KIRQL OldIrql;
} KLOCK_QUEUE_HANDLE, *PKLOCK_QUEUE_HANDLE;

typedef struct _FAST_MUTEX {
    KSPIN_LOCK opennd_lock;
    KIRQL OldIrql;
} FAST_MUTEX, *PFAST_MUTEX, KGUARDED_MUTEX, *PKGUARDED_MUTEX;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- spin locks: any level up to DISPATCH_LEVEL, to which the holder is raised ------------------------------------- */

VOID NTAPI KeInitializeSpinLock(PKSPIN_LOCK SpinLock);
KIRQL NTAPI KeAcquireSpinLockRaiseToDpc(PKSPIN_LOCK SpinLock);
VOID NTAPI KeReleaseSpinLock(PKSPIN_LOCK SpinLock, KIRQL NewIrql);
#define KeAcquireSpinLock(SpinLock, OldIrql) ((void)(*(OldIrql) = KeAcquireSpinLockRaiseToDpc(SpinLock)))

/* Called at DISPATCH_LEVEL; the level stays. */
VOID NTAPI KeAcquireSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock);
VOID NTAPI KeReleaseSpinLockFromDpcLevel(PKSPIN_LOCK SpinLock);
/* FALSE: it is held. */
BOOLEAN NTAPI KeTryToAcquireSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock);

/* ---- queued spin locks: the same locks; LockHandle keeps the level to restore ---------------------------------------- */

VOID NTAPI KeAcquireInStackQueuedSpinLock(PKSPIN_LOCK SpinLock, PKLOCK_QUEUE_HANDLE LockHandle);
VOID NTAPI KeReleaseInStackQueuedSpinLock(PKLOCK_QUEUE_HANDLE LockHandle);
VOID NTAPI KeAcquireInStackQueuedSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock, PKLOCK_QUEUE_HANDLE LockHandle);
VOID NTAPI KeReleaseInStackQueuedSpinLockFromDpcLevel(PKLOCK_QUEUE_HANDLE LockHandle);

/* ---- fast mutexes: at most APC_LEVEL, to which the holder is raised -------------------------------------------------- */

VOID NTAPI ExInitializeFastMutex(PFAST_MUTEX FastMutex);
VOID NTAPI ExAcquireFastMutex(PFAST_MUTEX FastMutex);
/* FALSE: it is held. */
BOOLEAN NTAPI ExTryToAcquireFastMutex(PFAST_MUTEX FastMutex);
VOID NTAPI ExReleaseFastMutex(PFAST_MUTEX FastMutex);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

OPENND_ASSERT_SIZE(KSPIN_LOCK, 8, 8);

#endif
