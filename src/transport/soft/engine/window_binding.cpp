// SPDX-License-Identifier: MIT
// SoftWindowBinding: see window_binding.h.
#include "transport/soft/engine/window_binding.h"

#include <chrono>
#include <thread>

#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/result_ring.h"

namespace opennd::soft {

SoftWindowBinding::SoftWindowBinding(Ref<OpenAdapter> adapter, Ref<ServedQueuePair> queue_pair,
                                     TokenTable::Tokens tokens, std::uint32_t segment, const BindingTerms& terms)
    : adapter_(std::move(adapter)),
      queue_pair_(std::move(queue_pair)),
      tokens_(tokens),
      segment_(segment),
      terms_(terms) {}

// A binding that is not at rest was never posted, since its region ends every posted binding.
SoftWindowBinding::~SoftWindowBinding() {
    if (terms_.invalidated_context) queue_pair_->receive_results().give_room(1);
    if (!at_rest()) adapter_->tokens().release(tokens_.local);
    adapter_->revoke_segment(segment_);
}

bool SoftWindowBinding::alive() const {
    if (terms_.ends_with_connection && queue_pair_->state() == QueuePairState::error) return false;
    return state_.load(std::memory_order_acquire) < State::abandoned;
}

void SoftWindowBinding::enable() {
    const Held lock(mutex_);
    if (!alive()) return;
    state_.store(State::enabled, std::memory_order_release);
    adapter_->tokens().enable_remote(tokens_);
}

void SoftWindowBinding::abandon() {
    const Held lock(mutex_);
    if (!alive()) return;
    state_.store(State::abandoned, std::memory_order_release);
    adapter_->tokens().remove(tokens_.local);
}

// Ends the binding as OpenAdapter::end_registration does a registration, for one queue pair: only its peer may know the
// token.
void SoftWindowBinding::end() {
    if (!begin_end()) {
        while (!at_rest()) std::this_thread::yield();
        return;
    }
    const bool left = queue_pair_->end_accesses(tokens_.remote, AccessEnd());
    finish_end();
    if (!left) queue_pair_->fail();
}

void SoftWindowBinding::invalidate(Channel& channel, By by) {
    const bool ends_here = begin_end();
    // Another thread that ends it may wait until this very initiator is at rest, so this one must not wait for that thread.
    if (!ends_here) heavy_barrier();
    if (by == By::program) queue_pair_->wait_for_responder();  // where the peer's accesses are this side's work
    // A peer that keeps the rules is in no access any more when it takes the window away.
    const AccessEnd end = by == By::peer ? AccessEnd(std::chrono::seconds(0)) : AccessEnd();
    const bool left = end.wait_for_peer(channel, tokens_.remote);
    if (ends_here) finish_end();
    if (!left) queue_pair_->fail();
}

// Kills the token at once. Until the peer has left, the binding is as after a flushed Bind: the end of the queue pair
// or of the region ends it too.
bool SoftWindowBinding::invalidate_at_once(Channel& channel) {
    if (!invalidation_) {
        abandon();
        heavy_barrier();
        invalidation_.emplace();
    }
    queue_pair_->wait_for_responder();  // the responder waits for no peer
    if (channel.access().peer_accesses(tokens_.remote) && !invalidation_->is_over()) return false;
    const bool left = invalidation_->wait_for_peer(channel, tokens_.remote);
    if (begin_end()) finish_end();
    if (!left) queue_pair_->fail();
    return true;
}

// Returns true if this call kills the token; the caller waits for its users, and calls finish_end().
bool SoftWindowBinding::begin_end() {
    {
        const Held lock(mutex_);
        if (state_.load(std::memory_order_relaxed) > State::abandoned) return false;
        state_.store(State::ending, std::memory_order_release);
        adapter_->tokens().remove(tokens_.local);
    }
    heavy_barrier();
    return true;
}

void SoftWindowBinding::finish_end() {
    adapter_->tokens().release(tokens_.local);
    state_.store(State::ended, std::memory_order_release);
}

}  // namespace opennd::soft
