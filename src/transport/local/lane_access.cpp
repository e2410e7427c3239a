// SPDX-License-Identifier: MIT
// LaneAccess: see lane_access.h.
#include "transport/local/lane_access.h"

#include <thread>
#include <utility>

#include "base/explanation.h"
#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"

namespace opennd::local {
namespace {

// A peer can be stopped in the middle of a message: the wait for it has a limit.
constexpr std::chrono::seconds kTakingPatience{2};
// The yields in stop_requests() before it leaves the wait to its caller. A running peer is mostly done after a few.
constexpr int kYieldsForTaking = 64;

}  // namespace

bool LaneAccess::peer_accesses(Token token) const {
    if (is_past_waiting()) return false;
    return lanes_.in().access.token.load(std::memory_order_acquire) == value(token) ||
           lanes_.in().access.fetching.load(std::memory_order_acquire) == value(token);
}

// The peer marks an access and then checks whether the lane is closed; here the heavy barrier stands between the store of the
// latter and the load of the former.
bool LaneAccess::exclude_peer() {
    lanes_.in().wishes.closed.store(1, std::memory_order_relaxed);
    if (is_past_waiting()) return true;
    heavy_barrier();
    return is_past_waiting() || (lanes_.in().access.token.load(std::memory_order_acquire) == 0 &&
                                 lanes_.in().access.fetching.load(std::memory_order_acquire) == 0);
}

// Takes the frames out of the peer's sight first. A peer in the middle of one marked that before it read the frame:
// with a plain store, which the heavy barrier makes visible. Once the mark is gone, the peer's count of consumed frames
// is final.
bool LaneAccess::stop_requests_here() {
    if (holding_ == Holding::nothing) {
        holding_ = lanes_.producer().all_consumed() || lanes_.refused() ? Holding::ended : Holding::hidden;
        if (holding_ == Holding::ended) return true;
        lanes_.producer().hide_unconsumed();
        heavy_barrier();
        taken_by_ = now() + kTakingPatience;
        for (int yields = 0; yields < kYieldsForTaking && peer_takes(); ++yields) std::this_thread::yield();
    }
    if (holding_ != Holding::hidden) return true;
    if (peer_takes()) {
        // A peer in this process is never stopped for long: no limit.
        if (lanes_.peer_memory().same_process() || now() <= taken_by_) return false;
        holding_ = Holding::ended;
        give_up_waiting("taking a message of this side");
        return true;
    }
    lanes_.producer().refresh();
    holding_ = Holding::rest;
    return true;
}

bool LaneAccess::stop_requests() {
    const bool left = close_receives();
    return stop_requests_here() && left;
}

// The peer marks that it places a message before it reads the word that forbids it, as it does for requests.
bool LaneAccess::close_receives() {
    if (!lanes_.has_shown()) return true;
    if (!receives_closed_) {
        receives_closed_ = true;
        lanes_.in().wishes.receives_closed.store(1, std::memory_order_relaxed);
        heavy_barrier();
        placed_by_ = now() + kTakingPatience;
    }
    if (is_past_waiting() || lanes_.in().access.placing.load(std::memory_order_acquire) == 0) return true;
    if (now() <= placed_by_) return false;
    give_up_waiting("placing a message into a receive of this side");
    return true;
}

bool LaneAccess::peer_takes() const {
    return !is_past_waiting() && lanes_.in().access.taking.load(std::memory_order_acquire) != 0;
}

void LaneAccess::give_up_waiting(std::string_view operation) {
    distrust_peer();
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

void LaneAccess::show_as_taken_back() {
    if (std::exchange(holding_, Holding::ended) != Holding::rest) return;
    lanes_.producer().show_unconsumed();
    lanes_.ring_peer();
}

}  // namespace opennd::local
