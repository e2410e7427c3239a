// SPDX-License-Identifier: MIT
// LocalConnector: what the program asks for. What the peer says is in connector_events.cpp.
#include "transport/local/connector.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "base/explanation.h"
#include "base/log.h"
#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/link.h"
#include "transport/local/listener.h"
#include "transport/soft/transport.h"

namespace opennd::local {
namespace {

// When to ask a listener again whose socket had no room: each time twice as late, since many may be asking.
constexpr std::chrono::milliseconds kFirstQuestionPause{2};
constexpr std::chrono::milliseconds kLongestQuestionPause{256};
// How long a process that has connected may take to say for what.
constexpr std::chrono::seconds kPatienceForRequest{10};

}  // namespace

LocalConnector::LocalConnector(Ref<soft::SoftAdapter> adapter, LocalSocket socket, const WireTraits& traits,
                               State state)
    : adapter_(std::move(adapter)),
      traits_(traits),
      state_(state),
      socket_(socket.descriptor() < 0 ? nullptr : make_ref<ControlSocket>(std::move(socket))) {}

Ref<LocalConnector> LocalConnector::active(Ref<soft::SoftAdapter> adapter, LocalSocket socket,
                                           const WireTraits& traits) {
    return Ref<LocalConnector>(new LocalConnector(std::move(adapter), std::move(socket), traits, State::dialed));
}

void LocalConnector::passive(Ref<soft::SoftAdapter> adapter, LocalSocket socket, const WireTraits& traits,
                             Ref<ListenerSink> listener, Ref<Callers::Place> place) {
    const Ref<LocalConnector> connector(
        new LocalConnector(std::move(adapter), std::move(socket), traits, State::incoming));
    const Held lock(connector->mutex_);
    connector->listener_ = std::move(listener);
    connector->place_ = std::move(place);
    try {
        connector->silence_timer_ = connector->adapter_->event_loop().schedule(
            now() + kPatienceForRequest, [connector] { connector->give_up_silent_caller(); });
        if (!ok(connector->watch())) connector->end();
    } catch (const std::bad_alloc&) {
        connector->end();
    }
}

void LocalConnector::give_up_silent_caller() {
    const Held lock(mutex_);
    if (state_ != State::incoming) return;
    log(LogLevel::info, LogCause::caller,
        "listener: a process connected and asked for nothing within {} s; it is hung up on",
        kPatienceForRequest.count());
    end();
}

// From here on the event loop keeps this object alive, until end().
Status LocalConnector::watch() {
    const Ref<EventLoop::Watcher> watch(new Watch(Ref<LocalConnector>(this)));
    return adapter_->event_loop().add(socket_->descriptor(), EventLoop::kArrival, watch);
}

void LocalConnector::set_sink(Ref<ConnectorSink> sink) {
    bool was_abandoned = false;
    {
        const Held lock(mutex_);
        std::swap(sink_, sink);
        was_abandoned = abandoned_ && sink_;
    }
    if (was_abandoned) later(to_sink([](ConnectorSink& to) { to.on_establish_failed(Status::connection_aborted); }));
}

void LocalConnector::connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                             std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) {
    const Held lock(mutex_);
    auto segment = SharedMemory::create("opennd-connection", sizeof(Segment));
    if (!segment.ok()) return connect_failed(segment.status());
    segment_ = segment.take();
    reinterpret_cast<Segment*>(segment_.data())->magic = Segment::kMagic;
    queue_pair_ = Ref<soft::SoftQueuePair>(static_cast<soft::SoftQueuePair*>(queue_pair.get()));
    limits_ = offer;
    ControlMessage message = introduce(ControlType::request);
    message.inbound_reads = offer.inbound;
    message.outbound_reads = offer.outbound;
    message.port_drawn = origin == PortOrigin::drawn ? 1 : 0;
    message.local = local.to_sockaddr();
    message.remote = remote.to_sockaddr();
    message.set_data(private_data);
    question_ = {message, remote, kFirstQuestionPause};
    request();
}

