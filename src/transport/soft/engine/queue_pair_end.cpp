// SPDX-License-Identifier: MIT
// SoftQueuePair, its ends: flush, by this side, by the peer, by the program's release. Next: engine_end.cpp.
#include <chrono>

#include "base/explanation.h"
#include "base/until_memory.h"
#include "platform/process/clock.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/queue_pair.h"

namespace opennd::soft {
namespace {

// After the peer has left, an untaken request times out after kRetries checks, kRetryDistance apart: 2 s (ND1-EP-GEN-21).
constexpr int kRetries = 4;
constexpr std::chrono::milliseconds kRetryDistance{500};
// How long a program that is told of the end has before its requests flush (docs/decisions/0023).
constexpr std::chrono::milliseconds kHeadStart{10};

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

void SoftQueuePair::flush() {
    Progress progress;
    {
        const Held held(engine_.lock);
        engine_.flush(progress);
    }
    progress.after.run();
}

bool SoftQueuePair::try_end(Status oldest) {
    Progress progress;
    bool at_rest = false;
    {
        const Held held(engine_.lock);
        at_rest = engine_.try_end(oldest, progress);
    }
    progress.after.run();
    return at_rest;
}

bool SoftQueuePair::come_to_rest() {
    const Held held(engine_.lock);
    return engine_.is_at_rest();
}

void SoftQueuePair::end(Status oldest) {
    Progress progress;
    {
        const Held held(engine_.lock);
        engine_.end(oldest, progress);
    }
    progress.after.run();
}

void SoftQueuePair::end_soon(Status oldest) {
    until_memory([&] {
        adapter_->event_loop().schedule(now() + kHeadStart, [self = Ref<SoftQueuePair>(this), oldest] {
            if (self->state() == QueuePairState::attached) self->end(oldest);
        });
    });
}

bool SoftQueuePair::finish_requests() {
    Progress progress;
    run(progress);
    progress.after.run();
    const Held held(engine_.lock);
    return engine_.initiator().idle() && !engine_.initiator().busy();
}

void SoftQueuePair::end_by_peer() {
    Progress progress;
    {
        const Held held(engine_.lock);
        engine_.end_by_peer(progress);
    }
    progress.after.run();
}

bool SoftQueuePair::hold_back() {
    const Held held(engine_.lock);
    return engine_.is_at_rest() && engine_.owned_channel()->access().hold_back();
}

void SoftQueuePair::start_retry_time() {
    std::uint32_t oldest = 0;
    {
        const Held held(engine_.lock);
        if (state() != QueuePairState::attached) return;
        oldest = engine_.initiator().head();
    }
    retry_later(oldest, kRetries);
}

void SoftQueuePair::retry_later(std::uint32_t oldest, int times) {
    until_memory([&] {
        adapter_->event_loop().schedule(
            now() + kRetryDistance, [self = Ref<SoftQueuePair>(this), oldest, times] { self->retry(oldest, times); });
    });
}

// The peer has left. Until this queue pair is ended: has the oldest request been the same at kRetries checks?
void SoftQueuePair::retry(std::uint32_t oldest, int times) {
    Progress progress;
    {
        const Held held(engine_.lock);
        if (state() != QueuePairState::attached) return;
        const Initiator& initiator = engine_.initiator();
        if (initiator.idle() || initiator.head() != oldest) times = kRetries + 1;
        oldest = initiator.head();
        if (--times == 0) engine_.flush_with(report_untaken(initiator.number()), progress);
    }
    progress.after.run();
    if (times != 0) retry_later(oldest, times);
}

void SoftQueuePair::close() {
    Ref<ConnectionEnd> connection;
    {
        const Held held(engine_.lock);
        connection = engine_.connection();
    }
    if (connection) connection->queue_pair_closed();
    end_by_this_side();
    receives_->detach(*this, limits_.receive_depth);
    initiators_->detach(*this, limits_.initiator_depth);
    receives_->results().forget(engine_.freed_receives());
    initiators_->results().forget(engine_.freed_requests());
    if (shared_) shared_->detach(*this);
    Ref<Channel> channel;
    {
        const Held held(engine_.lock);
        channel = engine_.owned_channel();
    }
    adapter_->remove(*this, std::move(channel));
}

}  // namespace opennd::soft
