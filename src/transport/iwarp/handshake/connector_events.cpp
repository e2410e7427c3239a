// SPDX-License-Identifier: MIT
// IwarpConnector: octets and ends that arrive, and deadlines, on the service thread.
#include <array>
#include <chrono>
#include <new>

#include "base/explanation.h"
#include "base/log.h"
#include "base/until_memory.h"
#include "transport/iwarp/handshake/connector.h"

namespace opennd::iwarp {
namespace {

// T_frame: from the first octet of a frame to its last.
constexpr std::chrono::seconds kFramePatience{5};
// The pause before an end that cannot be read yet, because a thread is busy with messages before it, is looked for again.
constexpr std::chrono::milliseconds kLookAgain{2};

// Reports that the peer's host is silent.
void report_lost(const Address& remote, std::chrono::milliseconds dead_after) {
    (void)report(Status::timed_out,
                 {.object = phrase("connection with {}", remote.text()),
                  .operation = "octets for the peer",
                  .asked = "an answer of the peer's host, which has given none",
                  .limit = phrase("{} ms (OPENND_IWARP_DEAD_MS), or less where the network or a host that has started "
                                  "anew says that the connection is gone",
                                  dead_after.count()),
                  .remedy = "see whether the peer's host and the network between are up, and connect again",
                  .requirement = "ND2-QP-ERR-03",
                  .cause = LogCause::peer});
}

}  // namespace

void IwarpConnector::on_ready(std::uint32_t epoll_events) {
    const Ref<IwarpConnector> self(this);  // conclude() may drop the last other reference
    bool streams = false;
    under_lock([&]() REQUIRES(mutex_) {
        streams = is_up();
        return streams ? Call() : on_handshake(epoll_events);
    });
    if (!streams) return;
    look();
    if (const Ref<IwarpChannel> channel = streaming_channel()) channel->begin_to_look();
    if (!EventLoop::tells_end(epoll_events)) return;
    bool looks_again = false;
    under_lock([&]() REQUIRES(mutex_) {
        if (!is_up() || channel_->ended() != IwarpChannel::End::none) return Call();
        // A message before it waits for a receive: octets behind that are not seen.
        looks_again = !channel_->starved();
        if (looks_again) return Call();
        channel_->look_for_break();
        Call call = channel_->ended() == IwarpChannel::End::none
                        ? peer_ended(Status::connection_refused, EndCause::disconnect)
                        : stream_ended();
        looks_again = !call;
        return call;
    });
    if (looks_again)
        adapter_->event_loop().schedule(now() + kLookAgain, [self, epoll_events] { self->on_ready(epoll_events); });
}

// The octets have been taken, and are told once: where there is no memory for them, the connection ends.
IwarpConnector::Call IwarpConnector::on_handshake(std::uint32_t epoll_events) {
    try {
        switch (state()) {
            case State::dialing: return on_dialed();
            case State::requesting: return read_reply();
            case State::awaiting: return read_request(EventLoop::tells_end(epoll_events));
            case State::requested: return watch_request();
            case State::replied:
                if (EventLoop::tells_end(epoll_events))
                    return peer_ended(Status::connection_aborted, EndCause::failure);
                return {};
            default: return {};
        }
    } catch (const std::bad_alloc&) {
        const bool connects = state() == State::dialing || state() == State::requesting;
        return connects ? fail_connect(Status::no_memory) : peer_ended(Status::connection_aborted, EndCause::failure);
    }
}

// Reads until the frame is whole; octets behind it are kept.
IwarpConnector::Frame IwarpConnector::read_frame() {
    const bool had_begun = handshake_->reader->begun();
    for (;;) {
        std::array<std::byte, 1024> octets;
        const auto received = socket_.receive(octets);
        if (received.status() == Status::would_block) {
            if (!had_begun && handshake_->reader->begun())
                set_deadline(kFramePatience);  // once: more octets gain no time
            return Frame::missing;
        }
        if (!received.ok() || received.value() == 0) return Frame::ended;
        std::span<const std::byte> rest = std::span<const std::byte>(octets).first(received.value());
        const auto frame = handshake_->reader->read(rest);
        if (!frame.ok()) {
            handshake_->frame_fault = frame.fault();
            return Frame::faulty;
        }
        if (!frame.value()) continue;
        handshake_->peer_frame = *frame.value();
        handshake_->arrived.assign(rest.begin(), rest.end());
        return Frame::whole;
    }
}

void IwarpConnector::poller_left() {
    Ref<soft::SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        queue_pair = queue_pair_;
    }
    if (queue_pair) queue_pair->trust_pollers_less();
}

