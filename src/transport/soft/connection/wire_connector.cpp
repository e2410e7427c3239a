// SPDX-License-Identifier: MIT
// WireConnector: the program's calls, and the end that this side makes. See wire_connector.h.
#include "transport/soft/connection/wire_connector.h"

#include "transport/soft/transport.h"

namespace opennd::soft {

// The receiver of the event loop's calls.
class WireConnector::Watch final : public EventLoop::Watcher {
public:
    explicit Watch(Ref<WireConnector> connector) : connector_(std::move(connector)) {}
    void on_ready(std::uint32_t epoll_events) override { connector_->on_ready(epoll_events); }

private:
    const Ref<WireConnector> connector_;
};

// The receiver of the queue pair's calls.
class WireConnector::End final : public ConnectionEnd {
public:
    explicit End(Ref<WireConnector> connector) : connector_(std::move(connector)) {}
    void queue_pair_failed() override { connector_->queue_pair_ended(EndCause::failure); }
    void queue_pair_closed() override { connector_->queue_pair_ended(EndCause::release); }
    void lose_peer() override {
        connector_->later([connector = connector_] { connector->lose_peer(); });
    }
    std::optional<ConnectionFacts> facts() override { return connector_->facts_of_living(); }

private:
    const Ref<WireConnector> connector_;
};

WireConnector::WireConnector(Ref<SoftAdapter> adapter, std::string_view wire, State initial, PeerHolds holds)
    : adapter_(std::move(adapter)),
      carrier_{wire},
      holds_(holds),
      active_(initial == State::idle),
      state_("connection", initial) {}

Status WireConnector::watch(int descriptor, std::uint32_t epoll_events) {
    const Ref<EventLoop::Watcher> watch(new Watch(Ref<WireConnector>(this)));
    return adapter_->event_loop().add(descriptor, epoll_events, watch);
}

void WireConnector::set_sink(Ref<ConnectorSink> sink) {
    bool was_abandoned = false;
    {
        const Held lock(mutex_);
        std::swap(sink_, sink);
        was_abandoned = abandoned_ && sink_;
    }
    if (was_abandoned) later(to_sink([](ConnectorSink& to) { to.on_establish_failed(Status::connection_aborted); }));
}

Ref<ConnectorSink> WireConnector::sink() const {
    const Held lock(mutex_);
    return sink_;
}

// ---- setting up -----------------------------------------------------------------------------------------------------

void WireConnector::complete() {
    Ref<SoftQueuePair> ready, failed;
    Call established;
    {
        const Held lock(mutex_);
        if (state_ == State::replied && has_last_word()) {
            // The peer's last word decides (ND2-CON-CMPL-02). This runs after it was handled.
            later([self = Ref<WireConnector>(this)] {
                self->on_ready(EventLoop::kPeerEnded);
                self->complete();
            });
        } else if (state_ != State::replied) {
            failed = std::exchange(given_up_, nullptr);  // the peer ended it; the sink knows or will
        } else if (const Status status = begin_channel(); !ok(status)) {
            failed = queue_pair_;
            end_unattached();
            later(to_sink([status](ConnectorSink& to) { to.on_establish_failed(status); }));
        } else {
            ready = queue_pair_;
            must_advance(Event::complete);
            open();
            established = to_sink([carrier = carrier_](ConnectorSink& to) { to.on_established(carrier); });
        }
    }
    if (failed) failed->end(Status::canceled);
    if (!ready) return;
    later([self = Ref<WireConnector>(this), ready, established = std::move(established)] {
        established();
        self->take_first_arrivals(*ready);
    });
}

void WireConnector::accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                           std::span<const std::byte> private_data) {
    const Ref<SoftQueuePair> pair(static_cast<SoftQueuePair*>(queue_pair.get()));
    Status status = Status::connection_aborted;  // given up by the peer: the sink knows or will
    {
        const Held lock(mutex_);
        if (state_ == State::requested) {
            queue_pair_ = pair;
            note_reply(private_data);
            status = accept_request(limits, private_data);
            if (!ok(status)) {
                end_unattached();
                later(to_sink([](ConnectorSink& to) { to.on_establish_failed(Status::connection_aborted); }));
            }
        }
    }
    if (!ok(status)) pair->end(Status::canceled);
}

void WireConnector::reject(std::span<const std::byte> private_data) {
    const Held lock(mutex_);
    if (state_ == State::requested || state_ == State::replied) refuse(private_data);
}

