// SPDX-License-Identifier: MIT
// See network.h.
#include "simulation/world/network.h"

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "simulation/file/tcp.h"

namespace opennd::simulation {

Path Path::of(Dice& dice) {
    constexpr double kSpeeds[] = {0.001, 0.0125, 0.125, 1.25, 12.5};  // 1 MB/s to 100 Gbit/s
    constexpr std::size_t kSegments[] = {536, 1448, 8948, 32768};
    constexpr std::uint64_t kPartial[] = {0, 0, 20, 3};
    constexpr std::uint64_t kLost[] = {0, 0, 0, 200, 20};
    Path path;
    path.latency = static_cast<Nanoseconds>(dice.of_any_size(2 * kMicrosecond, 100 * kMillisecond));
    path.jitter = dice.once_in(2) ? path.latency / 2 : 0;
    path.bytes_per_nanosecond = kSpeeds[dice.below(std::size(kSpeeds))];
    path.segment_bytes = kSegments[dice.below(std::size(kSegments))];
    path.largest_arrival = dice.of_any_size(64, 256 * 1024);
    path.send_buffer = dice.of_any_size(4 * 1024, 2 * 1024 * 1024);
    path.receive_buffer = dice.of_any_size(4 * 1024, 2 * 1024 * 1024);
    path.partial_once_in = kPartial[dice.below(std::size(kPartial))];
    path.loses_once_in = kLost[dice.below(std::size(kLost))];
    path.loses_request_once_in = dice.once_in(4) ? 2 : 0;
    return path;
}

Machine& Network::add_machine(std::vector<Address> addresses) {
    return machines_.emplace_back(static_cast<std::uint32_t>(machines_.size()), std::move(addresses));
}

Machine* Network::machine_of(const Address& address) {
    for (Machine& machine : machines_)
        if (machine.has(address)) return &machine;
    return nullptr;
}

Path& Network::path(const Machine& a, const Machine& b) { return paths_[std::minmax(a.number(), b.number())]; }

Tcp* Network::listener_at(const Address& address) {
    for (Tcp* const socket : bound_)
        if (socket->listening() && socket->local() == address) return socket;
    return nullptr;
}

int Network::claim(Tcp& socket, const Address& wanted) {
    if (!socket.machine().has(wanted)) return EADDRNOTAVAIL;
    Address address = wanted;
    if (wanted.port() == 0) {
        if (socket.leaves_port_open()) {
            socket.set_local(wanted);
            return 0;
        }
        address = wanted.with_port(free_port(socket.machine()));
    }
    for (const Tcp* const other : bound_) {
        if (other == &socket || &other->machine() != &socket.machine() || other->local() != address) continue;
        if (!socket.reuses() || !other->reuses() || other->listening()) return EADDRINUSE;
    }
    socket.set_local(address);
    if (std::find(bound_.begin(), bound_.end(), &socket) == bound_.end()) bound_.push_back(&socket);
    return 0;
}

void Network::release(Tcp& socket) { std::erase(bound_, &socket); }

bool Network::another_listens(const Tcp& socket) const {
    return std::any_of(bound_.begin(), bound_.end(), [&](const Tcp* other) {
        return other != &socket && &other->machine() == &socket.machine() && other->listening() &&
               other->local() == socket.local();
    });
}

std::uint16_t Network::free_port(const Machine& machine) {
    std::uint16_t& last = last_port_[machine.number()];
    for (;;) {
        last = last < 49152 || last == 65535 ? 49152 : static_cast<std::uint16_t>(last + 1);
        const bool taken = std::any_of(bound_.begin(), bound_.end(), [&](const Tcp* socket) {
            return &socket->machine() == &machine && socket->local().port() == last;
        });
        if (!taken) return last;
    }
}

void Network::reset_one() {
    if (connections_.empty()) return;
    Tcp& one = *connections_[world_.dice().below(connections_.size())];
    world_.note(Step::nemesis, 1, one.number());
    one.be_reset_by_the_network();
}

void Network::end_one() {
    if (connections_.empty()) return;
    Tcp& one = *connections_[world_.dice().below(connections_.size())];
    world_.note(Step::nemesis, 2, one.number());
    one.be_ended_by_the_network();
}

bool Network::has_lost(const Machine& a, const Machine& b, Nanoseconds length) {
    const Path& between = path(a, b);
    return between.silent && between.silent_since + length <= world_.time() && ends_heard_[a.number()] == 0;
}

void Network::be_silent(Machine& a, Machine& b, Nanoseconds length) {
    Path& between = path(a, b);
    if (between.silent) return;
    between.silent = true;
    between.silent_since = world_.time();
    world_.note(Step::nemesis, 3, static_cast<std::uint64_t>(length));
    for (Tcp* const connection : connections_)
        if (connection->path() == &between) connection->watch_silence();
    world_.after(length, [this, &between] {
        between.silent = false;
        world_.note(Step::nemesis, 4);
        const std::vector<Tcp*> all = connections_;
        for (Tcp* const connection : all)
            if (connection->path() == &between) connection->hear_again();
    });
}

}  // namespace opennd::simulation
