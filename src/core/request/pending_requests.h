// SPDX-License-Identifier: MIT
// The requests an object has accepted and not completed, and the way they complete: collected under the object's lock,
// completed after it is released, and waited for by cancel and close (ND2-OVL-12 to -15).
//
// An object has three members:
//     Mutex mutex_;
//     PendingRequests pending_ GUARDED_BY(mutex_);
//     InFlight in_flight_;
// and each function that may complete something begins with a CompletionBatch, *before* it takes a lock, so that the
// batch's destructor runs when all locks are gone.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/request/async_request.h"
#include "core/request/request_list.h"

namespace opennd {

// Counts the threads that hold requests of one object which they have taken and not yet completed. Thread-safe.
class InFlight {
public:
    void enter() { threads_.fetch_add(1, std::memory_order_relaxed); }
    void leave();

    // Returns when no thread is between enter() and leave(). Their completions happen before the return, so the program
    // may free every OVERLAPPED of the object (ND2-COM-10). Not from inside complete().
    void wait_until_idle() const;

private:
    std::atomic<std::uint32_t> threads_{0};
};

// Outcomes to be delivered, oldest first, when it goes out of scope. Belongs to one thread.
class CompletionBatch {
public:
    explicit CompletionBatch(InFlight& in_flight) : in_flight_(in_flight) {}
    CompletionBatch(const CompletionBatch&) = delete;
    CompletionBatch& operator=(const CompletionBatch&) = delete;
    ~CompletionBatch();  // completes

    // A request that has begun and is in no list.
    void add(std::unique_ptr<AsyncRequest> request, Status status);

private:
    friend class PendingRequests;
    RequestList& enter();

    InFlight& in_flight_;
    RequestList requests_;
    bool entered_ = false;  // in_flight_ counts this batch; set while the object's lock is held
};

// In order of submission. Guarded by the lock of the object it is part of.
class PendingRequests {
public:
    // Begins the request and keeps it.
    void add(std::unique_ptr<AsyncRequest> request, RequestKind kind) {
        request->begin();
        requests_.push_back(std::move(request), kind);
    }

    bool has(RequestKind kinds) const { return requests_.has(kinds); }

    // All requests of these kinds will complete with `status` when `batch` goes out of scope.
    void take(RequestKind kinds, Status status, CompletionBatch& batch) {
        if (has(kinds)) requests_.move_to(batch.enter(), kinds, status);
    }

private:
    RequestList requests_;
};

inline void InFlight::leave() {
    // Release: a thread that reads 0 sees the completions. The object outlives this: its owner waits, or the caller
    // holds it.
    if (threads_.fetch_sub(1, std::memory_order_release) == 1) threads_.notify_all();
}

inline void InFlight::wait_until_idle() const {
    for (std::uint32_t threads; (threads = threads_.load(std::memory_order_acquire)) != 0;)
        threads_.wait(threads, std::memory_order_relaxed);
}

inline RequestList& CompletionBatch::enter() {
    if (!std::exchange(entered_, true)) in_flight_.enter();
    return requests_;
}

inline void CompletionBatch::add(std::unique_ptr<AsyncRequest> request, Status status) {
    RequestList single;
    single.push_back(std::move(request), RequestKind::every);
    single.move_to(enter(), RequestKind::every, status);
}

inline CompletionBatch::~CompletionBatch() {
    if (!entered_) return;
    while (!requests_.empty()) {
        const RequestList::Outcome outcome = requests_.pop_front();
        outcome.request->complete(outcome.status);
    }
    in_flight_.leave();
}

}  // namespace opennd
