// SPDX-License-Identifier: MIT
// SoftQueuePair, its ends: by this side, by the peer, by the program's release.
#include <chrono>

#include "base/explanation.h"
#include "platform/process/clock.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/queue_pair.h"

namespace opennd::soft {
namespace {

// Rounds that move up the arrivals of before the end; a later arrival came after it.
constexpr int kLastRounds = 8;
// After the peer has left, an untaken request times out after kRetries checks, kRetryDistance apart: 2 s (ND1-EP-GEN-21).
constexpr int kRetries = 4;
constexpr std::chrono::milliseconds kRetryDistance{500};
// How long a program that is told of the end has before its requests flush (docs/decisions/0023).
constexpr std::chrono::milliseconds kHeadStart{10};

}  // namespace

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

void SoftQueuePair::stop(Status oldest, Progress& progress) {
    run_arrivals(progress);    // ND2-QP-RECV-05
    failure_reported_ = true;  // the connection knows
    connection_ = nullptr;
    end_ = oldest;
    settle(progress);
}

bool SoftQueuePair::try_end(Status oldest) {
    Progress progress;
    bool at_rest = false;
    {
        const Held lock(lock_);
        initiator_.stop();
        if (is_at_rest()) {
            stop(oldest, progress);
            at_rest = !channel_owner_ || channel_owner_->hold_back();
        }
    }
    progress.do_deferred();
    return at_rest;
}

bool SoftQueuePair::come_to_rest() {
    const Held lock(lock_);
    return is_at_rest();
}

void SoftQueuePair::end(Status oldest) {
    Progress progress;
    {
        const Held lock(lock_);
        stop(oldest, progress);
        wait_until_held_back();
        wait_until_at_rest();
        flush_queues(progress);
        if (channel_owner_) channel_owner_->close();
    }
    progress.do_deferred();
}

void SoftQueuePair::end_soon(Status oldest) {
    adapter_->event_loop().schedule(now() + kHeadStart, [self = Ref<SoftQueuePair>(this), oldest] {
        if (self->state() == QueuePairState::attached) self->end(oldest);
    });
}

bool SoftQueuePair::finish_requests() {
    Progress progress;
    run(progress);
    progress.do_deferred();
    const Held lock(lock_);
    return initiator_.idle() && !initiator_.busy();
}

void SoftQueuePair::end_by_peer() {
    Progress progress;
    {
        const Held lock(lock_);
        run_arrivals(progress);
        responder_.stop_waiting();
        failure_reported_ = true;
        connection_ = nullptr;
        channel_owner_->read_peer_counters();
        if (!initiator_.failed()) initiator_.reap(*channel_owner_, progress);
    }
    progress.do_deferred();
}

void SoftQueuePair::start_retry_time() {
    std::uint32_t oldest = 0;
    {
        const Held lock(lock_);
        if (state_.load(std::memory_order_relaxed) != QueuePairState::attached) return;
        oldest = initiator_.head();
    }
    retry_later(oldest, kRetries);
}

void SoftQueuePair::retry_later(std::uint32_t oldest, int times) {
    adapter_->event_loop().schedule(now() + kRetryDistance,
                                    [self = Ref<SoftQueuePair>(this), oldest, times] { self->retry(oldest, times); });
}

// The peer has left. Until this queue pair is ended: has the oldest request been the same at kRetries checks?
void SoftQueuePair::retry(std::uint32_t oldest, int times) {
    Progress progress;
    {
        const Held lock(lock_);
        if (state_.load(std::memory_order_relaxed) != QueuePairState::attached) return;
        if (initiator_.idle() || initiator_.head() != oldest) times = kRetries + 1;
        oldest = initiator_.head();
        if (--times == 0) {
            end_ = report(Status::timed_out, {.object = "queue pair",
                                              .operation = "a request of this side",
                                              .asked = "an answer of the peer",
                                              .limit = "2 s after the peer has disconnected",
                                              .remedy = "disconnect too, once NotifyDisconnect has completed",
                                              .requirement = "ND1-EP-GEN-21",
                                              .cause = LogCause::peer});
            settle(progress);
        }
    }
    progress.do_deferred();
    if (times != 0) retry_later(oldest, times);
}

void SoftQueuePair::close() {
    Ref<ConnectionEnd> connection;
    {
        const Held lock(lock_);
        connection = connection_;
    }
    if (connection) connection->queue_pair_closed();
    end_by_this_side();
    receives_->detach(*this, limits_.receive_depth, responder_.freed());
    initiators_->detach(*this, limits_.initiator_depth, initiator_.freed());
    if (shared_) shared_->detach(*this);
    Ref<Channel> channel;
    {
        const Held lock(lock_);
        channel = channel_owner_;
    }
    adapter_->remove(*this, std::move(channel));
}

}  // namespace opennd::soft
