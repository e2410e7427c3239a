// SPDX-License-Identifier: MIT
// See tcp.h. Where programs can tell, it does as Linux does.
#include "simulation/file/tcp.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace opennd::simulation {
namespace {

// The first SYN and those after it (tcp_syn_retries of 6).
constexpr Nanoseconds kRequestTimeout = 127 * kSecond;
constexpr Nanoseconds kNoUserTimeout = 924 * kSecond;  // tcp_retries2
constexpr Nanoseconds kLooksAtSilence = 5 * kSecond;
constexpr Nanoseconds kFirstAgain = 200 * kMillisecond;  // the next ones each after twice as long

int int_of(const void* value) {
    int number = 0;
    std::memcpy(&number, value, sizeof number);
    return number;
}

}  // namespace

int Tcp::bind(const Address& local) { return world_.network().claim(*this, local); }

int Tcp::listen(int backlog) {
    if (world_.network().another_listens(*this)) return EADDRINUSE;
    if (local_.port() == 0)
        if (const int error = world_.network().claim(*this, local_); error != 0) return error;
    backlog_ = static_cast<std::size_t>(std::max(backlog, 0)) + 1;
    state_ = State::listening;
    return 0;
}

void Tcp::set_option(int level, int option, const void* value) {
    if (level == SOL_SOCKET && option == SO_REUSEADDR) reuses_ = int_of(value) != 0;
    if (level == SOL_SOCKET && option == SO_LINGER) {
        linger wanted{};
        std::memcpy(&wanted, value, sizeof wanted);
        resets_at_close_ = wanted.l_onoff != 0 && wanted.l_linger == 0;
    }
    if (level == IPPROTO_IP && option == IP_BIND_ADDRESS_NO_PORT) port_at_connect_ = int_of(value) != 0;
    if (level != IPPROTO_TCP) return;
    if (option == TCP_USER_TIMEOUT) user_timeout_ = int_of(value) * kMillisecond;
    if (option == TCP_KEEPIDLE) keep_idle_ = int_of(value) * kSecond;
    if (option == TCP_KEEPINTVL) keep_interval_ = int_of(value) * kSecond;
    if (option == TCP_KEEPCNT) keep_count_ = int_of(value);
}

// ---- the making of a connection

int Tcp::connect(const Address& remote) {
    if (state_ == State::connecting) return EALREADY;
    if (state_ != State::fresh) return EISCONN;
    if (local_.port() == 0) {
        port_at_connect_ = false;
        if (const int error = world_.network().claim(*this, local_); error != 0) return error;
    }
    remote_ = remote;
    Machine* const to = world_.network().machine_of(remote);
    if (!to) return ENETUNREACH;
    path_ = &world_.network().path(machine_, *to);
    state_ = State::connecting;
    request(0);
    const Nanoseconds limit = user_timeout_ > 0 ? std::min(user_timeout_, kRequestTimeout) : kRequestTimeout;
    world_.after(limit, [this, epoch = epoch_] {
        if (state_ == State::connecting && epoch == epoch_) connect_fails(ETIMEDOUT);
    });
    return EINPROGRESS;
}

void Tcp::request(int attempt) {
    const std::uint64_t epoch = epoch_;
    if (path_->silent || world_.dice().once_in(path_->loses_request_once_in))
        world_.note(Step::segment_lost, number_, static_cast<std::uint64_t>(attempt));
    else
        world_.at(arrival_of(1), [this, attempt, epoch] {
            if (state_ == State::connecting && epoch == epoch_) request_arrives(attempt);
        });
    world_.after(kSecond << attempt, [this, attempt, epoch] {
        if (state_ == State::connecting && epoch == epoch_ && !peer_ && attempt < 6) request(attempt + 1);
    });
}

