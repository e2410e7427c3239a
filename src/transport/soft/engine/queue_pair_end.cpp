// SPDX-License-Identifier: MIT
// SoftQueuePair, its ends: flush, failure, this side's end, the peer's, and the waits for copies. See queue_pair.h.
#include <chrono>
#include <thread>

#include "base/explanation.h"
#include "base/until_memory.h"
#include "platform/process/clock.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/queue_pair.h"
#include "transport/soft/engine/receive_turn.h"

namespace opennd::soft {
namespace {

// The rounds that move up the arrivals of before the end; a later arrival came after it.
constexpr int kLastRounds = 8;
// An untaken request times out after the peer has left: after kRetries checks, kRetryDistance apart: 2 s
// (ND1-EP-GEN-21).
constexpr int kRetries = 4;
constexpr std::chrono::milliseconds kRetryDistance{500};
// The time that a program which is told of the end has before its requests flush (docs/decisions/0023).
constexpr std::chrono::milliseconds kHeadStart{10};

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

// ---- the program's

// Waits for copies, and for a peer in the middle of a message. The connection goes on.
void SoftQueuePair::flush() {
    Progress progress;
    {
        const Held held(lock_);
        wait_until_at_rest();
        must_advance(QueuePairEvent::flush);
        if (state_.load(std::memory_order_relaxed) == QueuePairState::idle) {
            responder_.flush(progress);
        } else {
            const bool sound = !initiator_.failed() && !initiator_.abandoned() && !responder_.failed();
            flushing_ = true;
            wait_until_held_back();
            flushing_ = false;
            flushed_ = flushed_ || sound;
            flush_queues(progress);
            if (initiator_.abandoned()) settle(progress);
        }
    }
    progress.after.run();
}

// Waits as flush() does, then flushes the oldest request with `oldest` and closes the channel.
void SoftQueuePair::end(Status oldest) {
    Progress progress;
    {
        const Held held(lock_);
        stop(oldest, progress);
        wait_until_held_back();
        wait_until_at_rest();
        flush_queues(progress);
        if (channel_owner_) channel_owner_->close();
    }
    progress.after.run();
}

bool SoftQueuePair::try_end(Status oldest) {
    Progress progress;
    bool at_rest = false;
    {
        const Held held(lock_);
        initiator_.stop();
        at_rest = is_at_rest();
        if (at_rest) {
            stop(oldest, progress);
            at_rest = !channel_owner_ || channel_owner_->access().hold_back();
        }
    }
    progress.after.run();
    return at_rest;
}

void SoftQueuePair::end_soon(Status oldest) {
    until_memory([&] {
        adapter_->event_loop().schedule(now() + kHeadStart, [self = Ref<SoftQueuePair>(this), oldest] {
            if (self->state() == QueuePairState::attached) self->end(oldest);
        });
    });
}

void SoftQueuePair::stop(Status oldest, Progress& progress) {
    run_arrivals(progress);  // ND2-QP-RECV-05
    decline_arrival(progress);
    forget_connection();
    end_ = oldest;
    settle(progress);
}

void SoftQueuePair::run_arrivals(Progress& progress) {
    Channel* const channel = channel_owner_.get();
    wait_until_at_rest();
    if (!channel || state_.load(std::memory_order_relaxed) != QueuePairState::attached) return;
    for (int round = 0; round < kLastRounds && !responder_.failed() && channel->has_arrival(); ++round) {
        const std::uint32_t before = channel->taken();
        responder_.run(*channel, lock_, progress);
        wait_until_at_rest();
        if (channel->taken() == before) break;
    }
    if (responder_.starved()) channel->refuse(Status::timed_out);  // ND2-QP-SEND-06
}

// Declines a message after the program flushed, while the connection exists still: a receive will not be posted
// (ND2-QP-FLUSH-03). A message that meets another end is canceled with its connection, and not refused
// (ND2-CON-DISC-05, ND2-QP-ERR-01).
void SoftQueuePair::decline_arrival(Progress& progress) {
    const bool is_over = failure_reported_ || !channel_owner_;
    if (!flushed_ || is_over || flushing_ || responder_.busy()) return;
    ReceiveTurn turn(responder_, *channel_owner_, lock_, progress);
    if (channel_owner_->decline(turn)) flushed_ = false;
}

// Forgets a connection that knows of its end: it is told nothing more.
void SoftQueuePair::forget_connection() {
    failure_reported_ = true;
    connection_ = nullptr;
}

// ---- a failure

void SoftQueuePair::fail(Progress& progress) {
    const Held held(lock_);
    responder_.fail();
    settle(progress);
}

void SoftQueuePair::fail() {
    Progress progress;
    fail(progress);
    progress.after.run();
}

// Settles a queue pair in error: flushes once no thread is in a long copy and the peer in no message of this side, and
// reports the failure once.
void SoftQueuePair::settle(Progress& progress) {
    must_advance(QueuePairEvent::fail);
    const bool failed = initiator_.failed() || responder_.failed();
    if (flushing_ || initiator_.busy() || responder_.busy()) return;  // the thread inside comes here when it is done
    held_up_ = channel_owner_ && !channel_owner_->access().hold_back();
    if (held_up_) return schedule_revisit(progress);
    flush_queues(progress);
    if (!failed || failure_reported_ || !connection_) return;
    failure_reported_ = true;
    deferred_.failed_connection = connection_;
    progress.after.add(Turn::connection, *this);
}

void SoftQueuePair::flush_queues(Progress& progress) {
    initiator_.flush(channel_owner_.get(), progress, end_);
    responder_.flush(progress);
}

// ---- the peer's

void SoftQueuePair::end_by_peer() {
    Progress progress;
    {
        const Held held(lock_);
        run_arrivals(progress);
        responder_.stop_waiting();
        forget_connection();
        channel_owner_->peer().read_counters();
        if (!initiator_.failed()) initiator_.reap(*channel_owner_, progress);
        if (ConnectionTap* const tap = channel_owner_->facts().tap) tap->on_peers_end();
    }
    progress.after.run();
}

bool SoftQueuePair::hold_back() {
    const Held held(lock_);
    return is_at_rest() && channel_owner_->access().hold_back();
}

void SoftQueuePair::start_retry_time() {
    std::uint32_t oldest = 0;
    {
        const Held held(lock_);
        if (state() != QueuePairState::attached) return;
        oldest = initiator_.head();
    }
    retry_later(oldest, kRetries);
}

void SoftQueuePair::retry_later(std::uint32_t oldest, int times) {
    until_memory([&] {
        adapter_->event_loop().schedule(
            now() + kRetryDistance, [self = Ref<SoftQueuePair>(this), oldest, times] { self->retry(oldest, times); });
    });
}

// Checks, after the peer has left and until this queue pair is ended, whether the oldest request is the same at
// kRetries checks.
void SoftQueuePair::retry(std::uint32_t oldest, int times) {
    Progress progress;
    {
        const Held held(lock_);
        if (state() != QueuePairState::attached) return;
        if (initiator_.idle() || initiator_.head() != oldest) times = kRetries + 1;
        oldest = initiator_.head();
        if (--times == 0) {
            end_ = report_untaken(initiator_.number());
            settle(progress);
        }
    }
    progress.after.run();
    if (times != 0) retry_later(oldest, times);
}

// ---- copies under way

bool SoftQueuePair::come_to_rest() {
    const Held held(lock_);
    return is_at_rest();
}

// Returns true if no thread is in a copy. A copy that the peer holds up for too long is abandoned, and does not count.
bool SoftQueuePair::is_at_rest() {
    if (responder_.busy()) return false;
    if (!initiator_.busy()) return true;
    if (!channel_owner_->abandon_start()) return false;
    initiator_.abandon_start();
    report_abandoned(initiator_.number());
    return true;
}

void SoftQueuePair::wait_until_at_rest() {
    while (!is_at_rest()) let_others_in();
}

void SoftQueuePair::wait_until_held_back() {
    while (channel_owner_ && !channel_owner_->access().hold_back()) let_others_in();
}

// Releases the lock for a moment: other threads may run the queue pair then, the service thread above all.
void SoftQueuePair::let_others_in() {
    lock_.unlock();
    std::this_thread::yield();
    lock_.lock();
}

}  // namespace opennd::soft
