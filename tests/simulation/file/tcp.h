// SPDX-License-Identifier: MIT
// TCP as programs see it, one socket: a stream that arrives late, in parts and only while the other side has room; ends, resets,
// and peers that are gone.
#pragma once

#include <netinet/tcp.h>
#include <sys/epoll.h>

#include <deque>
#include <span>

#include "simulation/file/byte_queue.h"
#include "simulation/file/file.h"
#include "simulation/world/network.h"

namespace opennd::simulation {

class Tcp final : public File {
public:
    Tcp(World& world, Machine& machine, std::uint32_t number) : world_(world), machine_(machine), number_(number) {}

    std::string name() const override { return "TCP " + std::to_string(number_); }
    // ---- the calls; 0 or an errno, or bytes and a negative errno
    int bind(const Address& local);
    int listen(int backlog);
    int connect(const Address& remote);
    // The oldest that waits; null: nobody does.
    Tcp* accept();
    ssize_t send(std::span<const std::byte> bytes);
    ssize_t receive(std::span<std::byte> bytes);
    int shut_down(int how);
    int take_error() { return std::exchange(error_, 0); }
    // TCP_INFO, also of a connection that broke.
    tcp_info info() const;
    void set_option(int level, int option, const void* value);
    std::uint32_t readiness() override;
    void on_close() override;

    // ---- the network's
    Machine& machine() const { return machine_; }
    Path* path() const { return path_; }
    std::uint32_t number() const { return number_; }
    bool listening() const { return state_ == State::listening; }
    bool reuses() const { return reuses_; }
    bool leaves_port_open() const { return port_at_connect_; }
    const Address& local() const { return local_; }
    const Address& remote() const { return remote_; }
    std::size_t unacknowledged() const { return out_.size(); }
    bool connected() const { return state_ == State::connected; }
    void set_local(const Address& address) { local_ = address; }
    void be_reset_by_the_network();
    void be_ended_by_the_network();
    void watch_silence();
    void hear_again();

private:
    enum class State : std::uint8_t { fresh, listening, connecting, connected, closed };

    void request(int attempt);
    void request_arrives(int attempt);
    void inherit(const Tcp& listener);
    void established(Tcp& peer);
    void connect_fails(int error);
    void transmit();
    void part_arrives(std::size_t bytes, std::uint64_t epoch);
    void end_arrives_at_peer(std::uint64_t epoch);
    void lost();
    void send_again();
    void acknowledged(std::size_t bytes, std::uint64_t epoch);
    void send_reset();
    void probe_later();
    void break_with(int error);
    void close_window();
    unsigned missing_answers() const;
    void check_silence();
    Nanoseconds dead_at() const;
    Nanoseconds arrival_of(std::size_t bytes);
    bool takes_data() const { return state_ == State::connected && open_ && !peer_ended_; }
    std::size_t unread() const { return in_.size(); }
    std::size_t unsent() const { return out_.size() - arrived_ - flying_; }
    bool writable() const;

    World& world_;
    Machine& machine_;
    const std::uint32_t number_;
    State state_ = State::fresh;
    bool open_ = true;  // a descriptor is left
    Address local_, remote_;
    bool reuses_ = false, port_at_connect_ = false, resets_at_close_ = false;
    Nanoseconds user_timeout_ = 0, keep_idle_ = 2 * 3600 * kSecond, keep_interval_ = 75 * kSecond;
    int keep_count_ = 9;
    int error_ = 0;
    std::size_t backlog_ = 0;
    std::deque<Tcp*> arrived_connections_;
    std::size_t half_open_ = 0;  // connections of a listener that are not among those yet
    Path* path_ = nullptr;
    Tcp* peer_ = nullptr;

    // Parts of out_: arrived_ octets that are not acknowledged, flying_ octets, then unsent ones.
    ByteQueue out_;
    std::size_t arrived_ = 0, flying_ = 0;
    bool out_of_room_ = false;    // the program was told so
    bool window_closed_ = false;  // the peer has no room
    std::uint64_t window_closes_ = 0;
    tcp_info last_info_{};  // of a connection that broke
    bool loses_ = false;    // something was lost: nothing behind it counts until it is sent again
    bool end_wanted_ = false, end_flies_ = false, end_arrived_ = false;
    bool no_more_sends_ = false, no_more_receives_ = false;
    std::size_t lost_acknowledgements_ = 0;
    Nanoseconds free_at_ = 0, last_arrival_ = 0;
    Nanoseconds last_heard_ = 0, unacknowledged_since_ = 0;
    bool silence_watched_ = false;
    std::uint64_t epoch_ = 0;  // octets on their way from before a change of it are void

    ByteQueue in_;
    bool peer_ended_ = false;
};

}  // namespace opennd::simulation
