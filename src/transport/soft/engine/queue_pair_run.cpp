// SPDX-License-Identifier: MIT
// SoftQueuePair, its runs, and the timers that bring one: see queue_pair.h.
#include <chrono>
#include <utility>

#include "base/explanation.h"
#include "base/until_memory.h"
#include "platform/process/clock.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/queue_pair.h"
#include "transport/soft/engine/receive_turn.h"
#include "transport/soft/engine/service.h"

namespace opennd::soft {

void SoftQueuePair::try_run(Progress& progress) {
    if (!lock_.try_lock()) return;
    run_locked(progress, ReadCounters::if_idle);
    lock_.unlock();
}

bool SoftQueuePair::try_run_once(Progress& progress) {
    if (!lock_.try_lock()) return true;
    run_whole(progress);
    const bool left = leaves_work();
    lock_.unlock();
    return left;
}

bool SoftQueuePair::run_once(Progress& progress) {
    const Held held(lock_);
    run_whole(progress);
    return leaves_work();
}

bool SoftQueuePair::run_rounds() {
    for (int round = 0; round < kRounds; ++round) {
        const std::uint32_t before = moves();
        Progress progress;
        const bool left = run_once(progress);
        progress.after.run();
        if (!left || moves() == before) return false;
    }
    return true;
}

void SoftQueuePair::run() {
    if (run_rounds()) adapter_->service().serve_later(*this);
}

void SoftQueuePair::run(Progress& progress) {
    if (run_once(progress)) adapter_->service().serve_later(*this);
}

// Returns true if a run leaves work. A message that waits for a receive is none: the thread that posts one takes it.
// Work that waits for the peer is named when the peer has done its part. A busy thread may end with work left.
bool SoftQueuePair::leaves_work() const {
    if (state_.load(std::memory_order_relaxed) != QueuePairState::attached || responder_.failed()) return false;
    if (responder_.busy() || initiator_.busy()) return true;
    return !responder_.starved() && !channel_owner_->receive_waits_for_peer() && channel_owner_->left_work();
}

// A program that waits for an event does not notice that its peer stops to poll.
void SoftQueuePair::run_whole(Progress& progress) {
    run_locked(progress, ReadCounters::always);
    if (is_armed()) [[unlikely]]
        watch_peers_pollers(progress);
}

void SoftQueuePair::run_locked(Progress& progress, ReadCounters read) {
    const QueuePairState state = state_.load(std::memory_order_relaxed);
    if (state == QueuePairState::attached) [[likely]]
        run_attached(*channel_owner_, progress, read);
    else if (state == QueuePairState::error)
        run_in_error(progress);
}

void SoftQueuePair::run_attached(Channel& channel, Progress& progress, ReadCounters read) {
    const std::size_t moved = responder_.run_inline(channel, lock_, progress);
    const bool reads = moved == 0 || read == ReadCounters::always;
    if (reads) channel.peer().read_counters();
    if ((reads || initiator_.has_work()) && initiator_.run(channel, lock_, progress)) {
        progress_made_.store(progress_made_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        if (initiator_.released_lock()) [[unlikely]]
            responder_.run(channel, lock_, progress);  // arrivals of meanwhile may have found it busy
    }
    if (responder_.owes_a_run()) [[unlikely]]
        adapter_->service().serve_later(*this);
    if (responder_.starved()) [[unlikely]]
        watch_starvation(progress);
    if (initiator_.failed() || responder_.failed()) [[unlikely]]
        settle(progress);
    else if (waits_for_peer()) [[unlikely]]
        come_back_for_peer(progress);
}

void SoftQueuePair::run_in_error(Progress& progress) {
    decline_arrival(progress);
    if (!flushed_)
        settle(progress);
    else if (!initiator_.busy() && !responder_.busy())
        flush_queues(progress);  // requests posted since
}

// Watches a message that waits for a receive. A poller here sees the arrival that waits, not that its own requests
// stand still.
void SoftQueuePair::watch_starvation(Progress& progress) {
    if (peer_wait_.begins(responder_.starvation())) {
        deferred_.starvation_to_watch = responder_.starvation();
        progress.after.add(Turn::connection, *this);
    }
    watch_peers_pollers(progress);
}

// The caller may be a poller that never polls again, while the peer believes that it does and does not ring. The service
// thread revisits work that waits for the peer, unless the wire watches itself.
void SoftQueuePair::come_back_for_peer(Progress& progress) {
    if (!channel_owner_->facts().watches_itself || channel_owner_->has_own_work()) schedule_revisit(progress);
}

// Watches the peer's pollers by a timer: nobody tells this side when they stop.
void SoftQueuePair::watch_peers_pollers(Progress& progress) {
    if (is_left_to_peers_pollers()) schedule_revisit(progress);
}

bool SoftQueuePair::is_left_to_peers_pollers() const {
    return !initiator_.idle() && state_.load(std::memory_order_relaxed) == QueuePairState::attached &&
           (responder_.starved() || is_armed()) && channel_owner_->peer().relies_on_peers_pollers();
}

void SoftQueuePair::schedule_revisit(Progress& progress) {
    if (!peer_wait_.schedule(initiator_.head())) return;
    deferred_.revisit_due = true;
    progress.after.add(Turn::connection, *this);
}

void SoftQueuePair::do_deferred() {
    Deferred due;
    {
        const Held held(lock_);
        due = std::exchange(deferred_, {});
    }
    if (due.failed_connection) due.failed_connection->queue_pair_failed();
    if (due.starvation_to_watch != 0)
        until_memory([&] {
            adapter_->event_loop().schedule(
                now() + adapter_->no_receive_time(),
                [self = Ref<SoftQueuePair>(this), wait = due.starvation_to_watch] { self->give_up_waiting(wait); });
        });
    if (due.revisit_due)
        until_memory([&] {
            adapter_->event_loop().schedule(now() + channel()->revisit_delay(),
                                            [self = Ref<SoftQueuePair>(this)] { self->revisit(); });
        });
}

// Runs the queue pair once more, on the service thread, which schedules the next time if the work waits still.
void SoftQueuePair::revisit() {
    bool nudges = false;
    {
        const Held held(lock_);
        peer_wait_.expire();
        if (state_.load(std::memory_order_relaxed) != QueuePairState::attached) {
            if (!held_up_) return;
        } else {
            if (!waits_for_peer() && !is_left_to_peers_pollers()) return;
            nudges = peer_wait_.is_nudge_due(initiator_.head());
        }
    }
    if (nudges) channel()->peer().nudge();
    adapter_->service().serve(*this);
}

bool SoftQueuePair::still_waits(std::uint32_t starvation) const {
    return state_.load(std::memory_order_relaxed) == QueuePairState::attached && responder_.starved() &&
           responder_.starvation() == starvation;
}

// Refuses the message that waits for a receive since the wait `starvation` began, and ends the connection, if it waits
// still. The message's sender gets timed_out (ND2-QP-SEND-05).
void SoftQueuePair::give_up_waiting(std::uint32_t starvation) {
    Progress progress;
    {
        const Held held(lock_);
        if (still_waits(starvation)) run_whole(progress);  // the peer may have taken the message back
        if (still_waits(starvation)) {
            (void)report(Status::timed_out,
                         {.object = "queue pair",
                          .operation = "a message of the peer",
                          .asked = "a posted receive",
                          .limit = phrase("{} ms of waiting; the connection ends", adapter_->no_receive_time().count()),
                          .remedy = "post receives before the peer sends, or raise OPENND_NO_RECEIVE_MS",
                          .requirement = "ND2-QP-SEND-05",
                          .cause = LogCause::peer});
            channel_owner_->refuse(Status::timed_out);
            responder_.fail();
            settle(progress);
        }
    }
    progress.after.run();
}

}  // namespace opennd::soft