// A listener without room is asked again for as long as the program wants: a peer that is slow to look is waited for
// (ND2-CON-CONN-07).
void LocalConnector::request() {
    if (state_ != State::dialed) return;  // closed while it waited
    if (!socket_) {
        auto socket = dial(traits_.scope, question_.remote);
        if (socket.status() == Status::would_block) return request_later();
        if (!socket.ok())
            return connect_failed(
                report(socket.status(), {.object = "connector",
                                         .operation = "Connect",
                                         .asked = "a place at a listener that had no room at first",
                                         .limit = "a listener that is still there",
                                         .remedy = "check that the peer still listens, and connect again",
                                         .requirement = "ND2-CON-CONN-07"}));
        socket_ = make_ref<ControlSocket>(socket.take());
    }
    const std::array descriptors{segment_.descriptor(), queue_pair_->adapter()->tokens().memory().descriptor()};
    Status status = watch();
    if (ok(status)) status = send(socket_->socket(), question_.message, descriptors);
    // A peer that is gone by now is noticed by the watch.
    if (!ok(status) && status != Status::disconnected) return connect_failed(status);
    state_ = State::requesting;
}

void LocalConnector::request_later() {
    const std::chrono::milliseconds pause = question_.pause;
    question_.pause = std::min(2 * pause, kLongestQuestionPause);
    adapter_->event_loop().schedule(now() + pause, [self = Ref<LocalConnector>(this)] {
        const Held lock(self->mutex_);
        self->request();
    });
}

// The listener has too many callers, or too many of this process: as if its socket had no room.
LocalConnector::Call LocalConnector::handle_busy() {
    if (state_ != State::requesting) return out_of_turn("no room for what was asked already");
    adapter_->event_loop().remove(socket_->descriptor());
    socket_ = nullptr;
    state_ = State::dialed;
    request_later();
    return {};
}

void LocalConnector::connect_failed(Status status) {
    end();
    later(to_sink([status](ConnectorSink& to) { to.on_connect_failed(status, {}); }));
}

ControlMessage LocalConnector::introduce(ControlType type) const {
    ControlMessage message;
    message.type = type;
    message.asymmetric = asymmetric_barrier_available() ? 1 : 0;
    message.cookie_address = queue_pair_->adapter()->tokens().cookie_address();
    message.scope = queue_pair_->scope();
    return message;
}

void LocalConnector::complete() {
    Ref<soft::SoftQueuePair> ready, failed;
    {
        const Held lock(mutex_);
        if (state_ == State::replied && socket_->socket().readable()) {
            // The peer's last word is here already: it decides (ND2-CON-CMPL-02). This runs after it was heard.
            later([self = Ref<LocalConnector>(this)] {
                self->on_readable();
                self->complete();
            });
        } else if (state_ != State::replied) {
            failed = std::exchange(given_up_, nullptr);  // the peer ended it; the sink knows or will
        } else if (!attach()) {
            failed = queue_pair_;
            end_with(ControlType::reject);
            later(to_sink([](ConnectorSink& to) { to.on_establish_failed(Status::canceled); }));
        } else {
            ready = queue_pair_;
            state_ = State::established;
            ControlMessage message;
            message.type = ControlType::ready;
            tell(message);
        }
    }
    if (failed) failed->connection_ended();
    if (!ready) return;
    later([self = Ref<LocalConnector>(this), ready,
           established = to_sink([](ConnectorSink& to) { to.on_established({}); })] {
        established();
        self->adapter_->service().serve(*ready);  // what came before anybody looked
    });
}

void LocalConnector::accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                            std::span<const std::byte> private_data) {
    const Ref<soft::SoftQueuePair> pair(static_cast<soft::SoftQueuePair*>(queue_pair.get()));
    Status status = Status::connection_aborted;  // given up by the peer: the sink knows or will
    {
        const Held lock(mutex_);
        if (state_ == State::requested) {
            queue_pair_ = pair;
            limits_ = limits;
            status = accept_request(private_data);
            if (!ok(status)) {
                end_with(ControlType::reject);
                later(to_sink([](ConnectorSink& to) { to.on_establish_failed(Status::connection_aborted); }));
            }
        }
    }
    // Whatever comes is sent after the peer has heard of this, and rings: the channel was asleep from its beginning, and
    // the service knew the queue pair before the peer did.
    if (!ok(status)) pair->connection_ended();
}

Status LocalConnector::accept_request(std::span<const std::byte> private_data) {
    auto& descriptors = request_.descriptors;
    auto segment = SharedMemory::map(std::move(descriptors[0]), sizeof(Segment), SharedMemory::Access::read_write);
    if (!segment.ok()) return segment.status();
    const Status status = make_channel(segment.take(), Side::passive, std::move(descriptors[1]), request_.message);
    if (!ok(status)) return status;
    if (!attach()) return Status::canceled;
    ControlMessage message = introduce(ControlType::accept);
    message.inbound_reads = limits_.inbound;
    message.outbound_reads = limits_.outbound;
    message.set_data(private_data);
    const std::array own{queue_pair_->adapter()->tokens().memory().descriptor()};
    state_ = State::accepting;
    place_ = nullptr;
    tell(message, own);
    return Status::success;
}