bool WireConnector::attach(Ref<Channel> channel) {
    const Ref<ConnectionEnd> end(new End(Ref<WireConnector>(this)));
    ChannelLayer& layer = adapter_->layer();
    if (layer.is_wanted()) {
        ConnectionFacts known = facts();
        known.end = end.get();
        channel = layer.wrap(std::move(channel), known);
    }
    words_ = nullptr;
    return queue_pair_->attach(std::move(channel), end, limits_);
}

void WireConnector::note_request(std::span<const std::byte> private_data) {
    if (!adapter_->layer().is_wanted()) return;
    words_ = std::make_unique<Words>();
    words_->request.assign(private_data.begin(), private_data.end());
}

void WireConnector::note_reply(std::span<const std::byte> private_data) {
    if (words_) words_->reply.assign(private_data.begin(), private_data.end());
}

// Over TCP the addresses are those of the stream, which both ends see alike.
ConnectionFacts WireConnector::facts() const {
    ConnectionFacts facts;
    facts.local = carrier_.stream ? carrier_.stream->local : ends_.first;
    facts.peer = carrier_.stream ? carrier_.stream->peer : ends_.second;
    facts.wire = carrier_.wire;
    facts.peer_process = carrier_.peer_process;
    facts.active = active_;
    facts.limits = limits_;
    if (words_) {
        facts.request_data = words_->request;
        facts.reply_data = words_->reply;
    }
    return facts;
}

std::optional<ConnectionFacts> WireConnector::facts_of_living() const {
    const Held lock(mutex_);
    if (!is_up()) return std::nullopt;
    ConnectionFacts known = facts();
    known.under_way = true;
    return known;
}

bool WireConnector::claim_addresses(const Address& local, const Address& peer, bool unique) {
    if (!adapter_->transport().claim_addresses(local, peer, unique)) return false;
    claimed_ = {local, peer};
    return true;
}

WireConnector::Call WireConnector::hand_to_listener(ConnectionRequest request) {
    note_ends(request.local, request.peer);
    note_request(request.private_data);
    return due([self = Ref<WireConnector>(this), listener = std::move(listener_), request = std::move(request)] {
        if (listener)
            listener->on_request(Ref<TransportConnector>(self), request);
        else
            self->end(Ending::give_up);
    });
}

WireConnector::Call WireConnector::tell_abandoned(Status status) {
    abandoned_ = true;
    if (!sink_) return {};  // set_sink() tells the one that comes; both would be twice
    return to_sink([status](ConnectorSink& sink) { sink.on_establish_failed(status); });
}

bool WireConnector::abandoned() const {
    const Held lock(mutex_);
    return abandoned_;
}

// ---- the end that this side makes -----------------------------------------------------------------------------------

void WireConnector::end(Ending how) {
    switch (how) {
        case Ending::disconnect: return end_connection(Farewell::order);
        case Ending::abort: return end_connection(Farewell::no_notice);
        case Ending::cancel: return give_up(true);
        case Ending::give_up: return give_up(false);
    }
}

void WireConnector::give_up(bool cancelled) {
    bool was_up = false;
    {
        const Held lock(mutex_);
        sink_ = nullptr;
        was_up = is_up();
        switch (state()) {
            case State::requesting: withdraw_request(cancelled); break;
            case State::replied:
            case State::requested: refuse({}); break;
            case State::idle:
            case State::dialing:
            case State::awaiting: conclude(); break;
            case State::accepting:
            case State::established:
            case State::ended: break;
        }
    }
    if (was_up) end_connection(Farewell::order);
}

void WireConnector::end_connection(Farewell farewell) {
    Ref<SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        queue_pair = queue_pair_;
        prepare_farewell(farewell);
    }
    // The queue pair comes to rest first: nothing of this side touches the peer after the farewell, and the last octets of a
    // stream leave.
    release_queue_pair(queue_pair);
    const Held lock(mutex_);
    if (state_ == State::ended) return;
    say_farewell(farewell);
    conclude();
}

void WireConnector::release_queue_pair(const Ref<SoftQueuePair>& queue_pair) {
    if (!queue_pair) return;
    queue_pair->end(Status::canceled);
}

void WireConnector::conclude() {
    if (!state_.advance(Event::end)) return;  // ended before
    adapter_->event_loop().cancel(std::exchange(patience_, TimerId{}));
    if (claimed_) adapter_->transport().release_addresses(claimed_->first, claimed_->second);
    claimed_.reset();
    let_go();
    listener_ = nullptr;
    queue_pair_ = nullptr;
}

}  // namespace opennd::soft
