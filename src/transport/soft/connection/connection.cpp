// SPDX-License-Identifier: MIT
// Connection: the sink, the queue pair's channel, the deadline, and the end that this side makes. See connection.h.
#include "transport/soft/connection/connection.h"

#include "platform/process/clock.h"
#include "transport/soft/transport.h"

namespace opennd::soft {

// The receiver of the queue pair's calls.
class Connection::End final : public ConnectionEnd {
public:
    explicit End(Ref<Connection> connector) : connector_(std::move(connector)) {}
    void queue_pair_failed() override { connector_->queue_pair_ended(EndCause::failure); }
    void queue_pair_closed() override { connector_->queue_pair_ended(EndCause::release); }
    void lose_peer() override {
        connector_->later([connector = connector_] { connector->lose_peer(); });
    }
    std::optional<ConnectionFacts> facts() override { return connector_->facts_of_living(); }

private:
    const Ref<Connection> connector_;
};

Connection::Connection(Ref<SoftAdapter> adapter, std::string_view wire, State initial, PeerHolds holds)
    : adapter_(std::move(adapter)),
      carrier_{wire},
      holds_(holds),
      active_(initial == State::idle),
      state_("connection", initial) {}

void Connection::set_sink(Ref<ConnectorSink> sink) {
    bool was_abandoned = false;
    {
        const Held lock(mutex_);
        std::swap(sink_, sink);
        was_abandoned = abandoned_ && sink_;
    }
    if (was_abandoned) later(to_sink([](ConnectorSink& to) { to.on_establish_failed(Status::connection_aborted); }));
}

Ref<ConnectorSink> Connection::sink() const {
    const Held lock(mutex_);
    return sink_;
}

bool Connection::attach(Ref<Channel> channel) {
    const Ref<ConnectionEnd> end(new End(Ref<Connection>(this)));
    ChannelLayer& layer = adapter_->layer();
    if (layer.is_wanted()) {
        ConnectionFacts known = facts();
        known.end = end.get();
        channel = layer.wrap(std::move(channel), known);
    }
    words_ = nullptr;
    return queue_pair_->attach(std::move(channel), end, limits_);
}

void Connection::note_request(const Address& local, const Address& peer, std::span<const std::byte> private_data) {
    ends_ = {local, peer};
    if (!adapter_->layer().is_wanted()) return;
    words_ = std::make_unique<Words>();
    words_->request.assign(private_data.begin(), private_data.end());
}

void Connection::note_reply(std::span<const std::byte> private_data) {
    if (words_) words_->reply.assign(private_data.begin(), private_data.end());
}

// Over TCP the addresses are those of the stream, which both ends see alike.
ConnectionFacts Connection::facts() const {
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

std::optional<ConnectionFacts> Connection::facts_of_living() const {
    const Held lock(mutex_);
    if (!is_up()) return std::nullopt;
    ConnectionFacts known = facts();
    known.under_way = true;
    return known;
}

bool Connection::claim_addresses(const Address& local, const Address& peer, bool unique) {
    if (!adapter_->transport().claim_addresses(local, peer, unique)) return false;
    claimed_ = {local, peer};
    return true;
}

Connection::Call Connection::tell_abandoned(Status status) {
    abandoned_ = true;
    if (!sink_) return {};  // set_sink() tells the one that comes; both would be twice
    return to_sink([status](ConnectorSink& sink) { sink.on_establish_failed(status); });
}

bool Connection::abandoned() const {
    const Held lock(mutex_);
    return abandoned_;
}

void Connection::set_deadline(std::chrono::milliseconds from_now, WithoutMemory choice) {
    clear_deadline();
    if (from_now == from_now.zero()) return;
    const auto start = [from_now, loop = &adapter_->event_loop(), self = Ref<Connection>(this), number = deadline_] {
        return loop->schedule(now() + from_now, [self, number] { self->deadline_passed(number); });
    };
    timer_ = choice == WithoutMemory::wait ? until_memory(start) : start();
}

void Connection::clear_deadline() {
    ++deadline_;
    adapter_->event_loop().cancel(std::exchange(timer_, TimerId{}));
}

void Connection::deadline_passed(std::uint32_t number) {
    under_lock([&]() REQUIRES(mutex_) { return number == deadline_ ? on_deadline() : Call(); });
}

// ---- the end that this side makes -----------------------------------------------------------------------------------

void Connection::end(Ending how) {
    switch (how) {
        case Ending::disconnect: return end_connection(Farewell::order);
        case Ending::abort: return end_connection(Farewell::no_notice);
        case Ending::cancel: return give_up(true);
        case Ending::give_up: return give_up(false);
    }
}

void Connection::give_up(bool cancelled) {
    bool was_up = false;
    {
        const Held lock(mutex_);
        sink_ = nullptr;
        was_up = is_up();
        switch (state()) {
            case State::requesting: withdraw(cancelled ? Withdrawal::cancelled : Withdrawal::refused); break;
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

void Connection::end_connection(Farewell farewell) {
    Ref<SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        queue_pair = queue_pair_;
        prepare_farewell(farewell);
    }
    // The queue pair comes to rest first: nothing of this side touches the peer after the farewell, and the last octets of a
    // stream leave.
    if (queue_pair) queue_pair->end(Status::canceled);
    const Held lock(mutex_);
    if (state_ == State::ended) return;
    say_farewell(farewell);
    conclude();
}

void Connection::conclude() {
    if (!state_.advance(Event::end)) return;  // ended before
    adapter_->event_loop().cancel(std::exchange(patience_, TimerId{}));
    clear_deadline();
    if (claimed_) adapter_->transport().release_addresses(claimed_->first, claimed_->second);
    claimed_.reset();
    let_go();
    listener_ = nullptr;
    queue_pair_ = nullptr;
}

}  // namespace opennd::soft
