// SPDX-License-Identifier: MIT
// One binding of a memory window over hardware: an ibv_mw of type 2, which only the peer of the queue pair may use. It comes out of
// the adapter's pool, and returns there after it was invalidated.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/lock.h"
#include "base/result.h"
#include "model/work_request.h"
#include "platform/thread/condition.h"
#include "transport/verbs/memory/memory_request.h"
#include "transport/verbs/memory/window_pool.h"

namespace opennd::verbs {

class OpenDevice;

class VerbsWindowBinding final : public MappedWindow, public SettledSubject {
public:
    // Makes the binding of the part of `region` that peers may use. Explained: insufficient_resources, device_removed.
    static Result<Ref<VerbsWindowBinding>> create(Ref<OpenDevice> adapter, AwaitedQueuePair& queue_pair,
                                                  const ibv_mw_bind_info& part, const BindingTerms& terms);
    ~VerbsWindowBinding() override;

    Token remote_token() const override { return token_; }
    bool alive() const override;
    bool at_rest() const override { return state_.load(std::memory_order_acquire) >= State::invalidated; }
    // A device ends a window though it is bound, but then a Bind or an Invalidate that is on its way fails, and with it the
    // connection. So the caller first sleeps, without a lock, until the last of them has completed: the hardware is asked for an
    // event, and the thread that takes the result wakes it. No callback of the event loop may call this, for it would keep that
    // thread away. A peer that is slow to take the requests before them delays the end by a second at most; then they fail.
    void end() override EXCLUDES(mutex_);

    // The request context of the completion that tells of an invalidation by the peer; null: the program wants none.
    void* invalidated_context() const { return terms_.invalidated_context; }
    const AwaitedQueuePair* queue_pair() const override { return &queue_pair_; }

    // Returns true if an Invalidate of it can succeed: the peer has not taken it away, and its Bind has not failed.
    bool can_end() const { return state_.load(std::memory_order_acquire) <= State::bound; }
    // Posts the Bind: `request` has all but the window. An errno of ibv_post_send; ENOENT: the binding has ended already.
    int post_bind(ibv_qp* hardware, ibv_send_wr& request) EXCLUDES(mutex_);
    // Notes that a Bind or an Invalidate of it was taken; not_taken() and completed() note that it was not taken after
    // all, or completes. Behind each of the latter two a thread in end() wakes. Any lock may be held.
    void requested() { requests_.fetch_add(1, std::memory_order_relaxed); }
    void not_taken(AfterLock& after);
    void completed(Operation operation, bool succeeded, AfterLock& after) override;
    // Notes that the hardware has invalidated it, for the program or for the peer. Returns false if it was not in force
    // any more. Any lock may be held.
    bool invalidate();
    void release_hardware() override EXCLUDES(mutex_);

private:
    // reserved: its Bind has not completed. abandoned: its Bind has failed.
    enum class State : std::uint8_t { reserved, bound, abandoned, invalidated, ended };

    VerbsWindowBinding(Ref<OpenDevice> adapter, AwaitedQueuePair& queue_pair, ibv_mw* window,
                       const ibv_mw_bind_info& part, const BindingTerms& terms);
    bool has_requests() const;
    void tell_settled() EXCLUDES(mutex_);
    void wait_for_requests() EXCLUDES(mutex_);
    void give_window_back() REQUIRES(mutex_);
    bool move(State from, State to);

    const Ref<OpenDevice> adapter_;
    AwaitedQueuePair& queue_pair_;
    const Ref<const RefCounted> queue_pair_reference_;
    const ibv_mw_bind_info part_;
    const Token token_;
    const BindingTerms terms_;

    // Release and acquire: at rest means that the hardware is done. `ended` is written under mutex_.
    std::atomic<State> state_{State::reserved};
    // The Binds and Invalidates that have not completed. Release and acquire: the hardware is done with the ibv_mw.
    std::atomic<int> requests_{0};
    Condition settled_;  // requests_ is less; with mutex_
    Mutex mutex_;        // after the lock of a queue pair; held across ibv_dealloc_mw and the post of a Bind
    ibv_mw* window_ GUARDED_BY(mutex_);  // null once it was given back
};

}  // namespace opennd::verbs
