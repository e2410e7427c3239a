// SPDX-License-Identifier: MIT
// See pending_requests.h.
#include "core/request/pending_requests.h"

#include <utility>

namespace opennd {

void InFlight::leave() {
    // Release: a thread that reads 0 sees the completions. The object outlives this: its owner waits, or the caller
    // holds it.
    if (threads_.fetch_sub(1, std::memory_order_release) == 1) threads_.notify_all();
}

void InFlight::wait_until_idle() const {
    for (std::uint32_t threads; (threads = threads_.load(std::memory_order_acquire)) != 0;)
        threads_.wait(threads, std::memory_order_relaxed);
}

RequestList& CompletionBatch::enter() {
    if (!std::exchange(entered_, true)) in_flight_.enter();
    return requests_;
}

void CompletionBatch::add(std::unique_ptr<AsyncRequest> request, Status status) {
    RequestList single;
    single.push_back(std::move(request), RequestKind::every);
    single.move_to(enter(), RequestKind::every, status);
}

CompletionBatch::~CompletionBatch() {
    if (!entered_) return;
    while (!requests_.empty()) {
        const RequestList::Outcome outcome = requests_.pop_front();
        outcome.request->complete(outcome.status);
    }
    in_flight_.leave();
}

}  // namespace opennd
