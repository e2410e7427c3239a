// SPDX-License-Identifier: MIT
// Lifecycle: see lifecycle.h.
#include "transport/soft/queue_pair/lifecycle.h"

#include <thread>

#include "base/explanation.h"
#include "transport/soft/channel/channel_layer.h"
#include "transport/soft/engine/receive_turn.h"

namespace opennd::soft {
namespace {

// The rounds that move up the arrivals of before the end; a later arrival came after it.
constexpr int kLastRounds = 8;

void report_abandoned(std::uint32_t number) {
    (void)report(
        Status::timed_out,
        {.object = phrase("queue pair {}", number),
         .operation = "a Read or Write of this side",
         .asked = "the end of a copy between this process and the peer's memory",
         .limit = "2 s in which the kernel got no page of the peer's; the connection ends",
         .remedy = "see why the pages of the peer's process do not come; do not reuse the request's memory while it "
                   "exists",
         .requirement = "ND2-QP-FLUSH-05",
         .cause = LogCause::peer});
}

Status report_untaken(std::uint32_t number) {
    return report(Status::timed_out, {.object = phrase("queue pair {}", number),
                                      .operation = "a request of this side",
                                      .asked = "an answer of the peer",
                                      .limit = "2 s after the peer has disconnected",
                                      .remedy = "disconnect too, once NotifyDisconnect has completed",
                                      .requirement = "ND1-EP-GEN-21",
                                      .cause = LogCause::peer});
}

}  // namespace

void Lifecycle::advance(QueuePairEvent event) {
    const QueuePairState state = state_.load(std::memory_order_relaxed);
    if (const auto next = transition(state, event))
        state_.store(*next, std::memory_order_release);
    else
        report_missing_row("queue pair", enumerator_name(state), enumerator_name(event));
}

void Lifecycle::attach(Ref<ConnectionEnd> connection) {
    connection_ = std::move(connection);
    advance(QueuePairEvent::attach);
}

// Forgets a connection that knows of its end: it is told nothing more.
void Lifecycle::forget_connection() {
    failure_reported_ = true;
    connection_ = nullptr;
}

// ---- a failure

void Lifecycle::settle(Progress& progress) {
    advance(QueuePairEvent::fail);
    const bool failed = initiator_.failed() || responder_.failed();
    if (flushing_ || initiator_.busy() || responder_.busy()) return;  // the thread inside comes here when it is done
    held_up_ = !stop_requests();
    if (held_up_) return peer_wait_.come_back(progress);
    flush_queues(progress);
    if (!failed || failure_reported_ || !connection_) return;
    failure_reported_ = true;
    failed_ = connection_;
    progress.after.add(Turn::connection, queue_pair_);
}

void Lifecycle::time_out(Progress& progress) {
    oldest_ = report_untaken(initiator_.number());
    settle(progress);
}

void Lifecycle::run_in_error(BiasedLock& lock, Progress& progress) {
    decline_arrival(lock, progress);
    if (!flushed_)
        settle(progress);
    else if (!initiator_.busy() && !responder_.busy())
        flush_queues(progress);
}

// Declines a message after the program flushed, while the connection exists still: a receive will not be posted
// (ND2-QP-FLUSH-03). A message that meets another end is canceled with its connection, and not refused
// (ND2-CON-DISC-05, ND2-QP-ERR-01).
void Lifecycle::decline_arrival(BiasedLock& lock, Progress& progress) {
    const bool is_over = failure_reported_ || !channel_;
    if (!flushed_ || is_over || flushing_ || responder_.busy()) return;
    ReceiveTurn turn(responder_, *channel_, lock, progress);
    if (channel_->decline(turn)) flushed_ = false;
}

void Lifecycle::flush_queues(Progress& progress) {
    initiator_.flush(channel_.get(), progress, oldest_);
    responder_.flush(progress);
}

// ---- the program's end, and the peer's

void Lifecycle::flush(BiasedLock& lock, Progress& progress) {
    wait_until_at_rest(lock);
    advance(QueuePairEvent::flush);
    if (state_.load(std::memory_order_relaxed) == QueuePairState::idle) return responder_.flush(progress);
    const bool sound = !initiator_.failed() && !initiator_.abandoned() && !responder_.failed();
    flushing_ = true;
    while (!stop_requests()) let_others_in(lock);
    flushing_ = false;
    flushed_ = flushed_ || sound;
    flush_queues(progress);
    if (initiator_.abandoned()) settle(progress);
}

void Lifecycle::end(BiasedLock& lock, Status oldest, Progress& progress) {
    stop(lock, oldest, progress);
    // stop() has flushed, unless a copy or the peer held that up. Then the rest waits and flushes; else the queues are empty.
    while (!stop_requests()) let_others_in(lock);
    wait_until_at_rest(lock);
    flush_queues(progress);
    if (channel_) channel_->close();
}

bool Lifecycle::try_end(BiasedLock& lock, Status oldest, Progress& progress) {
    initiator_.stop();
    if (!is_at_rest()) return false;
    stop(lock, oldest, progress);
    return stop_requests();
}

void Lifecycle::take_last_arrivals(BiasedLock& lock, Progress& progress) {
    run_arrivals(lock, progress);
    responder_.stop_waiting();
    forget_connection();
    channel_->peer().read_counters();
    if (!initiator_.failed()) initiator_.reap(*channel_, progress);
    if (ConnectionTap* const tap = channel_->facts().tap) tap->on_peers_end();
}

void Lifecycle::stop(BiasedLock& lock, Status oldest, Progress& progress) {
    run_arrivals(lock, progress);  // ND2-QP-RECV-05
    decline_arrival(lock, progress);
    forget_connection();
    oldest_ = oldest;
    settle(progress);
}

void Lifecycle::run_arrivals(BiasedLock& lock, Progress& progress) {
    Channel* const channel = channel_.get();
    wait_until_at_rest(lock);
    if (!channel || state_.load(std::memory_order_relaxed) != QueuePairState::attached) return;
    for (int round = 0; round < kLastRounds && !responder_.failed() && channel->has_arrival(); ++round) {
        const std::uint32_t before = channel->taken();
        responder_.run(*channel, lock, progress);
        wait_until_at_rest(lock);
        if (channel->taken() == before) break;
    }
    // A message that its sender has taken back meanwhile is canceled there, and not refused (ND2-CON-DISC-05).
    if (responder_.starved() && channel->has_arrival()) channel->refuse(Status::timed_out);  // ND2-QP-SEND-06
}

// ---- copies under way

bool Lifecycle::is_at_rest() {
    if (responder_.busy()) return false;
    if (!initiator_.busy()) return true;
    if (!channel_->abandon_start()) return false;
    initiator_.abandon_start();
    report_abandoned(initiator_.number());
    return true;
}

void Lifecycle::wait_until_at_rest(BiasedLock& lock) {
    while (!is_at_rest()) let_others_in(lock);
}

void Lifecycle::wait_for_responder(BiasedLock& lock) {
    while (responder_.busy()) let_others_in(lock);
}

// Releases the lock for a moment: other threads may run the queue pair then, the service thread above all.
void Lifecycle::let_others_in(BiasedLock& lock) {
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
}

}  // namespace opennd::soft
