// SPDX-License-Identifier: MIT
// LocalConnector: the peer's messages, on the service thread, and the segments that a peer asks for.
#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "base/explanation.h"
#include "base/until_memory.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/connector.h"

namespace opennd::local {
namespace {

// The packets of one caller that are heard before the events of others; the loop calls again while there are more.
constexpr int kRecordsAtOnce = 16;

Address address_of(const sockaddr_storage& storage) {
    return Address::from(reinterpret_cast<const sockaddr*>(&storage), sizeof storage).value_or(Address{});
}

// Reports that the peer broke a rule.
void report_handshake(std::string_view asked, std::string_view limit) {
    (void)report(Status::connection_aborted, {.object = "connection",
                                              .operation = "handshake",
                                              .asked = asked,
                                              .limit = limit,
                                              .remedy = "use the same version of OpenND in both programs",
                                              .requirement = "ND2-CON-CONN-05",
                                              .cause = LogCause::peer});
}

Status report_end(Status status, std::string_view operation, std::string_view limit, std::string_view remedy,
                  std::string_view requirement) {
    return report(status, {.object = "connector",
                           .operation = operation,
                           .asked = "a connection that both sides see through",
                           .limit = limit,
                           .remedy = remedy,
                           .requirement = requirement,
                           .cause = LogCause::peer});
}

// The status of a Connect with a reply that cannot be used: it breaks a rule, or there is no room for it here.
Status unusable(Status status) {
    if (shortage_of(status) == Shortage::none) return Status::connection_aborted;
    return report_end(status, "Connect", "memory and descriptors that this process may still have",
                      "raise its limits (ulimit -n, ulimit -v), or end connections, and connect again", "ND2-GEN-02");
}

// The status of a Connect that was rejected, with its explanation.
Status rejected(const ControlMessage& message) {
    if (message.shortage != Shortage::none)
        return report_end(message.shortage == Shortage::memory ? Status::no_memory : Status::insufficient_resources,
                          "Connect",
                          message.shortage == Shortage::memory
                              ? "memory that the listener's process may still have"
                              : "descriptors and other resources that the listener's process may still have",
                          "raise the limits of that process (ulimit -n, ulimit -v), end connections there, or choose "
                          "another transport (OPENND_TRANSPORT=iwarp)",
                          "ND2-GEN-02");
    if (message.address_exists != 0)
        return report_end(Status::address_exists, "Connect",
                          "one connection for each pair of addresses and ports; this one exists",
                          "bind the connector to port 0 or to another port", "ND2-CON-BIND-04");
    return report_end(Status::connection_refused, "Connect",
                      "a listener with room that accepts; the peer rejected, or its backlog is full",
                      "see GetPrivateData for what the peer said; let it listen with a larger backlog",
                      "ND2-CON-CONN-05");
}

}  // namespace

class LocalConnector::User final : public LinkUser {
public:
    explicit User(Ref<LocalConnector> connector) : connector_(std::move(connector)) {}
    void on_joined(const Ref<LinkEnd>& link_end) override { connector_->on_joined(link_end); }
    void on_record(ReceivedControl& record) override { connector_->on_record(record); }
    void on_wake_up() override {
        connector_->on_event([] { return Call(); });
    }
    void on_left(Status why) override { connector_->on_left(why); }

private:
    const Ref<LocalConnector> connector_;
};

Ref<LinkUser> LocalConnector::user() { return Ref<LinkUser>(new User(Ref<LocalConnector>(this))); }

// Hears the caller's socket on the passive side. On the active one, complete() wants the packets heard that have
// arrived.
void LocalConnector::on_ready(std::uint32_t) {
    const Ref<LocalConnector> self(this);  // conclude() may drop the last other reference
    Ref<LinkEnd> link_end;
    {
        const Held lock(mutex_);
        link_end = link_end_;
    }
    if (link_end) link_end->look();
    for (int packet = 0; packet < kRecordsAtOnce; ++packet)
        if (!hear_caller()) return;
    // The rest has arrived and will not be told again.
    later([self] { self->on_ready(EventLoop::kArrival); });
}

// Hears one packet of the caller. Returns false if there is none, or no caller's socket any more.
bool LocalConnector::hear_caller() {
    bool heard = false;
    under_lock([&]() REQUIRES(mutex_) {
        if (socket_.descriptor() < 0) return Call();
        auto received = receive(socket_);
        heard = received.status() != Status::would_block;
        if (!heard) return Call();
        if (received.ok()) return handle_caller(received.value());
        if (shortage_of(received.status()) != Shortage::none) return turn_away(received.status());
        if (!link_end_) return keep_out_and_end(Status::connection_aborted);
        let_caller_go();  // the connection goes on: the link has it
        return Call();
    });
    return heard;
}

LocalConnector::Call LocalConnector::handle_caller(ReceivedControl& received) {
    switch (received.message.type) {
        case ControlType::wake_up: return {};
        case ControlType::request: return handle_request(received);
        case ControlType::cancel:
        case ControlType::reject: return keep_out_and_end(Status::connection_aborted);
        default: return out_of_turn("a record of a connection on the socket of its request");
    }
}

void LocalConnector::on_joined(const Ref<LinkEnd>& link_end) {
    const Held lock(mutex_);
    dial_ = nullptr;
    if (state() != State::requesting) return link_end->leave();
    link_end_ = link_end;
    if (!traits_.same_process) link_end_->leads_to(question_->remote);
    question_ = nullptr;
}

void LocalConnector::on_record(ReceivedControl& record) {
    on_event([&]() REQUIRES(mutex_) { return handle(record); });
}

void LocalConnector::on_left(Status why) {
    on_event([&]() REQUIRES(mutex_) {
        dial_ = nullptr;
        if (why == Status::disconnected || state() != State::requesting)
            return keep_out_and_end(Status::connection_aborted, EndCause::reset);
        return connect_failed(unusable(why));
    });
}

// Each event of the link also serves the queue pair, even if nothing is there to see: a peer also asks whether a poller that was
// here still is.
template <typename Handle>
void LocalConnector::on_event(Handle handle) {
    Ref<soft::SoftQueuePair> queue_pair;
    under_lock([&]() REQUIRES(mutex_) {
        Call call;
        if (state() == State::ended) return call;
        try {
            call = handle();
        } catch (const std::bad_alloc&) {
            call = end_without_memory();
        }
        if (is_up()) queue_pair = queue_pair_;
        return call;
    });
    if (queue_pair) until_memory([&] { adapter_->service().serve(*queue_pair); });
}

LocalConnector::Call LocalConnector::handle(ReceivedControl& received) {
    switch (received.message.type) {
        case ControlType::accept: return handle_accept(received);
        case ControlType::reject: return handle_reject(received.message);
        case ControlType::ready: return handle_ready();
        case ControlType::cancel:
        case ControlType::abort: return keep_out_and_end(Status::connection_aborted);
        case ControlType::finished: return handle_finished();
        case ControlType::disconnect: return keep_out_and_end(Status::connection_aborted, EndCause::disconnect);
        case ControlType::segment_request: answer_segment_request(received.message.segment); return {};
        case ControlType::segment: return handle_segment(received);
        case ControlType::busy:
        case ControlType::absent: return handle_no_place(received.message.type);
        default: return {};  // the link has the others
    }
}

// Ends the connection, because the record comes no second time; both sides learn of it.
LocalConnector::Call LocalConnector::end_without_memory() {
    const bool connects = state() == State::idle || state() == State::requesting;
    if (dial_ || link_end_) tell(ControlMessage::of(connects ? ControlType::cancel : ControlType::abort));
    if (!connects) return keep_out_and_end(Status::connection_aborted, EndCause::reset);
    return connect_failed(unusable(Status::no_memory));
}

// A pair of addresses has one connection at most (ND2-CON-BIND-04).
LocalConnector::Call LocalConnector::handle_request(ReceivedControl& received) {
    if (state() != State::awaiting) return out_of_turn("a second request");
    const ControlMessage& message = received.message;
    Status status = Status::no_memory;
    try {
        if (!claim_addresses(address_of(message.remote), address_of(message.local), message.port_drawn == 0)) {
            ControlMessage refusal = ControlMessage::of(ControlType::reject);
            refusal.address_exists = 1;
            end_with(refusal);
            return {};
        }
        status = link_end_ ? Status::success : join_link(received);
        if (ok(status)) return hand_over(received);
    } catch (const std::bad_alloc&) {
        status = Status::no_memory;
    }
    return turn_away(status);
}

// Turns a request away. If this process lacks room for it, the caller learns that, and is not refused as by the
// program.
LocalConnector::Call LocalConnector::turn_away(Status status) {
    ControlMessage refusal = ControlMessage::of(ControlType::reject);
    refusal.shortage = shortage_of(status);
    if (refusal.shortage != Shortage::none)
        (void)report_end(status, "a connection request", "memory and descriptors that this process may still have",
                         "raise its limits (ulimit -n, ulimit -v), or end connections", "ND2-GEN-02");
    if (link_end_ || socket_.descriptor() >= 0)  // else a link had it, and has told the caller
        tell(refusal);
    conclude();
    return {};
}

// Hands this end to the listener: the link has the connection.
LocalConnector::Call LocalConnector::hand_over(ReceivedControl& received) {
    const ControlMessage& message = received.message;
    const AdapterLimits& limits = adapter_->limits();
    ConnectionRequest request;
    request.local = address_of(message.remote);
    request.peer = address_of(message.local);
    request.limits.inbound = std::min(message.outbound_reads, limits.max_inbound_reads);  // ND2-CON-LIM-02
    request.limits.outbound = std::min(message.inbound_reads, limits.max_outbound_reads);
    request.private_data.assign(message.data().begin(), message.data().end());
    request_ = std::make_unique<ReceivedControl>(std::move(received));
    clear_deadline();
    return requested(std::move(request));
}

// Joins the link to the caller's open; the first request of that open makes the link.
Status LocalConnector::join_link(ReceivedControl& request) {
    const auto identity = socket_.peer();
    const LinkOpens ends{adapter_.get(), identity.ok() ? identity.value().pid : 0, request.message.open};
    if (const Ref<Link> link = traits_.links->find(ends)) {
        auto link_end = link->join(user(), request.message.nonce);
        if (link_end.ok()) link_end_ = link_end.take();
    }
    if (!link_end_) {
        auto link_end = Link::make(adapter_->event_loop(), traits_.links, ends, *adapter_, socket_, request, user());
        if (!link_end.ok()) return link_end.status();
        link_end_ = link_end.take();
    }
    request.descriptors.clear();
    return Status::success;
}

LocalConnector::Call LocalConnector::handle_accept(ReceivedControl& received) {
    if (state() != State::requesting) return out_of_turn("an acceptance of no request");
    const ControlMessage& message = received.message;
    const Status status = make_channel(Side::active, received);
    if (!ok(status)) {
        withdraw(Withdrawal::impossible);
        return connect_failed(unusable(status));
    }
    // The passive side decided both limits (ND2-CON-LIM-04); a value beyond the offer is not believed.
    limits_ = {std::min(message.outbound_reads, limits_.inbound), std::min(message.inbound_reads, limits_.outbound)};
    return replied({message.data().begin(), message.data().end()});
}

LocalConnector::Call LocalConnector::handle_reject(const ControlMessage& message) {
    if (state() != State::requesting) return keep_out_and_end(Status::connection_refused);
    std::vector<std::byte> data(message.data().begin(), message.data().end());
    return connect_failed(rejected(message), std::move(data));
}

LocalConnector::Call LocalConnector::handle_ready() {
    if (state() != State::accepting) return out_of_turn("the completion of what was not accepted");
    let_caller_go();  // its process has heard of the link; it need not close its end
    return opened();
}

// `absent`: the link led to a listener that is there no more, or the link has no room, and a socket looks for another. `busy`: the listener
// has too many callers, or too many of this process, as if its socket had no room.
LocalConnector::Call LocalConnector::handle_no_place(ControlType answer) {
    const bool absent = answer == ControlType::absent;
    if (state() != State::requesting || link_end_)
        return out_of_turn(absent ? "no listener for what was asked already" : "no room for what was asked already");
    dial_ = nullptr;
    if (absent) traits_.links->forget_way(*queue_pair_->adapter(), question_->remote);
    must_advance(Event::defer);
    if (absent)
        request();
    else
        request_later();
    return {};
}

LocalConnector::Call LocalConnector::out_of_turn(std::string_view what) {
    report_handshake(what, "the order of the handshake; the connection ends");
    return keep_out_and_end(Status::connection_aborted);
}

// Takes the peer's word that it has finished. All that the peer sent lies in the lane: it tells that it has finished
// after this side has taken all.
LocalConnector::Call LocalConnector::handle_finished() {
    if (state() != State::established || has_peer_finished())
        return out_of_turn("the end of what has not begun, or has ended");
    return peer_finished();
}

// The peer ended the connection, or its socket closed: this side begins no access to its memory any more. See
// peer_ended().
LocalConnector::Call LocalConnector::keep_out_and_end(Status to_establishing, EndCause cause) {
    if (channel_) channel_->end_peer();
    if (state() != State::requesting) return peer_ended(to_establishing, cause);
    return connect_failed(report_end(Status::connection_refused, "Connect",
                                     "a listener that lives until it has answered",
                                     "check that the peer still runs, and connect again", "ND2-CON-CONN-05"));
}

Status LocalConnector::make_channel(Side side, ReceivedControl& received) {
    const ControlMessage& message = received.message;
    auto peer_tokens = received.descriptors.empty() ? Result<soft::PeerTokenTable>(link_end_->peer_tokens())
                                                    : soft::PeerTokenTable::map(std::move(received.descriptors[0]));
    if (!peer_tokens.ok()) return peer_tokens.status();
    carrier_.peer_process = link_end_->peer_process();

    PeerMemory::Reach reach = PeerMemory::Reach::mapping_only;
    if (traits_.same_process)
        reach = PeerMemory::Reach::same_process;
    else if (traits_.may_use_process_vm)
        reach = PeerMemory::Reach::untried;
    else
        log(LogLevel::info, LogCause::peer,
            "connection: process_vm is switched off; memory that is not from opennd_memory_allocate travels by frames");
    const PeerMemory::Cookie cookie{message.cookie_address, peer_tokens.value().cookie()};

    RingChannel::Parts parts{
        link_end_->memory(),
        link_end_->number(),
        side,
        &queue_pair_->adapter()->tokens(),
        peer_tokens.take(),
        link_end_,
        std::make_unique<PeerMemory>(
            reach, link_end_->peer_process(), [this](std::uint32_t wanted) { ask_for_segment(wanted); }, cookie,
            &link_end_->kernel_copies()),
        message.asymmetric != 0 && asymmetric_barrier_available(),
        message.scope,
        queue_pair_->adapter()->ledger(),
        carrier_.wire};
    channel_ = make_ref<RingChannel>(std::move(parts));
    return Status::success;
}

// Asks for a segment. Called from the data path, under a queue pair's lock, so that the service thread asks the
// question itself.
void LocalConnector::ask_for_segment(std::uint32_t segment) {
    later([self = Ref<LocalConnector>(this), segment] {
        const Held lock(self->mutex_);
        if (self->state() == State::ended) return;
        ControlMessage message = ControlMessage::of(ControlType::segment_request);
        message.segment = segment;
        self->tell(message);
    });
}

void LocalConnector::answer_segment_request(std::uint32_t segment) {
    if (!channel_) return;
    using Grant = soft::SoftAdapter::Grant;
    const Grant grant = channel_->offered(segment) ? Grant::by_message : Grant::by_registration;
    const auto descriptor = queue_pair_->adapter()->shared_segment(segment, grant);
    if (!descriptor.ok()) return;  // freed meanwhile: the token that named it is dead, or never lived
    ControlMessage message = ControlMessage::of(ControlType::segment);
    message.segment = segment;
    const std::array descriptors{descriptor.value().get()};
    tell(message, descriptors);
}

LocalConnector::Call LocalConnector::handle_segment(ReceivedControl& received) {
    if (!channel_ || !channel_->peer_memory().awaits(received.message.segment))
        return out_of_turn("a segment that was not asked for");
    auto memory = SharedMemory::map(std::move(received.descriptors[0]), {1, adapter_->limits().max_registration_bytes},
                                    SharedMemory::Access::read_write);
    if (!memory.ok() || !channel_->peer_memory().add(received.message.segment, memory.take()))
        channel_->peer_memory().give_up(received.message.segment);
    return [self = Ref<LocalConnector>(this), queue_pair = queue_pair_] {
        if (queue_pair) self->adapter_->service().serve(*queue_pair);  // requests may wait for exactly this
    };
}

}  // namespace opennd::local
