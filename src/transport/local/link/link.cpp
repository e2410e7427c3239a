// SPDX-License-Identifier: MIT
// Link: see link.h.
#include "transport/local/link/link.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/explanation.h"
#include "base/until_memory.h"
#include "platform/thread/asymmetric_barrier.h"
#include "platform/thread/look_choice.h"

namespace opennd::local {
namespace {

// The packets of one link that are heard before the events of others; the loop calls again while there are more.
constexpr int kPacketsAtOnce = 64;
// The most packets that look() hears for a thread that expects one of them.
constexpr int kPacketsOfLook = 4096;
// The most records that wait for room in the socket: of the link, and for each of its connections. A peer that asks and
// does not listen loses the link.
constexpr std::size_t kWaitingOfLink = 64, kWaitingOfConnection = 8;
// The interest in arrivals and, by EPOLLOUT, in room to send.
constexpr std::uint32_t kArrivalAndRoom = EventLoop::kArrival | 4;

ControlMessage record(ControlType type, std::uint32_t connection = 0) {
    ControlMessage message;
    message.type = type;
    message.connection = connection;
    return message;
}

}  // namespace

// ---- the beginning --------------------------------------------------------------------------------------------------

Link::Link(EventLoop& loop, Ref<LinkRegistry> links, const LinkOpens& ends, Side side, LocalSocket socket,
           soft::PeerTokenTable peer_tokens, Ref<Arena> arena, Ref<LinkMemory> memory, NameWriter::History history,
           std::uint32_t sent)
    : loop_(loop),
      links_(std::move(links)),
      ends_(ends),
      side_(side),
      peer_tokens_(std::move(peer_tokens)),
      arena_(std::move(arena)),
      memory_(std::move(memory)),
      socket_(std::move(socket), arena_, side, sent),
      crowds_(loop, socket_, arena_->names(side), arena_->names(peer()), std::move(history)),
      connections_(side, *arena_) {
    (void)look_choice();  // now, so that no callback makes it
}

Link::~Link() { links_->remove(ends_, *this); }

Status Link::begin(int watched_until_now) {
    loop_.remove(watched_until_now);
    const Status status = until_memory(
        [&] { return loop_.add(socket_.descriptor(), EventLoop::kArrival, Ref<EventLoop::Watcher>(this)); });
    if (ok(status)) until_memory([&] { links_->add(ends_, *this); });
    return status;
}

Result<Ref<LinkEnd>> Link::make(EventLoop& loop, Ref<LinkRegistry> links, const LinkOpens& ends, soft::OpenAdapter& own,
                                LocalSocket& socket, ReceivedControl& request, Ref<LinkUser> user) {
    auto tokens = soft::PeerTokenTable::map(std::move(request.descriptors[0]));
    if (!tokens.ok()) return tokens.status();
    auto arena = Arena::create();
    if (!arena.ok()) return arena.status();
    auto history = NameWriter::create_history();
    if (!history.ok()) return history.status();
    ControlMessage message = record(ControlType::link);
    message.nonce = request.message.nonce;
    message.open = own.tokens().cookie();
    auto memory = make_ref<LinkMemory>(&loop, arena.value(), maker);
    const std::array descriptors{arena.value()->descriptor(), own.tokens().memory().descriptor()};
    if (const Status status = opennd::local::send(socket, message, descriptors); !ok(status)) return status;
    arena.value()->close_descriptor();
    const int watched = socket.descriptor();
    // The peer has the link, and so must this side. A constructor that takes no memory leaves its arguments for another try.
    const Ref<Link> link = until_memory([&] {
        return Ref<Link>(new Link(loop, std::move(links), ends, maker, std::move(socket), tokens.take(), arena.take(),
                                  std::move(memory), history.take(), 0));
    });
    Ref<LinkEnd> link_end;
    {
        const Held lock(link->mutex_);
        link_end = link->occupy(link->connections_.next_number().value(), std::move(user));
    }
    if (const Status status = link->begin(watched); !ok(status)) {
        ControlMessage refusal = record(ControlType::reject);  // the caller's socket is the link's by now
        refusal.shortage = shortage_of(status);
        (void)link_end->send(refusal);
        link_end->leave();
        return status;
    }
    return link_end;
}

Status Link::take(EventLoop& loop, Ref<LinkRegistry> links, LinkOpens ends, LocalSocket& socket,
                  ReceivedControl& received, Ref<LinkUser> user) {
    auto arena = Arena::map(std::move(received.descriptors[0]));
    if (!arena.ok()) return arena.status();
    auto tokens = soft::PeerTokenTable::map(std::move(received.descriptors[1]));
    if (!tokens.ok()) return tokens.status();
    auto history = NameWriter::create_history();
    if (!history.ok()) return history.status();
    ends.open = received.message.open;
    auto memory = make_ref<LinkMemory>(&loop, arena.value(), taker);
    const int watched = socket.descriptor();
    const Ref<Link> link(new Link(loop, std::move(links), ends, taker, std::move(socket), tokens.take(), arena.take(),
                                  std::move(memory), history.take(),
                                  user ? 0 : 1));        // one packet told that nobody wants the connection
    const Ref<LinkEnd> link_end = link->adopt(0, user);  // the maker's first number
    if (!user) link->have_said_farewell(0);
    if (const Status status = link->begin(watched); !ok(status)) return status;
    if (user)
        user->on_joined(link_end);
    else
        link_end->leave();
    return Status::success;
}

Status Link::ask(const ControlMessage& request) {
    const Held lock(mutex_);
    return retired_ ? Status::canceled : send_locked(request);
}

void Link::refuse(ControlType answer, std::uint64_t nonce) {
    ControlMessage message = record(answer);
    message.nonce = nonce;
    const Held lock(mutex_);
    (void)send_locked(message);
}

std::uint32_t Link::closings_there() const { return arena_->closings(peer()).load(std::memory_order_relaxed); }
void Link::tell_closing() { arena_->closings(side_).fetch_add(1, std::memory_order_relaxed); }

Result<Ref<LinkEnd>> Link::join(Ref<LinkUser> user, std::uint64_t nonce) {
    const Held lock(mutex_);
    if (retired_) return Status::canceled;
    const Result<std::uint32_t> number = connections_.next_number();
    if (!number.ok()) return number.status();
    ControlMessage message = record(ControlType::join, number.value());
    message.nonce = nonce;
    if (const Status status = send_locked(message); !ok(status)) {
        connections_.take_back(number.value());
        return status;
    }
    return occupy(number.value(), std::move(user));
}

Ref<LinkEnd> Link::occupy(std::uint32_t number, Ref<LinkUser> user) {
    connections_.open(number, std::move(user));
    return until_memory([&] { return make_ref<LinkEnd>(Ref<Link>(this), number); });
}

// Begins a connection to which the peer gave this number; null: it may not give that.
Ref<LinkEnd> Link::adopt(std::uint32_t number, Ref<LinkUser> user) {
    const Held lock(mutex_);
    if (!connections_.is_peers_to_give(number)) return nullptr;
    return occupy(number, std::move(user));
}

void Link::have_said_farewell(std::uint32_t number) {
    const Held lock(mutex_);
    connections_[number].said_farewell = true;
}

// ---- the ends -------------------------------------------------------------------------------------------------------

void Link::leave(std::uint32_t number) {
    Ref<LinkUser> user;  // released outside the lock, as `longest_idle` is retired
    Ref<Link> longest_idle;
    {
        const Held lock(mutex_);
        if (!connections_.close(number)) return;
        LinkConnection& left = connections_[number];
        user = std::move(left.user);
        if (left.open_there && !left.said_farewell) (void)send_locked(record(ControlType::leave, number));
        if (connections_.none_open() && !links_->keep(ends_, *this, longest_idle)) retire();
    }
    if (longest_idle) longest_idle->retire_if_idle();
}

void Link::keep(std::uint32_t number, std::unique_ptr<Holdings> holdings) {
    const Held lock(mutex_);
    connections_[number].holdings = std::move(holdings);
}

void Link::release(std::uint32_t number) {
    const Held lock(mutex_);
    const std::span<const std::uint32_t> to_tell = connections_.release(number);
    if (to_tell.empty()) return;
    ControlMessage message = record(ControlType::release);
    message.set_data(std::as_bytes(to_tell));
    (void)send_locked(message);
    connections_.told();
}

void Link::retire_if_idle() {
    const Held lock(mutex_);
    retire();
}

// Retires a link without connections. The peer is told, and hangs up when it has none either; or it was told first. A
// connection that the peer began meanwhile is a connection like any other.
void Link::retire() {
    if (connections_.none_open() && !ended_) begin_no_further();
}

void Link::begin_no_further() {
    if (!std::exchange(retired_, true)) {
        links_->remove(ends_, *this);
        (void)send_locked(record(ControlType::retire));
    }
    hang_up_if_done();
}

// Hangs up, but not before the last words have left.
void Link::hang_up_if_done() {
    if (connections_.none_open() && retired_ && peer_retired_ && outbox_.empty()) socket_.shut_down();
}

// The socket is at its end: the peer's process has ended, or either side hung up.
void Link::end() {
    std::uint32_t connections = 0;
    links_->remove(ends_, *this);
    {
        const Held lock(mutex_);
        if (std::exchange(ended_, true)) return;
        retired_ = peer_retired_ = true;
        socket_.shut_down();
        outbox_.clear();
        connections = connections_.size();
    }
    loop_.remove(socket_.descriptor());
    loop_.forget(*this);
    for (std::uint32_t number = 0; number < connections; ++number) {
        Ref<LinkUser> user;
        {
            const Held lock(mutex_);
            LinkConnection& ended = connections_[number];
            ended.open_there = ended.held_there = false;
            user = ended.user;
        }
        if (user) user->on_left(Status::disconnected);
    }
    tell_askers();
}

// Tells the connectors that asked on this link: nobody answers their requests here any more.
void Link::tell_askers() {
    ReceivedControl nobody{record(ControlType::absent), {}};
    std::uint64_t nonce = 0;
    for (Ref<LinkUser> user; links_->finish_next(*this, nonce, user);)
        if (user) user->on_record(nobody);
}

void Link::break_off(std::string_view what) {
    (void)report(Status::connection_aborted, {.object = "link",
                                              .operation = "a record of the peer",
                                              .asked = what,
                                              .limit = "the rules of links; all connections with this process end",
                                              .remedy = "use the same version of OpenND in both programs",
                                              .requirement = "ND2-CON-CONN-05",
                                              .cause = LogCause::peer});
    end();
}

// ---- sending --------------------------------------------------------------------------------------------------------

Status Link::send_about(std::uint32_t number, ControlMessage& message, std::span<const int> descriptors) {
    message.connection = number;
    const Held lock(mutex_);
    LinkConnection& sender = connections_[number];
    if (!sender.open_here || sender.said_farewell) return Status::disconnected;
    sender.said_farewell = is_farewell(message.type);
    return send_locked(message, descriptors);
}

Status Link::send_locked(const ControlMessage& message, std::span<const int> descriptors) {
    if (ended_) return Status::disconnected;
    const bool waited = !outbox_.empty();
    const std::size_t most = kWaitingOfLink + kWaitingOfConnection * connections_.size();
    const Status status = outbox_.send(socket_, message, descriptors, most);
    if (!waited && !outbox_.empty()) (void)loop_.modify(socket_.descriptor(), kArrivalAndRoom);
    return status;
}

void Link::send_waiting() {
    if (outbox_.empty() || !outbox_.flush(socket_)) return;
    (void)loop_.modify(socket_.descriptor(), EventLoop::kArrival);
    hang_up_if_done();
}

// ---- hearing --------------------------------------------------------------------------------------------------------

// Hears packets. The loop tells each packet that arrives, and the end.
void Link::on_ready(std::uint32_t epoll_events) {
    const Ref<Link> self(this);  // end() drops the loop's reference
    {
        const Held lock(mutex_);
        send_waiting();
    }
    for (int packet = 0; packet < kPacketsAtOnce; ++packet)
        if (!hear_packet() || !(EventLoop::tells_end(epoll_events) || socket_.expects_more())) return;
    // The rest has arrived and will not be told again.
    loop_.post([self, epoll_events] { self->on_ready(epoll_events); });
}

void Link::hear_all() {
    const Ref<Link> self(this);
    for (int packet = 0; packet < kPacketsOfLook && hear_packet(); ++packet) {
    }
}

bool Link::hear_packet() {
    hears_.store(true, std::memory_order_relaxed);
    full_barrier();
    const bool heard = take_packet();
    hears_.store(false, std::memory_order_release);
    return heard;
}

// Takes one packet. Returns false if there is none, or none any more.
bool Link::take_packet() {
    Result<ReceivedControl> received = Status::disconnected;
    {
        const Held lock(mutex_);
        if (ended_) return false;
        received = socket_.receive();
    }
    if (received.status() == Status::would_block) return false;
    if (!received.ok()) {
        end();
        return false;
    }
    if (received.value().message.type != ControlType::wake_up)
        handle(received.value());
    else
        loop_.had_work(Ref<EventLoop::Spot>(this));
    deliver_news();
    return true;
}

void Link::on_work() {
    {
        const Held lock(mutex_);
        if (ended_) return;  // in an earlier turn, which made the loop forget it
    }
    deliver_news();
    loop_.had_work(Ref<EventLoop::Spot>(this));
}

void Link::handle(ReceivedControl& received) {
    switch (received.message.type) {
        case ControlType::join: return handle_join(received.message);
        case ControlType::release: return handle_release(received.message);
        case ControlType::retire: return handle_retire();
        case ControlType::ask: return handle_ask(received);
        case ControlType::absent:
        case ControlType::busy: return handle_refusal(received);
        case ControlType::request:
        case ControlType::link: return break_off("a record that begins a link, within one");
        default: return pass_on(received);
    }
}

void Link::handle_join(const ControlMessage& message) {
    const Ref<LinkUser> user = links_->finish(message.nonce);
    const Ref<LinkEnd> link_end = adopt(message.connection, user);
    if (!link_end) break_off("a connection's number that is not the peer's to give");
    if (user && link_end) return user->on_joined(link_end);
    if (user) return user->on_left(Status::disconnected);
    if (!link_end) return;
    (void)link_end->send(record(ControlType::cancel));  // its connector is gone
    link_end->leave();
}

void Link::handle_ask(ReceivedControl& received) {
    const auto address =
        Address::from(reinterpret_cast<const sockaddr*>(&received.message.remote), sizeof received.message.remote);
    const Ref<RequestTaker> listener = address ? links_->taker(*ends_.own, *address) : nullptr;
    if (!listener) return refuse(ControlType::absent, received.message.nonce);
    try {
        listener->take_request(Ref<Link>(this), received);
    } catch (const std::bad_alloc&) {
        refuse(ControlType::busy, received.message.nonce);
    }
}

// Hands a refusal to its request. Nobody waits for it if the request was given up meanwhile.
void Link::handle_refusal(ReceivedControl& received) {
    if (const Ref<LinkUser> user = links_->finish(received.message.nonce)) user->on_record(received);
}

void Link::handle_release(const ControlMessage& message) {
    const std::span<const std::byte> data = message.data();
    for (std::size_t at = 0; at + sizeof(std::uint32_t) <= data.size(); at += sizeof(std::uint32_t)) {
        std::uint32_t number = 0;
        std::memcpy(&number, data.data() + at, sizeof number);
        bool known = false;
        {
            const Held lock(mutex_);
            known = connections_.release_there(number);
        }
        if (!known) return break_off("the release of a connection that is none");
    }
}

void Link::handle_retire() {
    const Held lock(mutex_);
    peer_retired_ = true;
    begin_no_further();
}

// Passes a record on to the connection's user, unless this side has left it.
void Link::pass_on(ReceivedControl& received) {
    const std::uint32_t number = received.message.connection;
    const ControlType type = received.message.type;
    Ref<LinkUser> user;
    bool known = false;
    {
        const Held lock(mutex_);
        LinkConnection* const connection = connections_.find(number);
        known = connection && connection->open_there;
        if (known) {
            user = connection->user;
            connection->open_there = !is_farewell(type);
        }
    }
    if (!known) return break_off("a record about a connection that is none");
    if (!user) return;
    if (type != ControlType::leave) user->on_record(received);
    if (is_farewell(type)) user->on_left(Status::disconnected);
}

void Link::deliver_news() {
    socket_.take_ring();
    arena_->news(side_).take([&](std::uint32_t number) { wake_user(number); });
    crowds_.hear([&](std::uint32_t number) { wake_user(number); });
}

void Link::wake_user(std::uint32_t number) {
    Ref<LinkUser> user;
    {
        const Held lock(mutex_);
        if (const LinkConnection* const woken = connections_.find(number)) user = woken->user;
    }
    if (user) user->on_wake_up();
}

}  // namespace opennd::local
