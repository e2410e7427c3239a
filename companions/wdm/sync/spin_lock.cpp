// SPDX-License-Identifier: MIT
// See spin_lock.h.
#include "wdm/sync/spin_lock.h"

#include <unistd.h>

#include <string>

#include "wdm/checking/checking.h"
#include "windows/sync/futex_lock.h"

namespace opennd::wdm {
namespace {

using windows::atomic;

constexpr DWORD kLooks = 200;  // before it sleeps

DWORD& state_of(KSPIN_LOCK& lock) { return reinterpret_cast<DWORD*>(&lock)[0]; }
DWORD& owner_of(KSPIN_LOCK& lock) { return reinterpret_cast<DWORD*>(&lock)[1]; }

DWORD this_thread() {
    thread_local const auto id = static_cast<DWORD>(gettid());
    return id;
}

bool is_mine(KSPIN_LOCK& lock) { return atomic(owner_of(lock)).load(std::memory_order_relaxed) == this_thread(); }

void own(KSPIN_LOCK& lock) { atomic(owner_of(lock)).store(this_thread(), std::memory_order_relaxed); }

}  // namespace

void acquire(KSPIN_LOCK& lock, const char* kind, const char* call) {
    if (is_mine(lock)) {
        report(OPENND_WDM_RULE_LOCK, {kind, &lock},
               std::string(call) + " takes it on the thread that holds it, which would wait for itself for ever");
        return;
    }
    windows::take(state_of(lock), kLooks);
    own(lock);
}

bool try_acquire(KSPIN_LOCK& lock) {
    if (!windows::try_take(state_of(lock))) return false;
    own(lock);
    return true;
}

void release(KSPIN_LOCK& lock, const char* kind, const char* call) {
    if (!is_mine(lock)) {
        const DWORD owner = atomic(owner_of(lock)).load(std::memory_order_relaxed);
        report(OPENND_WDM_RULE_LOCK, {kind, &lock},
               std::string(call) + " on thread " + std::to_string(this_thread()) +
                   (owner == 0 ? ", but nobody holds it" : ", but thread " + std::to_string(owner) + " holds it"));
        return;
    }
    atomic(owner_of(lock)).store(0, std::memory_order_relaxed);
    windows::leave(state_of(lock));
}

}  // namespace opennd::wdm
