// SPDX-License-Identifier: MIT
// LocalConnector: the handshake as the program asks for it, and the words of the end. The peer's messages are in
// connector_events.cpp.
#include "transport/local/connector.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <utility>

#include "base/explanation.h"
#include "base/log.h"
#include "base/until_memory.h"
#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/listener.h"

namespace opennd::local {
namespace {

// The pauses before a listener without room in its socket is asked again: each twice the last, since many may be asking.
constexpr std::chrono::milliseconds kFirstQuestionPause{2};
constexpr std::chrono::milliseconds kLongestQuestionPause{256};
// The time that a process has for its request, from its connection on.
constexpr std::chrono::seconds kPatienceForRequest{10};

}  // namespace

LocalConnector::LocalConnector(Ref<soft::SoftAdapter> adapter, LocalSocket socket, const WireTraits& traits,
                               State initial)
    : WireConnector(std::move(adapter), traits.name, initial, PeerHolds::copies),
      traits_(traits),
      socket_(std::move(socket)) {}

Ref<LocalConnector> LocalConnector::active(Ref<soft::SoftAdapter> adapter, LocalSocket socket,
                                           const WireTraits& traits) {
    return Ref<LocalConnector>(new LocalConnector(std::move(adapter), std::move(socket), traits, State::idle));
}

void LocalConnector::passive(Ref<soft::SoftAdapter> adapter, LocalSocket socket, const WireTraits& traits,
                             Ref<ListenerSink> listener, Ref<LocalCallers::Place> place) {
    const Ref<LocalConnector> connector(
        new LocalConnector(std::move(adapter), std::move(socket), traits, State::awaiting));
    const Held lock(connector->mutex_);
    connector->listener_ = std::move(listener);
    connector->place_ = std::move(place);
    try {
        connector->set_deadline(kPatienceForRequest, WithoutMemory::fail);
        const Status status = connector->watch(connector->socket_.descriptor(), EventLoop::kArrival);
        if (!ok(status)) (void)connector->turn_away(status);
    } catch (const std::bad_alloc&) {
        (void)connector->turn_away(Status::no_memory);
    }
}

void LocalConnector::passive(Ref<soft::SoftAdapter> adapter, const Ref<Link>& link, ReceivedControl& request,
                             const WireTraits& traits, Ref<ListenerSink> listener, Ref<LocalCallers::Place> place) {
    const Ref<LocalConnector> connector(new LocalConnector(std::move(adapter), LocalSocket(), traits, State::awaiting));
    Call call;
    {
        const Held lock(connector->mutex_);
        connector->listener_ = std::move(listener);
        connector->place_ = std::move(place);
        auto link_end = link->join(connector->user(), request.message.nonce);
        if (link_end.ok()) {
            connector->link_end_ = link_end.take();
            call = connector->handle_request(request);
        } else {
            link->refuse(ControlType::absent, request.message.nonce);
            connector->conclude();
        }
    }
    if (call) until_memory(call);
}

// A caller was silent: the deadline is cleared once its request is here.
LocalConnector::Call LocalConnector::on_deadline() {
    log(LogLevel::info, LogCause::caller,
        "listener: a process connected and asked for nothing within {} s; it is hung up on",
        kPatienceForRequest.count());
    conclude();
    return {};
}

void LocalConnector::connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                             std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) {
    const Held lock(mutex_);
    begin(local, remote, offer, private_data, queue_pair);
    ControlMessage message = introduce(ControlType::request);
    message.inbound_reads = offer.inbound;
    message.outbound_reads = offer.outbound;
    message.port_drawn = origin == PortOrigin::drawn ? 1 : 0;
    message.local = local.to_sockaddr();
    message.remote = remote.to_sockaddr();
    message.set_data(private_data);
    question_ = std::make_unique<Question>(message, remote, kFirstQuestionPause);
    request();
}

// A listener without room is asked again for as long as the program wants: a peer that is slow to look is waited for
// (ND2-CON-CONN-07).
void LocalConnector::request() {
    if (state() != State::idle) return;  // closed while it waited
    soft::OpenAdapter& own = *queue_pair_->adapter();
    if (socket_.descriptor() < 0) {
        Ref<Link> link = traits_.links->way_to(own, question_->remote);
        if (link && ok(ask(make_ref<Dial>(adapter_->event_loop(), traits_.links, own, std::move(link), user()))))
            return;
        auto socket = dial(traits_.scope, question_->remote);
        if (socket.status() == Status::would_block) return request_later();
        if (!socket.ok())
            return later(connect_failed(
                report(socket.status(), {.object = "connector",
                                         .operation = "Connect",
                                         .asked = "a place at a listener that was there a moment ago",
                                         .limit = "a listener that is still there",
                                         .remedy = "check that the peer still listens, and connect again",
                                         .requirement = "ND2-CON-CONN-07"})));
        socket_ = socket.take();
    }
    const Status status = ask(make_ref<Dial>(adapter_->event_loop(), traits_.links, own, std::move(socket_), user()));
    if (!ok(status)) later(connect_failed(status));
}

Status LocalConnector::ask(Ref<Dial> dial) {
    dial_ = std::move(dial);
    const Status status = dial_->ask(question_->message);
    if (ok(status))
        must_advance(Event::ask);
    else
        dial_ = nullptr;
    return status;
}

void LocalConnector::request_later() {
    const std::chrono::milliseconds pause = question_->pause;
    question_->pause = std::min(2 * pause, kLongestQuestionPause);
    adapter_->event_loop().schedule(now() + pause, [self = Ref<LocalConnector>(this)] {
        const Held lock(self->mutex_);
        self->request();
    });
}