void Tcp::request_arrives(int) {
    if (peer_) return;  // an older one was answered
    Tcp* const listener = world_.network().listener_at(remote_);
    if (!listener) {
        world_.after(path_->latency, [this, epoch = epoch_] {
            if (state_ == State::connecting && epoch == epoch_) connect_fails(ECONNREFUSED);
        });
        return;
    }
    if (listener->arrived_connections_.size() + listener->half_open_ >= listener->backlog_) return;  // it comes again
    ++listener->half_open_;
    Tcp& passive = world_.files().make<Tcp>(world_, listener->machine_, number_ | 1u << 31);
    passive.state_ = State::connected;
    passive.local_ = remote_;
    passive.remote_ = local_;
    passive.inherit(*listener);
    passive.path_ = path_;
    passive.peer_ = this;
    passive.last_heard_ = passive.unacknowledged_since_ = world_.time();
    peer_ = &passive;
    world_.after(path_->latency, [this, &passive, epoch = epoch_] {
        if (state_ == State::connecting && epoch == epoch_) established(passive);
    });
    world_.after(2 * path_->latency, [this, listener, &passive] {
        --listener->half_open_;
        if (!listener->listening()) return passive.send_reset();
        world_.note(Step::accepts, passive.number_);
        listener->arrived_connections_.push_back(&passive);
        listener->tell(world_, EPOLLIN);
    });
}

void Tcp::inherit(const Tcp& listener) {
    reuses_ = listener.reuses_;
    resets_at_close_ = listener.resets_at_close_;
    user_timeout_ = listener.user_timeout_;
    keep_idle_ = listener.keep_idle_;
    keep_interval_ = listener.keep_interval_;
    keep_count_ = listener.keep_count_;
}

void Tcp::established(Tcp& peer) {
    state_ = State::connected;
    last_heard_ = unacknowledged_since_ = world_.time();
    world_.network().connected(*this);
    world_.network().connected(peer);
    if (path_->silent) watch_silence(), peer.watch_silence();
    tell(world_, EPOLLOUT);
}

void Tcp::connect_fails(int error) {
    state_ = State::closed;
    error_ = error;
    world_.note(Step::gives_up, number_, static_cast<std::uint64_t>(error));
    tell(world_, EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP | EPOLLRDHUP);
}

Tcp* Tcp::accept() {
    if (arrived_connections_.empty()) return nullptr;
    Tcp* const accepted = arrived_connections_.front();
    arrived_connections_.pop_front();
    return accepted;
}

// ---- the stream

bool Tcp::writable() const { return path_ && out_.size() * 3 <= path_->send_buffer * 2; }

std::uint32_t Tcp::readiness() {
    if (state_ == State::listening) return arrived_connections_.empty() ? 0u : EPOLLIN;
    if (state_ == State::connecting) return 0;
    std::uint32_t ready = error_ != 0 ? EPOLLERR : 0u;
    if (state_ != State::connected) return ready | EPOLLIN | EPOLLOUT | EPOLLHUP | EPOLLRDHUP;
    if (unread() > 0) ready |= EPOLLIN;
    if (peer_ended_ || no_more_receives_) ready |= EPOLLIN | EPOLLRDHUP;
    if ((peer_ended_ || no_more_receives_) && no_more_sends_) ready |= EPOLLHUP;
    if (no_more_sends_ || writable())
        ready |= EPOLLOUT;
    else
        out_of_room_ = true;
    return ready;
}

ssize_t Tcp::send(std::span<const std::byte> bytes) {
    if (error_ != 0) return -std::exchange(error_, 0);
    if (state_ == State::connecting) return -EAGAIN;
    if (state_ != State::connected || no_more_sends_) return -EPIPE;
    const std::size_t room = path_->send_buffer > out_.size() ? path_->send_buffer - out_.size() : 0;
    std::size_t taken = std::min(room, bytes.size());
    // A short write into an empty socket is never partial.
    if (taken > path_->segment_bytes && world_.dice().once_in(path_->partial_once_in))
        taken = world_.dice().between(path_->segment_bytes, taken);
    if (taken < bytes.size()) out_of_room_ = true;
    world_.note(Step::sends, number_, taken);
    if (taken == 0) return -EAGAIN;
    if (out_.empty()) unacknowledged_since_ = world_.time();
    out_.put(bytes.first(taken));
    if (path_->silent) watch_silence();
    transmit();
    // A partial write though there was room: the room for the rest is reported soon.
    if (taken < bytes.size() && taken < room)
        world_.after(kMicrosecond, [this] {
            if (std::exchange(out_of_room_, false)) tell(world_, EPOLLOUT);
        });
    return static_cast<ssize_t>(taken);
}

