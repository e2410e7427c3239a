// SPDX-License-Identifier: MIT
// SoftQueuePair: its connection, its ends, and the timers that bring a thread back. See queue_pair.h.
#include <chrono>
#include <utility>

#include "base/explanation.h"
#include "base/until_memory.h"
#include "platform/process/clock.h"
#include "transport/soft/channel/access_end.h"
#include "transport/soft/channel/channel_layer.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/service.h"
#include "transport/soft/queue_pair/queue_pair.h"

namespace opennd::soft {
namespace {

// An untaken request times out after the peer has left: after kRetries checks, kRetryDistance apart: 2 s
// (ND1-EP-GEN-21).
constexpr int kRetries = 4;
constexpr std::chrono::milliseconds kRetryDistance{500};
// The time that a program which is told of the end has before its requests flush (docs/decisions/0023).
constexpr std::chrono::milliseconds kHeadStart{10};

}  // namespace

bool SoftQueuePair::attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits) {
    const Held held(lock_);
    if (!transition(state_.load(std::memory_order_relaxed), QueuePairEvent::attach)) return false;
    initiator_.set_read_limit(limits.outbound);
    taken_at_attach_.store(channel->taken(), std::memory_order_relaxed);
    put_channel(std::move(channel));
    life_.attach(std::move(connection));
    return true;
}

void SoftQueuePair::put_channel(Ref<Channel> channel) {
    channel_owner_ = std::move(channel);
    ConnectionTap* const tap = channel_owner_->facts().tap;
    responder_.set_tap(tap);
    if (tap) tap->on_tapped(initiator_.reads_in_flight());
    channel_.store(channel_owner_.get(), std::memory_order_release);
}

// The connector's lock comes before the queue pair's. A thread in the middle of a copy goes on with the channel as it was.
bool SoftQueuePair::capture() {
    Ref<ConnectionEnd> connection;
    {
        const Held held(lock_);
        connection = life_.connection();
    }
    const auto facts = connection ? connection->facts() : std::nullopt;
    if (!facts) return false;
    const Held held(lock_);
    if (!is(QueuePairState::attached)) return false;
    Ref<Channel> layered = adapter_->layer().wrap(channel_owner_, *facts);
    if (layered.get() != channel_owner_.get()) put_channel(std::move(layered));
    return true;
}

// ---- the ends

void SoftQueuePair::flush() {
    Progress progress;
    {
        const Held held(lock_);
        life_.flush(lock_, progress);
    }
    progress.after.run();
}

void SoftQueuePair::end(Status oldest) {
    Progress progress;
    {
        const Held held(lock_);
        life_.end(lock_, oldest, progress);
    }
    progress.after.run();
}

bool SoftQueuePair::try_end(Status oldest) {
    Progress progress;
    bool is_over = false;
    {
        const Held held(lock_);
        is_over = life_.try_end(lock_, oldest, progress);
    }
    progress.after.run();
    return is_over;
}

void SoftQueuePair::end_soon(Status oldest) {
    until_memory([&] {
        adapter_->event_loop().schedule(now() + kHeadStart, [self = Ref<SoftQueuePair>(this), oldest] {
            if (self->state() == QueuePairState::attached) self->end(oldest);
        });
    });
}

void SoftQueuePair::fail(Progress& progress) {
    const Held held(lock_);
    responder_.fail();
    life_.settle(progress);
}

void SoftQueuePair::take_last_arrivals() {
    Progress progress;
    {
        const Held held(lock_);
        life_.take_last_arrivals(lock_, progress);
    }
    progress.after.run();
}

bool SoftQueuePair::stop_requests() {
    const Held held(lock_);
    return life_.is_at_rest() && life_.stop_requests();
}

bool SoftQueuePair::quiesce() {
    const Held held(lock_);
    return life_.is_at_rest();
}

bool SoftQueuePair::end_accesses(Token remote, const AccessEnd& end) {
    if (!lock_.wait_until_left() && !end_copies()) return false;
    Channel* const channel = this->channel();
    return !channel || end.wait_for_peer(*channel, remote);
}

// Waits for copies of this side. Returns false if one was abandoned meanwhile.
bool SoftQueuePair::end_copies() {
    const Held held(lock_);
    const bool known = initiator_.abandoned();
    life_.wait_until_at_rest(lock_);
    return initiator_.abandoned() == known;
}

void SoftQueuePair::wait_for_responder() {
    const Held held(lock_);
    life_.wait_for_responder(lock_);
}

// ---- timers

void SoftQueuePair::run_deferred() {
    Ref<ConnectionEnd> failed;
    PeerWait::Due due;
    {
        const Held held(lock_);
        failed = life_.take_failed();
        due = peer_wait_.take_due();
    }
    if (failed) failed->queue_pair_failed();
    if (due.starvation != 0)
        until_memory([&] {
            adapter_->event_loop().schedule(
                now() + adapter_->no_receive_time(),
                [self = Ref<SoftQueuePair>(this), wait = due.starvation] { self->give_up_waiting(wait); });
        });
    if (due.revisit)
        until_memory([&] {
            service().loop().schedule(now() + channel()->revisit_delay(),
                                      [self = Ref<SoftQueuePair>(this)] { self->revisit(); });
        });
}

// Runs the queue pair once more, on the service thread, which schedules the next time if the work waits still.
void SoftQueuePair::revisit() {
    bool nudges = false;
    {
        const Held held(lock_);
        peer_wait_.expire();
        if (!is(QueuePairState::attached)) {
            if (!life_.is_held_up()) return;
        } else {
            if (!peer_wait_.goes_on(is_armed())) return;
            nudges = peer_wait_.is_nudge_due();
        }
    }
    if (nudges) channel()->peer().nudge();
    service().serve(*this);
}

// Refuses the message that waits for a receive since the wait `starvation` began, and ends the connection, if it waits
// still. The message's sender gets timed_out (ND2-QP-SEND-05).
void SoftQueuePair::give_up_waiting(std::uint32_t starvation) {
    Progress progress;
    {
        const Held held(lock_);
        if (peer_wait_.starves_since(starvation)) run_whole(progress);  // the peer may have taken the message back
        if (peer_wait_.starves_since(starvation)) {
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
            life_.settle(progress);
        }
    }
    progress.after.run();
}

void SoftQueuePair::start_retry_time() { check_oldest(0, kRetries + 1); }

// Checks, after the peer has left and until this queue pair is ended, whether the oldest request is the same at
// kRetries checks.
void SoftQueuePair::check_oldest(std::uint32_t oldest, int times) {
    Progress progress;
    {
        const Held held(lock_);
        if (!is(QueuePairState::attached)) return;
        if (initiator_.idle() || initiator_.head() != oldest) times = kRetries + 1;
        oldest = initiator_.head();
        if (--times == 0) life_.time_out(progress);
    }
    progress.after.run();
    if (times == 0) return;
    until_memory([&] {
        adapter_->event_loop().schedule(now() + kRetryDistance, [self = Ref<SoftQueuePair>(this), oldest, times] {
            self->check_oldest(oldest, times);
        });
    });
}

}  // namespace opennd::soft
