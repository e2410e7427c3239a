// SPDX-License-Identifier: MIT
// SRW locks: a count of readers, or all bits set for a writer. A second count of sleepers lets a release without
// waiters make no system call: a release reads that count after it changed the state, a waiter reads the state after it
// raised the count.
#include "win32/locks.h"
#include "windows/sync/futex.h"

using namespace opennd::windows;

namespace {

constexpr DWORD kFree = 0;
constexpr DWORD kExclusive = 0xFFFFFFFF;

bool try_exclusive(SRWLOCK& lock) {
    DWORD free = kFree;
    return atomic(lock.opennd_state).compare_exchange_strong(free, kExclusive);
}

bool try_shared(SRWLOCK& lock) {
    DWORD readers = atomic(lock.opennd_state).load();
    while (readers != kExclusive)
        if (atomic(lock.opennd_state).compare_exchange_weak(readers, readers + 1)) return true;
    return false;
}

// Sleeps until the state changes from one in which the lock cannot be had.
template <typename Blocks>
void sleep_while(SRWLOCK& lock, Blocks blocks) {
    atomic(lock.opennd_waiters).fetch_add(1);
    const DWORD state = atomic(lock.opennd_state).load();
    if (blocks(state)) futex_wait(lock.opennd_state, state, Deadline(INFINITE));
    atomic(lock.opennd_waiters).fetch_sub(1);
}

void wake_waiters(SRWLOCK& lock) {
    if (atomic(lock.opennd_waiters).load() != 0) futex_wake_all(lock.opennd_state);
}

}  // namespace

VOID InitializeSRWLock(PSRWLOCK SRWLock) { *SRWLock = {}; }

VOID AcquireSRWLockExclusive(PSRWLOCK SRWLock) {
    while (!try_exclusive(*SRWLock)) sleep_while(*SRWLock, [](DWORD state) { return state != kFree; });
}

VOID AcquireSRWLockShared(PSRWLOCK SRWLock) {
    while (!try_shared(*SRWLock)) sleep_while(*SRWLock, [](DWORD state) { return state == kExclusive; });
}

VOID ReleaseSRWLockExclusive(PSRWLOCK SRWLock) {
    atomic(SRWLock->opennd_state).store(kFree);
    wake_waiters(*SRWLock);
}

VOID ReleaseSRWLockShared(PSRWLOCK SRWLock) {
    if (atomic(SRWLock->opennd_state).fetch_sub(1) == 1) wake_waiters(*SRWLock);
}

BOOLEAN TryAcquireSRWLockExclusive(PSRWLOCK SRWLock) { return try_exclusive(*SRWLock); }
BOOLEAN TryAcquireSRWLockShared(PSRWLOCK SRWLock) { return try_shared(*SRWLock); }