ssize_t Tcp::receive(std::span<std::byte> bytes) {
    // All unread bytes that fit: a short read tells the caller that the socket is empty (epoll(7)).
    const std::size_t count = std::min(unread(), bytes.size());
    if (count == 0) {
        if (error_ != 0) return -std::exchange(error_, 0);
        if (state_ == State::connecting) return -EAGAIN;
        return state_ != State::connected || peer_ended_ || no_more_receives_ ? 0 : -EAGAIN;
    }
    std::ranges::copy(in_.at(0, count), bytes.begin());
    in_.drop(count);
    world_.note(Step::takes, number_, count);
    if (peer_ && peer_->window_closed_)
        world_.after(path_->latency, [sender = peer_] {
            sender->window_closed_ = false;
            sender->transmit();
        });
    return static_cast<ssize_t>(count);
}

Nanoseconds Tcp::arrival_of(std::size_t bytes) {
    const auto duration = static_cast<Nanoseconds>(static_cast<double>(bytes) / path_->bytes_per_nanosecond);
    free_at_ = std::max(free_at_, world_.time()) + duration;
    Nanoseconds arrival = free_at_ + path_->latency;
    if (path_->jitter > 0)
        arrival += static_cast<Nanoseconds>(world_.dice().below(static_cast<std::uint64_t>(path_->jitter)));
    last_arrival_ = std::max(last_arrival_, arrival);
    return last_arrival_;
}

void Tcp::transmit() {
    if (!peer_ || state_ != State::connected || loses_) return;
    const std::size_t full = path_->receive_buffer;
    while (unsent() > 0) {
        const std::size_t used = peer_->unread() + flying_;
        if (used >= full) return close_window();
        const std::size_t most = std::min({unsent(), full - used, path_->largest_arrival});
        const auto bytes =
            static_cast<std::size_t>(world_.dice().once_in(4) ? world_.dice().of_any_size(1, most) : most);
        flying_ += bytes;
        world_.at(arrival_of(bytes), [this, bytes, epoch = epoch_] { part_arrives(bytes, epoch); });
    }
    if (end_wanted_ && !end_flies_ && !end_arrived_) {
        end_flies_ = true;
        world_.at(arrival_of(0), [this, epoch = epoch_] { end_arrives_at_peer(epoch); });
    }
}

// Linux probes a closed window, and the peer answers. With a user timeout it gives the peer up all the same.
void Tcp::close_window() {
    if (std::exchange(window_closed_, true) || user_timeout_ == 0) return;
    world_.after(user_timeout_, [this, epoch = epoch_, closes = ++window_closes_] {
        if (epoch != epoch_ || closes != window_closes_ || !window_closed_ || user_timeout_ == 0) return;
        world_.note(Step::gives_up, number_);
        break_with(ETIMEDOUT);
    });
}

void Tcp::part_arrives(std::size_t bytes, std::uint64_t epoch) {
    if (epoch != epoch_) return;
    if (loses_ || path_->silent || world_.dice().once_in(path_->loses_once_in)) {
        flying_ -= bytes;
        return lost();
    }
    if (!peer_->takes_data()) {  // closed there: it answers with a reset
        world_.after(path_->latency, [this, epoch] {
            if (epoch == epoch_) break_with(ECONNRESET);
        });
        flying_ -= bytes;
        loses_ = true;
        return;
    }
    peer_->in_.put(out_.at(arrived_, bytes));
    flying_ -= bytes;
    arrived_ += bytes;
    peer_->last_heard_ = world_.time();
    world_.note(Step::arrives, peer_->number_, bytes);
    peer_->tell(world_, EPOLLIN);
    world_.after(path_->latency, [this, bytes, epoch] { acknowledged(bytes, epoch); });
}