// The queue pair may be used from now on. False: it was released or flushed to error meanwhile.
bool LocalConnector::attach() {
    if (!queue_pair_->attach(Ref<soft::Channel>(channel_), Ref<soft::ConnectionEnd>(new End(Ref<LocalConnector>(this))),
                             limits_))
        return false;
    adapter_->service().add(queue_pair_);
    return true;
}

void LocalConnector::reject(std::span<const std::byte> private_data) {
    const Held lock(mutex_);
    if (state_ != State::requested && state_ != State::replied) return;
    ControlMessage message;
    message.type = ControlType::reject;
    message.set_data(private_data);
    tell(message);
    end();
}

void LocalConnector::disconnect() { end_connection(ControlType::disconnect); }

void LocalConnector::end_connection(ControlType farewell) {
    Ref<soft::SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        queue_pair = queue_pair_;
    }
    // First the queue pair comes to rest, so that nothing of this side touches the peer after the farewell.
    release_queue_pair(queue_pair);
    const Held lock(mutex_);
    if (state_ != State::ended) end_with(farewell);
}

void LocalConnector::close(bool cancelled) {
    State state;
    {
        const Held lock(mutex_);
        sink_ = nullptr;
        state = state_;
        switch (state) {
            case State::requesting: end_with(cancelled ? ControlType::cancel : ControlType::reject); break;
            case State::replied:
            case State::requested: end_with(ControlType::reject); break;
            case State::dialed:
            case State::incoming: end(); break;
            case State::accepting:
            case State::established:
            case State::ended: break;
        }
    }
    if (state == State::accepting || state == State::established) disconnect();
}

void LocalConnector::release_queue_pair(Ref<soft::SoftQueuePair> queue_pair) {
    if (!queue_pair) return;
    queue_pair->connection_ended();
    adapter_->service().remove(*queue_pair);
}

bool LocalConnector::abandoned() const {
    const Held lock(mutex_);
    return abandoned_;
}

ConnectionPath LocalConnector::path() const {
    Ref<RingChannel> channel;
    {
        const Held lock(mutex_);
        channel = channel_;
    }
    return {traits_.name, channel ? channel->bulk_path() : std::string_view{}};
}

// A failed send shows as the end of the socket, which the watch reports: the peer would wait without end for what was not
// sent. Once a connection, for nothing is said after it.
void LocalConnector::tell(const ControlMessage& message, std::span<const int> descriptors) {
    const Status status = send(socket_->socket(), message, descriptors);
    if (ok(status) || status == Status::disconnected) return;
    (void)report(Status::connection_aborted, {.object = "connection",
                                              .operation = "a message to the peer",
                                              .asked = phrase("room for it in the socket ({})", name(status)),
                                              .limit = "what the socket holds while the peer reads nothing",
                                              .remedy = "look whether the peer runs; the connection ends",
                                              .requirement = "ND2-CON-CONN-05",
                                              .cause = LogCause::peer});
    socket_->hang_up();
}

void LocalConnector::end_with(ControlType farewell) {
    ControlMessage message;
    message.type = farewell;
    tell(message);
    end();
}

// Nothing is heard or said any more. What holds this object lets go.
void LocalConnector::end() {
    if (state_ == State::ended) return;
    state_ = State::ended;
    adapter_->event_loop().cancel(std::exchange(ending_timer_, TimerId{}));
    adapter_->event_loop().cancel(std::exchange(silence_timer_, TimerId{}));
    if (claimed_) adapter_->transport().release_addresses(claimed_->first, claimed_->second);
    claimed_.reset();
    if (socket_) {
        adapter_->event_loop().remove(socket_->descriptor());
        socket_->hang_up();
        socket_ = nullptr;
    }
    place_ = nullptr;
    listener_ = nullptr;
    queue_pair_ = nullptr;
    segment_ = SharedMemory();
    request_.descriptors.clear();
}

void LocalConnector::later(Call call) { adapter_->event_loop().post(std::move(call)); }

}  // namespace opennd::local
