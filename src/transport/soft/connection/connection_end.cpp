// SPDX-License-Identifier: MIT
// Connection: the ends that this side does not simply make. First the end that both sides want (NDK-CON-DISC-01 to -04): each
// side carries its requests out and tells the peer that it has finished; the connection is over for a side that has told it
// and was told the same. A peer that knows nothing of this ends the connection when it is told, which answers as well. Then
// the peer's end, and the queue pair's.
#include <chrono>
#include <utility>

#include "platform/process/clock.h"
#include "transport/soft/connection/connection.h"

namespace opennd::soft {

// ---- the end that both sides want -----------------------------------------------------------------------------------

void Connection::finish(std::chrono::milliseconds patience) {
    {
        const Held lock(mutex_);
        if (state_ != State::established) {
            const Status outcome = ended_in_order_ ? Status::success : Status::connection_aborted;
            later(to_sink([outcome](ConnectorSink& sink) { sink.on_finished(outcome); }));
            return;
        }
        if (!graceful_.advance(GracefulEvent::begin)) return;
        patience_ = adapter_->event_loop().schedule(
            now() + patience, [self = Ref<Connection>(this)] { self->finish_graceful_end(Status::timed_out); });
    }
    adapter_->event_loop().repeat([self = Ref<Connection>(this)] { return self->tell_once_drained(); });
}

// Returns false if requests are still on their way, or if the wire is not ready.
bool Connection::tell_once_drained() {
    Ref<SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        if (state_ != State::established || graceful_ != GracefulEnd::draining) return true;
        queue_pair = queue_pair_;
    }
    queue_pair->run();
    const bool drained = queue_pair->is_idle();
    bool both_finished = false;
    {
        const Held lock(mutex_);
        if (state_ != State::established || graceful_ != GracefulEnd::draining) return true;
        if (!drained || !tell_finished()) return false;
        graceful_.must_advance(GracefulEvent::tell);
        both_finished = peer_finished_;
    }
    if (both_finished) finish_graceful_end(Status::success);
    return true;
}

bool Connection::finish_graceful_end(Status outcome) {
    {
        const Held lock(mutex_);
        if (graceful_ == GracefulEnd::none) return false;
    }
    adapter_->event_loop().repeat([self = Ref<Connection>(this), outcome] { return self->try_finish(outcome); });
    return true;
}

// Returns false if the peer is in the middle of a message, or says so.
bool Connection::try_finish(Status outcome) {
    Ref<SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        if (state_ != State::established || graceful_ == GracefulEnd::over) return true;
        queue_pair = queue_pair_;
    }
    if (holds_ == PeerHolds::copies && !queue_pair->try_end(Status::canceled)) return false;
    {
        const Held lock(mutex_);
        if (state_ != State::established || !graceful_.advance(GracefulEvent::finish)) return true;
    }
    end_connection(ok(outcome) ? Farewell::order : Farewell::unfinished);
    later(to_sink([outcome](ConnectorSink& sink) { sink.on_finished(outcome); }));
    return true;
}

Connection::Call Connection::peer_finished() {
    if (std::exchange(peer_finished_, true)) return {};
    switch (graceful_.state()) {
        case GracefulEnd::none: return due([self = Ref<Connection>(this)] { self->answer_peer_finished(); });
        case GracefulEnd::draining: outlive_peers_finish(); return {};
        case GracefulEnd::told:
            // Both sides have finished. Where the peer holds nothing, nothing of this side is left to come to rest.
            if (holds_ == PeerHolds::nothing) return end_answered(queue_pair_, EndCause::disconnect);
            return due([self = Ref<Connection>(this)] { self->finish_graceful_end(Status::success); });
        case GracefulEnd::over: return {};
    }
    return {};
}

void Connection::answer_peer_finished() {
    bool goes_on = false;
    to_sink([&goes_on](ConnectorSink& sink) { goes_on = sink.on_peer_finished(); })();
    under_lock([&]() REQUIRES(mutex_) {
        if (state_ != State::established) return Call();
        if (!goes_on && graceful_ == GracefulEnd::none) return take_as_end();
        outlive_peers_finish();
        return Call();
    });
}

Connection::Call Connection::end_answered(Ref<SoftQueuePair> queue_pair, EndCause cause) {
    const Status outcome = cause == EndCause::disconnect ? Status::success : Status::connection_aborted;
    const bool was_known = !graceful_.advance(GracefulEvent::finish);
    conclude();
    return at_rest(queue_pair, due([self = Ref<Connection>(this), queue_pair, was_known, outcome] {
                       queue_pair->end(Status::canceled);
                       if (!was_known) self->to_sink([outcome](ConnectorSink& sink) { sink.on_finished(outcome); })();
                   }));
}