void Tcp::lost() {
    world_.note(Step::segment_lost, number_);
    loses_ = true;
    if (flying_ == 0 && !path_->silent)
        world_.after(Network::kResendsAfter, [this, epoch = epoch_] {
            if (epoch == epoch_) send_again();
        });
}

void Tcp::send_again() {
    if (path_->silent || flying_ > 0) return;
    loses_ = false;
    end_flies_ = false;
    if (lost_acknowledgements_ > 0) acknowledged(std::exchange(lost_acknowledgements_, 0), epoch_);
    transmit();
}

void Tcp::acknowledged(std::size_t bytes, std::uint64_t epoch) {
    if (epoch != epoch_) return;
    if (path_->silent) {
        lost_acknowledgements_ += bytes;
        return;
    }
    out_.drop(bytes);
    arrived_ -= bytes;
    last_heard_ = unacknowledged_since_ = world_.time();
    world_.note(Step::acknowledged, number_, bytes);
    if (out_of_room_ && writable()) {
        out_of_room_ = false;
        tell(world_, EPOLLOUT);
    }
}

// ---- ends

int Tcp::shut_down(int how) {
    if (state_ == State::listening) {
        state_ = State::fresh;
        return 0;
    }
    if (state_ != State::connected) return ENOTCONN;
    if (how != SHUT_WR) no_more_receives_ = true;
    if (how != SHUT_RD && !no_more_sends_) {
        no_more_sends_ = true;
        end_wanted_ = true;
        transmit();
    }
    tell(world_, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLHUP);
    return 0;
}

void Tcp::end_arrives_at_peer(std::uint64_t epoch) {
    if (epoch != epoch_ || end_arrived_) return;
    if (loses_ || path_->silent) {
        end_flies_ = false;
        return lost();
    }
    end_arrived_ = true;
    peer_->peer_ended_ = true;
    world_.network().heard_of_an_end(peer_->machine_);
    peer_->last_heard_ = world_.time();
    world_.note(Step::end_arrives, peer_->number_);
    peer_->tell(world_, EPOLLIN | EPOLLRDHUP | (peer_->no_more_sends_ ? EPOLLHUP : 0u));
}

void Tcp::on_close() {
    open_ = false;
    world_.network().release(*this);
    if (state_ == State::listening) {
        for (Tcp* const waiting : arrived_connections_) waiting->send_reset();
        arrived_connections_.clear();
    } else if (state_ == State::connecting) {
        ++epoch_;
        if (peer_) peer_->break_with(ECONNRESET);
    } else if (state_ == State::connected) {
        if (resets_at_close_ || unread() > 0) {
            send_reset();
            world_.network().disconnected(*this);
            return;
        }
        no_more_sends_ = end_wanted_ = true;
        transmit();
        return;
    }
    world_.network().disconnected(*this);
    state_ = State::closed;
}

// This side knows at once, the other after a while, or when it sends next.
void Tcp::send_reset() {
    if (state_ != State::connected) return;
    state_ = State::closed;
    ++epoch_;
    out_.clear();
    arrived_ = flying_ = 0;
    if (!peer_) return;
    world_.at(arrival_of(0), [peer = peer_] {
        if (peer->path_->silent)
            peer->probe_later();
        else
            peer->break_with(ECONNRESET);
    });
}

// The peer is gone and its reset was lost: it answers the next probe with another.
void Tcp::probe_later() {
    world_.after(keep_idle_, [this] {
        if (state_ != State::connected) return;
        if (path_->silent)
            probe_later();
        else
            break_with(ECONNRESET);
    });
}

