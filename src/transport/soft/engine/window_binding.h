// SPDX-License-Identifier: MIT
// One binding of a memory window to a queue pair of the software RNIC: a slot of the adapter's token table that only the
// peer of that queue pair may use.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "base/lock.h"
#include "transport/soft/channel/access_end.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/memory/token_table.h"
#include "transport/window_binding.h"

namespace opennd::soft {

class OpenAdapter;
class ServedQueuePair;

class SoftWindowBinding final : public TransportWindowBinding {
public:
    SoftWindowBinding(Ref<OpenAdapter> adapter, Ref<ServedQueuePair> queue_pair, TokenTable::Tokens tokens,
                      std::uint32_t segment, const BindingTerms& terms);
    ~SoftWindowBinding() override;

    Token remote_token() const override { return tokens_.remote; }
    bool alive() const override;
    bool at_rest() const override { return state_.load(std::memory_order_acquire) == State::ended; }
    void end() override;

    // The request context of the completion that tells of an invalidation by the peer; null: the program wants none.
    void* invalidated_context() const { return terms_.invalidated_context; }
    // Returns true if the peer has taken it away, or is about to. Under the queue pair's lock.
    bool taken_by_peer() const { return taken_by_peer_; }
    void set_taken_by_peer() { taken_by_peer_ = true; }

    // The next binding in the list of BoundWindows. Under the queue pair's lock.
    Ref<SoftWindowBinding>& next_bound() { return next_bound_; }

    // Executes the Bind. No effect if the binding was ended before, for instance by the release of its window.
    void enable();
    // Kills the token, because the Bind is flushed, executed or not; end() brings it to rest. Under the queue pair's
    // lock.
    void abandon();
    // Executes the Invalidate, on the thread that is in the queue pair's initiator, or the peer's SendAndInvalidate, on
    // the one in its responder; with its lock released. No access is in progress on return; another thread may be
    // ending it at the same time.
    enum class By : std::uint8_t { program, peer };
    void invalidate(Channel& channel, By by);
    // Executes the Invalidate of the program, for a thread that must not wait for the peer. Returns false if the peer
    // is in an access, and the caller calls again.
    [[nodiscard]] bool invalidate_at_once(Channel& channel);

private:
    enum class State : std::uint8_t { reserved, enabled, abandoned, ending, ended };

    bool begin_end();
    void finish_end();

    const Ref<OpenAdapter> adapter_;
    const Ref<ServedQueuePair> queue_pair_;
    const TokenTable::Tokens tokens_;
    const std::uint32_t segment_;  // the segment that the binding grants to the peer; 0: none
    const BindingTerms terms_;
    // Guarded by the queue pair's lock.
    bool taken_by_peer_ = false;
    Ref<SoftWindowBinding> next_bound_;

    Mutex mutex_;  // taken under a queue pair's lock; nothing is called under it
    // The state. Written under mutex_ up to `ending`, then by the thread that ends it; release pairs with the acquire
    // of readers without mutex_.
    std::atomic<State> state_{State::reserved};

    // The end that the first call of invalidate_at_once() began. Owned by the thread in the queue pair's initiator.
    std::optional<AccessEnd> invalidation_;
};

}  // namespace opennd::soft