bool Connection::answer_graceful_end() {
    const Held lock(mutex_);
    return graceful_.advance(GracefulEvent::finish);
}

Connection::Call Connection::at_rest(Ref<SoftQueuePair> queue_pair, Call call) {
    auto attempt = [self = Ref<Connection>(this), queue_pair = std::move(queue_pair), call = std::move(call)] {
        if (self->holds_ == PeerHolds::copies && !queue_pair->quiesce()) return false;
        call();
        return true;
    };
    // The first attempt asks for no memory: the connection has ended, and nothing would bring the call again.
    return due([loop = &adapter_->event_loop(), attempt = std::move(attempt)] { loop->repeat(attempt); });
}

// ---- the peer's end, and the queue pair's ---------------------------------------------------------------------------

Connection::Call Connection::peer_ended(Status to_establishing, EndCause cause) {
    const State before = state();
    const Ref<SoftQueuePair> queue_pair = queue_pair_;
    const auto tell_failure = [=](ConnectorSink& sink) { sink.on_establish_failed(to_establishing); };
    conclude();
    switch (before) {
        case State::requested: return tell_abandoned(to_establishing);
        case State::replied: given_up_ = queue_pair; return to_sink(tell_failure);
        case State::accepting:
            return at_rest(queue_pair, due([queue_pair, tell = to_sink(tell_failure)] {
                               queue_pair->end(Status::canceled);
                               tell();
                           }));
        case State::established:
            ended_in_order_ = cause == EndCause::disconnect;
            if (graceful_ != GracefulEnd::none) return end_answered(queue_pair, cause);
            return at_rest(queue_pair, due([self = Ref<Connection>(this), queue_pair,
                                            tell = to_sink([=](ConnectorSink& sink) { sink.on_disconnected(cause); })] {
                               queue_pair->take_last_arrivals();
                               tell();
                               queue_pair->start_retry_time();
                           }));
        case State::idle:
        case State::dialing:
        case State::requesting:
        case State::awaiting:
        case State::ended: return {};
    }
    return {};
}

// The queue pair failed or was released: this side ends the connection. Any thread.
void Connection::queue_pair_ended(EndCause cause) {
    State before;
    bool completed = false;
    Carrier carrier;
    {
        const Held lock(mutex_);
        if (!is_up()) return;
        before = state();
        completed = before == State::established || peer_has_completed();
        carrier = carrier_;
    }
    if (finish_graceful_end(Status::connection_aborted)) return;
    const bool released = cause == EndCause::release;
    end_connection(released ? Farewell::order : Farewell::failure);
    const bool was_wanted = answer_graceful_end();
    later(to_sink([=, carrier = std::move(carrier)](ConnectorSink& sink) {
        if (was_wanted) return sink.on_finished(Status::connection_aborted);
        if (before == State::accepting) {
            // The failure may be one of the peer's first messages, before the program learns that the peer has completed.
            if (released || !completed)
                return sink.on_establish_failed(released ? Status::canceled : Status::connection_aborted);
            sink.on_established(carrier);
        }
        sink.on_disconnected(cause);
    }));
}

// Ends the connection as one that lost its peer. If this side ends it anyway, or the Accept is not complete, it ends as
// for a failure of this side.
void Connection::lose_peer() {
    Ref<SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        if (!is_up()) return;
        if (state_ == State::established && graceful_ == GracefulEnd::none) {
            queue_pair = queue_pair_;
            prepare_farewell(Farewell::death);
        }
    }
    if (!queue_pair) return queue_pair_ended(EndCause::failure);
    at_rest(queue_pair, [self = Ref<Connection>(this), queue_pair] {
        queue_pair->take_last_arrivals();
        self->adapter_->event_loop().repeat([self, queue_pair] { return self->try_end_without_peer(queue_pair); });
    })();
}

// Ends the connection as peer_ended() does, but the peer lives. It is told when nothing of this side touches its memory
// any more, and the service thread does not wait until it has left a message of this side.
bool Connection::try_end_without_peer(const Ref<SoftQueuePair>& queue_pair) {
    if (!queue_pair->stop_requests()) return false;
    {
        const Held lock(mutex_);
        if (state_ != State::established) return true;  // the program was quicker, and knows
        say_farewell(Farewell::death);
        conclude();
    }
    const bool was_wanted = answer_graceful_end();  // the program has asked for the end meanwhile
    if (was_wanted) queue_pair->end(Status::canceled);
    to_sink([was_wanted](ConnectorSink& sink) {
        if (was_wanted) return sink.on_finished(Status::connection_aborted);
        sink.on_disconnected(EndCause::reset);
    })();
    if (!was_wanted) queue_pair->start_retry_time();
    return true;
}

}  // namespace opennd::soft