void Tcp::break_with(int error) {
    if (state_ == State::closed) return;
    last_info_ = info();
    state_ = State::closed;
    ++epoch_;
    out_.clear();
    arrived_ = flying_ = 0;
    error_ = error;
    if (error == ECONNRESET) world_.network().heard_of_an_end(machine_);
    world_.network().disconnected(*this);
    world_.note(Step::reset_arrives, number_, static_cast<std::uint64_t>(error));
    tell(world_, EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP | EPOLLRDHUP);
    if (error != ECONNRESET && peer_) peer_->probe_later();
}

void Tcp::be_reset_by_the_network() {
    Tcp* const other = peer_;
    world_.after(static_cast<Nanoseconds>(world_.dice().below(static_cast<std::uint64_t>(2 * path_->latency))),
                 [other] { other->break_with(ECONNRESET); });
    break_with(ECONNRESET);
}

// Cuts off the octets that have not arrived; to the peer it looks like an end in order.
void Tcp::be_ended_by_the_network() {
    if (end_arrived_ || !peer_ || !peer_->takes_data()) return;
    ++epoch_;
    out_.clear();
    arrived_ = flying_ = lost_acknowledgements_ = 0;
    end_wanted_ = end_flies_ = end_arrived_ = true;
    peer_->peer_ended_ = true;
    world_.network().heard_of_an_end(peer_->machine_);
    world_.note(Step::end_arrives, peer_->number_);
    peer_->tell(world_, EPOLLIN | EPOLLRDHUP | (peer_->no_more_sends_ ? EPOLLHUP : 0u));
    tell(world_, EPOLLOUT);
}

// ---- a peer that is silent

Nanoseconds Tcp::dead_at() const {
    if (!out_.empty()) return unacknowledged_since_ + (user_timeout_ > 0 ? user_timeout_ : kNoUserTimeout);
    const Nanoseconds probed = user_timeout_ > 0 ? keep_interval_ : keep_count_ * keep_interval_;
    return last_heard_ + std::max(user_timeout_, keep_idle_ + probed);
}

// Segments that were sent again, or probes, since the newest answer. A path that works answers them.
unsigned Tcp::missing_answers() const {
    if (!path_ || !path_->silent) return 0;
    if (out_.empty()) return world_.time() >= last_heard_ + keep_idle_ ? 1 : 0;
    unsigned missing = 0;
    const Nanoseconds since = std::max(unacknowledged_since_, path_->silent_since);
    for (Nanoseconds next = kFirstAgain; since + next <= world_.time(); next += kFirstAgain << missing) ++missing;
    return missing;
}

tcp_info Tcp::info() const {
    if (state_ == State::closed) return last_info_;
    tcp_info info{};
    const auto missing = static_cast<std::uint8_t>(missing_answers());
    const auto ago = static_cast<std::uint32_t>((world_.time() - last_heard_) / kMillisecond);
    const bool probes = out_.empty() || window_closed_;
    info.tcpi_unacked = probes ? 0 : 1;
    info.tcpi_retransmits = probes ? 0 : missing;
    info.tcpi_probes = probes ? missing : 0;
    info.tcpi_last_ack_recv = ago;
    info.tcpi_last_data_sent = missing == 0 ? ago : 0;  // answered as far as it can be
    return info;
}

void Tcp::watch_silence() {
    if (silence_watched_ || state_ != State::connected) return;
    silence_watched_ = true;
    // The due time may change: options are set and data sent meanwhile.
    const Nanoseconds due = std::clamp(dead_at(), world_.time(), world_.time() + kLooksAtSilence);
    world_.at(due, [this] { check_silence(); });
}

void Tcp::check_silence() {
    silence_watched_ = false;
    if (state_ != State::connected || !path_->silent) return;
    if (world_.time() < dead_at()) return watch_silence();
    world_.note(Step::gives_up, number_);
    // A router may have said why.
    break_with(world_.dice().once_in(4) ? EHOSTUNREACH : ETIMEDOUT);
}

void Tcp::hear_again() {
    last_heard_ = world_.time();
    if (loses_ || lost_acknowledgements_ > 0)
        world_.after(Network::kResendsAfter, [this, epoch = epoch_] {
            if (epoch == epoch_) send_again();
        });
}

}  // namespace opennd::simulation