ControlMessage LocalConnector::introduce(ControlType type) const {
    ControlMessage message = ControlMessage::of(type);
    message.asymmetric = asymmetric_barrier_available() ? 1 : 0;
    message.cookie_address = queue_pair_->adapter()->tokens().cookie_address();
    message.scope = queue_pair_->scope();
    return message;
}

// The channel was made when the reply came.
Status LocalConnector::begin_channel() {
    if (!attach(channel_)) return Status::canceled;
    must_advance(Event::complete);
    tell(ControlMessage::of(ControlType::ready));
    return Status::success;
}

// Looks once: the link's packets are of many connections.
bool LocalConnector::has_last_word() { return !std::exchange(looked_, true) && link_end_->has_packets(); }

// The peer may have sent before the memory said that this side sleeps, and took it for a poller.
void LocalConnector::take_first_arrivals(soft::SoftQueuePair& queue_pair) {
    heavy_barrier();
    adapter_->service().serve(queue_pair);
}

// The peer sends after it has read the reply, and rings: the channel was asleep from its beginning, and the service knows the
// queue pair before the peer does.
Status LocalConnector::accept_request(const ReadLimits& limits, std::span<const std::byte> private_data) {
    limits_ = limits;
    if (const Status status = make_channel(Side::passive, *request_); !ok(status)) return status;
    request_ = nullptr;
    if (!attach(channel_)) return Status::canceled;
    ControlMessage message = introduce(ControlType::accept);
    message.inbound_reads = limits_.inbound;
    message.outbound_reads = limits_.outbound;
    message.set_data(private_data);
    const std::array own{queue_pair_->adapter()->tokens().memory().descriptor()};
    const bool attaches = !link_end_->has_tokens_of(*queue_pair_->adapter());
    message.tokens_attached = attaches ? 1 : 0;
    must_advance(Event::accept);
    place_ = nullptr;
    tell(message, attaches ? std::span<const int>(own) : std::span<const int>());
    return Status::success;
}

void LocalConnector::withdraw(Withdrawal how) {
    end_with(ControlMessage::of(how == Withdrawal::cancelled ? ControlType::cancel : ControlType::reject));
}

void LocalConnector::refuse(std::span<const std::byte> private_data) {
    ControlMessage message = ControlMessage::of(ControlType::reject);
    message.set_data(private_data);
    end_with(message);
}

ConnectionPath LocalConnector::path() const {
    Ref<RingChannel> channel;
    {
        const Held lock(mutex_);
        channel = channel_;
    }
    return {traits_.name, channel ? channel->bulk_path() : std::string_view{}};
}

// Sends a message. If that fails, the connection ends: the peer would wait for the message without end. Once a
// connection, for nothing is sent after it.
void LocalConnector::tell(const ControlMessage& message, std::span<const int> descriptors) {
    if (dial_) return dial_->abandon(message.type);
    const Status status = link_end_ ? link_end_->send(message, descriptors) : send(socket_, message, descriptors);
    if (ok(status) || status == Status::disconnected) return;
    (void)report(Status::connection_aborted, {.object = "connection",
                                              .operation = "a message to the peer",
                                              .asked = phrase("room for it in the socket ({})", name(status)),
                                              .limit = "what the socket holds while the peer reads nothing",
                                              .remedy = "look whether the peer runs; the connection ends",
                                              .requirement = "ND2-CON-CONN-05",
                                              .cause = LogCause::peer});
    later([self = Ref<LocalConnector>(this)] { self->on_left(Status::disconnected); });
}

// ---- the end --------------------------------------------------------------------------------------------------------

void LocalConnector::say_farewell(Farewell farewell) {
    const bool in_order = farewell == Farewell::order || farewell == Farewell::no_notice;  // a notice is another record
    tell(ControlMessage::of(in_order ? ControlType::disconnect : ControlType::abort));
}

bool LocalConnector::tell_finished() {
    tell(ControlMessage::of(ControlType::finished));
    return true;
}

// The peer's queue pair is not at rest: the peer is told of the end when this side's is, which then touches nothing of the
// peer any more.
LocalConnector::Call LocalConnector::take_as_end() {
    channel_->keep_out_of_peer();
    return at_rest(queue_pair_, due([self = Ref<LocalConnector>(this), queue_pair = queue_pair_] {
                       queue_pair->take_last_arrivals();
                       self->to_sink([](ConnectorSink& sink) { sink.on_disconnected(EndCause::disconnect); })();
                       {
                           const Held lock(self->mutex_);
                           if (self->state() == State::established)
                               self->end_with(ControlMessage::of(ControlType::disconnect));
                       }
                       queue_pair->start_retry_time();
                   }));
}

void LocalConnector::end_with(const ControlMessage& farewell) {
    tell(farewell);
    conclude();
}

void LocalConnector::let_caller_go() {
    if (socket_.descriptor() < 0) return;
    adapter_->event_loop().remove(socket_.descriptor());
    socket_.shut_down();
    socket_ = LocalSocket();
}

void LocalConnector::let_go() {
    if (dial_) dial_->abandon(ControlType::cancel);
    dial_ = nullptr;
    if (link_end_) link_end_->leave();
    link_end_ = nullptr;
    let_caller_go();
    place_ = nullptr;
    request_ = nullptr;
    question_ = nullptr;
}

}  // namespace opennd::local
