// SPDX-License-Identifier: MIT
// See dispatcher.h.
#include "wdm/sync/dispatcher.h"

#include <array>
#include <mutex>

#include "kernel/lists.h"
#include "kernel/macros.h"
#include "windows/sync/futex.h"

namespace opennd::wdm {
namespace {

using windows::atomic;

// On the waiting thread's stack.
struct Waiter {
    LIST_ENTRY link;
    const DISPATCHER_HEADER* header;
    DWORD released = 0;
};

struct Bucket {
    Bucket() { InitializeListHead(&waiters); }

    std::mutex mutex;    // guards waiters and the state of the headers that belong here
    LIST_ENTRY waiters;  // in the order they came

    // Only the waiter's address is used once it is released.
    static void release(Waiter& waiter) {
        RemoveEntryList(&waiter.link);
        atomic(waiter.released).store(1, std::memory_order_release);
        windows::futex_wake_one(waiter.released);
    }
};

Bucket& bucket_of(const DISPATCHER_HEADER& header) {
    static auto* const buckets = new std::array<Bucket, 64>;  // threads may wait while the process ends
    const auto number = reinterpret_cast<ULONG_PTR>(&header);
    return (*buckets)[(number >> 3 ^ number >> 12) % buckets->size()];
}

bool is_one_at_a_time(const DISPATCHER_HEADER& header) { return header.opennd_kind == kSynchronizationEvent; }

// Under the bucket's lock.
bool try_pass(DISPATCHER_HEADER& header) {
    if (header.opennd_signalled == 0) return false;
    if (is_one_at_a_time(header)) header.opennd_signalled = 0;
    return true;
}

}  // namespace

void initialize(DISPATCHER_HEADER& header, ULONG kind, bool signalled) {
    header.opennd_kind = kind;
    header.opennd_signalled = signalled;
}

bool is_signalled(DISPATCHER_HEADER& header) {
    const std::lock_guard held(bucket_of(header).mutex);
    return header.opennd_signalled != 0;
}

bool signal(DISPATCHER_HEADER& header) {
    Bucket& bucket = bucket_of(header);
    const std::lock_guard held(bucket.mutex);
    const bool before = header.opennd_signalled != 0;
    const bool one = is_one_at_a_time(header);
    header.opennd_signalled = 1;
    for (PLIST_ENTRY at = bucket.waiters.Flink; at != &bucket.waiters;) {
        Waiter& waiter = *CONTAINING_RECORD(at, Waiter, link);
        at = at->Flink;
        if (waiter.header != &header) continue;
        if (one) header.opennd_signalled = 0;
        Bucket::release(waiter);
        if (one) break;
    }
    return before;
}

bool reset(DISPATCHER_HEADER& header) {
    const std::lock_guard held(bucket_of(header).mutex);
    const bool before = header.opennd_signalled != 0;
    header.opennd_signalled = 0;
    return before;
}

bool wait(DISPATCHER_HEADER& header, const windows::Deadline& deadline) {
    Bucket& bucket = bucket_of(header);
    Waiter waiter{{}, &header};
    {
        const std::lock_guard held(bucket.mutex);
        if (try_pass(header)) return true;
        InsertTailList(&bucket.waiters, &waiter.link);
    }
    while (atomic(waiter.released).load(std::memory_order_acquire) == 0) {
        if (windows::futex_wait(waiter.released, 0, deadline)) continue;
        const std::lock_guard held(bucket.mutex);
        if (atomic(waiter.released).load(std::memory_order_acquire) != 0) break;
        RemoveEntryList(&waiter.link);
        return false;
    }
    return true;
}

}  // namespace opennd::wdm