// Serves the queue pair, and handles the opening or the end of the stream that this found.
void IwarpConnector::look() {
    Ref<soft::SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        if (!is_up()) return;
        queue_pair = queue_pair_;
    }
    queue_pair->service().serve(*queue_pair);
    Call told, ended;
    {
        const Held lock(mutex_);
        if (state() == State::accepting && channel_->opened()) {
            told = opened();
            watch_idleness();
        }
        ended = stream_ended();
    }
    if (told) until_memory(told);
    if (ended) until_memory(ended);
}

Ref<IwarpChannel> IwarpConnector::streaming_channel() const {
    const Held lock(mutex_);
    return is_up() ? channel_ : nullptr;
}

// A cancelled Connect resets the stream, a rejection ends it in order or with a Terminate (ND2-CON-ACC-10, IW-CM-13).
IwarpConnector::Call IwarpConnector::stream_ended() {
    using How = IwarpChannel::End;
    if (!channel_ || state() == State::ended) return {};
    switch (channel_->ended()) {
        case How::none: break;
        case How::in_order:
            if (state() == State::established) return peer_finished();
            return peer_ended(Status::connection_refused, EndCause::disconnect);
        case How::refused: return peer_ended(Status::connection_refused, EndCause::failure);
        case How::abnormal: return peer_ended(Status::connection_aborted, EndCause::failure);
        case How::reset: return peer_ended(Status::connection_aborted, EndCause::reset);
        case How::lost:
            report_lost(remote_, context_->settings.tcp.dead_after);
            return peer_ended(Status::connection_aborted, EndCause::silence);
    }
    return {};
}

// From here on the deadline is that of a stream without traffic (IW-SEC-25).
void IwarpConnector::watch_idleness() {
    traffic_ = channel_->octets_moved();
    set_deadline(context_->settings.idle);
}

// For both programs it is as if the other had ended the connection in order.
IwarpConnector::Call IwarpConnector::end_idle() {
    const std::uint64_t before = std::exchange(traffic_, channel_->octets_moved());
    if (before != traffic_) {
        set_deadline(context_->settings.idle);
        return {};
    }
    log(LogLevel::info, LogCause::peer,
        "connection: ends after {} ms without traffic, by OPENND_IWARP_IDLE_MS (IW-SEC-25)",
        context_->settings.idle.count());
    return due([self = Ref<IwarpConnector>(this)] {
        self->end_connection(Farewell::order);
        const bool was_wanted = self->answer_graceful_end();
        self->to_sink([was_wanted](ConnectorSink& sink) {
            if (was_wanted) return sink.on_finished(Status::success);
            sink.on_disconnected(EndCause::disconnect);
        })();
    });
}

IwarpConnector::Call IwarpConnector::on_deadline() {
    switch (state()) {
        case State::dialing:
        case State::requesting: return fail_connect(Status::timed_out);
        case State::awaiting:
            log_silence("it asked for nothing in time");
            conclude();
            return {};
        case State::requested: return give_up_request();
        case State::accepting:
            if (channel_->opened()) return {};  // look() is on its way
            channel_->reset_when_closed();
            return peer_ended(Status::timed_out, EndCause::failure);
        case State::established: return end_idle();
        default: return {};
    }
}

}  // namespace opennd::iwarp
