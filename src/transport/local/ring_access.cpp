// SPDX-License-Identifier: MIT
// RingChannel: the peer in memory of this side, and how it is kept out of requests that are flushed (tests/protocols/taking_back.pml,
// deregistration.pml).
#include <thread>
#include <utility>

#include "base/explanation.h"
#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/ring_channel.h"

namespace opennd::local {
namespace {

// A peer can be stopped in the middle of a message: the wait for it has a limit.
constexpr std::chrono::seconds kTakingPatience{2};
// The yields in hold_back() before it leaves the wait to its caller. A running peer is mostly done after a few.
constexpr int kYieldsForTaking = 64;

}  // namespace

bool RingChannel::peer_accesses(Token token) const {
    if (is_past_waiting()) return false;
    return in_.access.token.load(std::memory_order_acquire) == value(token) ||
           in_.access.fetching.load(std::memory_order_acquire) == value(token);
}

// The peer marks an access and then checks whether the lane is closed; here the heavy barrier stands between the store of the
// latter and the load of the former.
bool RingChannel::exclude_peer() {
    in_.wishes.closed.store(1, std::memory_order_relaxed);
    if (is_past_waiting()) return true;
    heavy_barrier();
    return is_past_waiting() || (in_.access.token.load(std::memory_order_acquire) == 0 &&
                                 in_.access.fetching.load(std::memory_order_acquire) == 0);
}

// Takes the frames out of the peer's sight first. A peer in the middle of one marked that before it read the frame:
// with a plain store, which the heavy barrier makes visible. Once the mark is gone, the peer's count of consumed frames
// is final.
bool RingChannel::hold_back_requests() {
    if (holding_ == Holding::nothing) {
        holding_ = producer_.all_consumed() || refused() ? Holding::ended : Holding::hidden;
        if (holding_ == Holding::ended) return true;
        producer_.hide_unconsumed();
        heavy_barrier();
        taken_by_ = now() + kTakingPatience;
        for (int yields = 0; yields < kYieldsForTaking && peer_takes(); ++yields) std::this_thread::yield();
    }
    if (holding_ != Holding::hidden) return true;
    if (peer_takes()) {
        // A peer in this process is never stopped for long: no limit.
        if (parts_.peer_memory->same_process() || now() <= taken_by_) return false;
        holding_ = Holding::ended;
        give_up_waiting("taking a message of this side");
        return true;
    }
    producer_.refresh();
    holding_ = Holding::rest;
    return true;
}

bool RingChannel::hold_back() {
    const bool left = close_receives();
    return hold_back_requests() && left;
}

// The peer marks that it places a message before it reads the word that forbids it, as it does for requests.
bool RingChannel::close_receives() {
    if (shown_made_ == 0) return true;
    if (!receives_closed_) {
        receives_closed_ = true;
        in_.wishes.receives_closed.store(1, std::memory_order_relaxed);
        heavy_barrier();
        placed_by_ = now() + kTakingPatience;
    }
    if (is_past_waiting() || in_.access.placing.load(std::memory_order_acquire) == 0) return true;
    if (now() <= placed_by_) return false;
    give_up_waiting("placing a message into a receive of this side");
    return true;
}

bool RingChannel::peer_takes() const {
    return !is_past_waiting() && in_.access.taking.load(std::memory_order_acquire) != 0;
}

void RingChannel::give_up_waiting(std::string_view operation) {
    disbelieve_peer();
    (void)report(
        Status::canceled,
        {.object = "queue pair",
         .operation = "Flush",
         .asked = phrase("the end of the peer's {}", operation),
         .limit = phrase("{} s of waiting", kTakingPatience.count()),
         .remedy = "see whether the peer's process was stopped; do not reuse the message's memory while it exists",
         .requirement = "ND2-QP-FLUSH-05",
         .cause = LogCause::peer});
}

void RingChannel::withdraw() {
    if (std::exchange(holding_, Holding::ended) != Holding::rest) return;
    producer_.show_unconsumed();
    wake_peer();
}

}  // namespace opennd::local
