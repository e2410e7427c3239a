// SPDX-License-Identifier: MIT
// LocalConnector, the end that both sides want (NDK-CON-DISC-01 to -04). Each side lets its requests run out, then says so;
// who has said it and heard it is done. A side whose program does not know of this ends the connection instead when it hears
// it, which answers as well.
#include <algorithm>
#include <chrono>
#include <utility>

#include "platform/process/clock.h"
#include "transport/local/connector.h"
#include "transport/local/link.h"

namespace opennd::local {
namespace {

// Requests that are still on their way are looked at again, each time twice as late.
constexpr std::chrono::milliseconds kFirstPause{1};
constexpr std::chrono::milliseconds kLongestPause{16};

}  // namespace

void LocalConnector::end_gracefully(std::chrono::milliseconds patience) {
    {
        const Held lock(mutex_);
        if (state_ != State::established) {
            const Status outcome = ended_in_order_ ? Status::success : Status::connection_aborted;
            later(to_sink([outcome](ConnectorSink& sink) { sink.on_ended(outcome); }));
            return;
        }
        if (ending_ != Ending::no) return;
        ending_ = Ending::draining;
        ending_timer_ = adapter_->event_loop().schedule(
            now() + patience, [self = Ref<LocalConnector>(this)] { self->finish_ending(Status::timed_out); });
    }
    finish_when_drained(kFirstPause);
}

void LocalConnector::finish_when_drained(std::chrono::milliseconds pause) {
    Ref<soft::SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        if (state_ != State::established || ending_ != Ending::draining) return;
        queue_pair = queue_pair_;
    }
    if (!queue_pair->drain()) {
        adapter_->event_loop().schedule(now() + pause, [self = Ref<LocalConnector>(this), pause] {
            self->finish_when_drained(std::min(2 * pause, kLongestPause));
        });
        return;
    }
    bool done = false;
    {
        const Held lock(mutex_);
        if (state_ != State::established || ending_ != Ending::draining) return;
        ending_ = Ending::told;
        ControlMessage message;
        message.type = ControlType::finished;
        tell(message);
        done = peer_finished_;
    }
    if (done) finish_ending(Status::success);
}

// False: no such end was under way. The queue pair is flushed before the sink hears.
bool LocalConnector::finish_ending(Status outcome) {
    Ref<soft::SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        if (ending_ == Ending::no) return false;
        if (state_ != State::established || ending_ == Ending::over) return true;
        queue_pair = queue_pair_;
    }
    if (!queue_pair->begin_end(Status::canceled)) {  // the peer is in the middle of a message, or says so
        adapter_->event_loop().schedule(now() + kFirstPause,
                                        [self = Ref<LocalConnector>(this), outcome] { self->finish_ending(outcome); });
        return true;
    }
    {
        const Held lock(mutex_);
        if (state_ != State::established || std::exchange(ending_, Ending::over) == Ending::over) return true;
    }
    end_connection(ok(outcome) ? ControlType::disconnect : ControlType::abort);
    later(to_sink([outcome](ConnectorSink& sink) { sink.on_ended(outcome); }));
    return true;
}

// The peer has sent its last. What it sent lies in the lane, for it said so after this side had taken all of it.
LocalConnector::Call LocalConnector::handle_finished() {
    if (state_ != State::established || peer_finished_)
        return out_of_turn("the end of what has not begun, or has ended");
    peer_finished_ = true;
    const Ref<LocalConnector> self(this);
    if (ending_ == Ending::told) return [self] { self->finish_ending(Status::success); };
    if (ending_ == Ending::draining) return {};
    return [self] {
        bool goes_on = false;
        self->to_sink([&goes_on](ConnectorSink& sink) { goes_on = sink.on_peer_finished(); })();
        if (!goes_on) self->end_with_peer();
    };
}

// This side takes the peer's notice for an end in order. The peer's queue pair is not at rest: it hears of the end when this
// one is, which then touches nothing of it any more.
void LocalConnector::end_with_peer() {
    Ref<soft::SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        if (state_ != State::established || ending_ != Ending::no) return;
        queue_pair = queue_pair_;
        channel_->peer_left();
    }
    at_rest(queue_pair, [self = Ref<LocalConnector>(this), queue_pair] {
        queue_pair->peer_ended();
        self->adapter_->service().remove(*queue_pair);
        self->to_sink([](ConnectorSink& sink) { sink.on_disconnected(Status::disconnected); })();
        {
            const Held lock(self->mutex_);
            if (self->state_ == State::established) self->end_with(ControlType::disconnect);
        }
        queue_pair->outlive_peer();
    })();
}

// While this side wanted to end, the peer ended the connection: in order, which answers, or not.
LocalConnector::Call LocalConnector::answered(Ref<soft::SoftQueuePair> queue_pair, Status how) {
    const Status outcome = how == Status::disconnected ? Status::success : Status::connection_aborted;
    const bool known = std::exchange(ending_, Ending::over) == Ending::over;
    return at_rest(queue_pair, [self = Ref<LocalConnector>(this), queue_pair, known, outcome] {
        self->release_queue_pair(queue_pair);
        if (!known) self->to_sink([outcome](ConnectorSink& sink) { sink.on_ended(outcome); })();
    });
}

// `call`, on the service thread, once that waits for no copy of this side's, which the peer can hold up.
LocalConnector::Call LocalConnector::at_rest(Ref<soft::SoftQueuePair> queue_pair, Call call) {
    return [self = Ref<LocalConnector>(this), queue_pair = std::move(queue_pair), call = std::move(call)] {
        if (queue_pair->come_to_rest()) return call();
        self->adapter_->event_loop().schedule(now() + kFirstPause, self->at_rest(queue_pair, call));
    };
}

}  // namespace opennd::local
