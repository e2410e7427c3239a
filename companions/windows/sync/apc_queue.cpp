// SPDX-License-Identifier: MIT
// Queues of APCs; see apc_queue.h.
#include "windows/sync/apc_queue.h"

#include <utility>

#include "opennd.h"
#include "windows/sync/futex.h"

namespace opennd::windows {
namespace {

// Its destructor serves threads that CreateThread did not start.
struct Own {
    std::shared_ptr<ApcQueue> queue;
    ~Own() {
        ApcQueue::end_thread();
        queue.reset();  // later destructors of the thread find none
    }
};
thread_local Own own;

}  // namespace

ApcQueue::~ApcQueue() {
    close();
    if (waits_ != nullptr) opennd_handle_close(waits_);
}

const std::shared_ptr<ApcQueue>& ApcQueue::of_this_thread() {
    if (!own.queue) own.queue = std::make_shared<ApcQueue>();
    return own.queue;
}

ApcQueue* ApcQueue::existing() noexcept { return own.queue.get(); }

void ApcQueue::begin_thread(std::shared_ptr<ApcQueue> queue) noexcept { own.queue = std::move(queue); }

void ApcQueue::end_thread() noexcept {
    if (own.queue) own.queue->close();
}

bool ApcQueue::push(std::unique_ptr<Apc> apc) noexcept {
    {
        const std::lock_guard held(mutex_);
        if (closed_) return false;
        Apc* const added = apc.get();
        (last_ == nullptr ? first_ : last_->next_) = std::move(apc);
        last_ = added;
        if (waits_ != nullptr) opennd_event_set(waits_);
        atomic(changes_).fetch_add(1);
    }
    futex_wake_one(changes_);
    return true;
}

bool ApcQueue::is_closed() const noexcept {
    const std::lock_guard held(mutex_);
    return closed_;
}

bool ApcQueue::holds(const void* owner) const noexcept {
    const std::lock_guard held(mutex_);
    for (const Apc* apc = first_.get(); apc != nullptr; apc = apc->next_.get())
        if (apc->owner_ == owner) return true;
    return false;
}

void ApcQueue::withdraw(const void* owner) noexcept {
    const std::lock_guard held(mutex_);
    std::unique_ptr<Apc> rest = std::exchange(first_, nullptr);
    last_ = nullptr;
    while (rest) {
        std::unique_ptr<Apc> apc = std::exchange(rest, std::move(rest->next_));
        if (apc->owner_ == owner) continue;
        Apc* const kept = apc.get();
        (last_ == nullptr ? first_ : last_->next_) = std::move(apc);
        last_ = kept;
    }
    if (last_ == nullptr && waits_ != nullptr) opennd_event_reset(waits_);
}

bool ApcQueue::run_all() {
    bool any = false;
    while (const std::unique_ptr<Apc> apc = take()) {
        any = true;
        apc->run();
    }
    return any;
}

bool ApcQueue::wait(const Deadline& deadline) {
    for (;;) {
        const DWORD seen = atomic(changes_).load();
        {
            const std::lock_guard held(mutex_);
            if (last_ != nullptr) return true;
        }
        if (deadline.has_passed()) return false;
        futex_wait(changes_, seen, deadline);
    }
}

HRESULT ApcQueue::descriptor(int& descriptor) {
    const std::lock_guard held(mutex_);
    if (waits_ == nullptr)
        if (const HRESULT status = opennd_event_create(TRUE, last_ != nullptr, &waits_); FAILED(status)) return status;
    return opennd_event_descriptor(waits_, &descriptor);
}

std::unique_ptr<Apc> ApcQueue::take() noexcept {
    const std::lock_guard held(mutex_);
    std::unique_ptr<Apc> apc = std::move(first_);
    if (!apc) return nullptr;
    first_ = std::move(apc->next_);
    if (!first_) {
        last_ = nullptr;
        if (waits_ != nullptr) opennd_event_reset(waits_);
    }
    return apc;
}

void ApcQueue::close() noexcept {
    {
        const std::lock_guard held(mutex_);
        closed_ = true;
    }
    while (take()) {
    }  // one after the other: a long list that ended as one would end recursively
}

}  // namespace opennd::windows
