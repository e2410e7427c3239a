// SPDX-License-Identifier: MIT
// IwarpConnector, the end that both sides want (NDK-CON-DISC-01 to -04): each lets its requests run out and ends its
// direction of the stream; who has done so and seen the other's end is done. To a peer that knows nothing of this, the end of
// the stream is an end in order, which it answers by its own.
//
// A side that goes on after the other's end gets no more answers: what it sends completes when the stream has taken it, and
// its Reads fail (IwarpChannel::outlive_end).
#include <algorithm>
#include <chrono>
#include <utility>

#include "platform/process/clock.h"
#include "transport/iwarp/handshake/connector.h"
#include "transport/iwarp/handshake/link.h"

namespace opennd::iwarp {
namespace {

// Requests that are still on their way are looked at again, each time twice as late.
constexpr std::chrono::milliseconds kFirstPause{1};
constexpr std::chrono::milliseconds kLongestPause{16};

}  // namespace

void IwarpConnector::end_gracefully(std::chrono::milliseconds patience) {
    {
        const Held lock(mutex_);
        if (state_ != ConnectionState::established) {
            const Status outcome = ended_in_order_ ? Status::success : Status::connection_aborted;
            later(to_sink([outcome](ConnectorSink& sink) { sink.on_ended(outcome); }));
            return;
        }
        if (ending_ != Ending::no) return;
        ending_ = Ending::draining;
        ending_timer_ = adapter_->event_loop().schedule(
            now() + patience, [self = Ref<IwarpConnector>(this)] { self->finish_ending(Status::timed_out); });
    }
    finish_when_drained(kFirstPause);
}

void IwarpConnector::finish_when_drained(std::chrono::milliseconds pause) {
    Ref<soft::SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        if (state_ != ConnectionState::established || ending_ != Ending::draining) return;
        queue_pair = queue_pair_;
    }
    const bool drained = queue_pair->drain();
    bool done = false, again = true;
    {
        const Held lock(mutex_);
        if (state_ != ConnectionState::established || ending_ != Ending::draining) return;
        if (drained && channel_->finish()) {
            ending_ = Ending::told;
            again = false;
            done = peer_finished_;
        }
    }
    if (done) finish_ending(Status::success);
    if (!again) return;
    adapter_->event_loop().schedule(now() + pause, [self = Ref<IwarpConnector>(this), pause] {
        self->finish_when_drained(std::min(2 * pause, kLongestPause));
    });
}

// False: no such end was under way. The queue pair is flushed before the sink hears.
bool IwarpConnector::finish_ending(Status outcome) {
    {
        const Held lock(mutex_);
        if (ending_ == Ending::no) return false;
        if (state_ != ConnectionState::established || std::exchange(ending_, Ending::over) == Ending::over) return true;
        if (!ok(outcome)) channel_->reset_when_closed();
    }
    end_connection(Farewell::order);
    later(to_sink([outcome](ConnectorSink& sink) { sink.on_ended(outcome); }));
    return true;
}

// The peer's stream has ended between two messages.
IwarpConnector::Call IwarpConnector::peer_finished() {
    if (std::exchange(peer_finished_, true)) return {};
    if (ending_ == Ending::told) return answered(queue_pair_, Status::disconnected);
    if (ending_ == Ending::draining) {
        channel_->outlive_end();
        adapter_->service().serve_later(*queue_pair_);
    }
    if (ending_ != Ending::no) return {};
    return [self = Ref<IwarpConnector>(this)] { self->answer_peer_finished(); };
}

void IwarpConnector::answer_peer_finished() {
    bool goes_on = false;
    to_sink([&goes_on](ConnectorSink& sink) { goes_on = sink.on_peer_finished(); })();
    Call call;
    {
        const Held lock(mutex_);
        if (state_ != ConnectionState::established) return;
        if (goes_on || ending_ != Ending::no) {
            channel_->outlive_end();
            adapter_->service().serve_later(*queue_pair_);
        } else {
            call = peer_ended(Status::connection_refused, Status::disconnected);
        }
    }
    if (call) call();
}

// While this side wanted to end, the peer ended the connection: in order, which answers, or not.
IwarpConnector::Call IwarpConnector::answered(Ref<soft::SoftQueuePair> queue_pair, Status how) {
    const Status outcome = how == Status::disconnected ? Status::success : Status::connection_aborted;
    const bool known = std::exchange(ending_, Ending::over) == Ending::over;
    end();
    return [self = Ref<IwarpConnector>(this), queue_pair = std::move(queue_pair), known, outcome] {
        self->release_queue_pair(queue_pair);
        if (!known) self->to_sink([outcome](ConnectorSink& sink) { sink.on_ended(outcome); })();
    };
}

}  // namespace opennd::iwarp
