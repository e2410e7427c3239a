// SPDX-License-Identifier: MIT
// The machines of a run, the paths between them, and who is bound to which address. The nemeses of the wire are here.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulation/world/process.h"
#include "simulation/world/world.h"

namespace opennd::simulation {

class Tcp;
class LocalSocketFile;

// Between two machines, the same in both directions.
struct Path {
    Nanoseconds latency = 20 * kMicrosecond;
    Nanoseconds jitter = 0;
    double bytes_per_nanosecond = 1;
    std::size_t segment_bytes = 1448;
    std::size_t largest_arrival = 64 * 1024;  // of the parts in which a stream arrives
    std::size_t send_buffer = 256 * 1024;
    std::size_t receive_buffer = 256 * 1024;
    std::uint64_t partial_once_in = 0;        // sends that take less than they could
    std::uint64_t loses_once_in = 0;          // parts that TCP has to send again
    std::uint64_t loses_request_once_in = 0;  // SYNs
    bool silent = false;                      // nothing arrives
    Nanoseconds silent_since = 0;
    static Path of(Dice& dice);
};

class Network {
public:
    static constexpr Nanoseconds kResendsAfter = 200 * kMillisecond;

    explicit Network(World& world) : world_(world) {}

    Machine& add_machine(std::vector<Address> addresses);
    Machine* machine_of(const Address& address);
    Path& path(const Machine& a, const Machine& b);

    // ---- TCP
    Tcp* listener_at(const Address& address);
    // 0 or an errno: whether `socket` may have `wanted`.
    int claim(Tcp& socket, const Address& wanted);
    void release(Tcp& socket);
    bool another_listens(const Tcp& socket) const;
    std::uint16_t free_port(const Machine& machine);
    void connected(Tcp& socket) { connections_.push_back(&socket); }
    void disconnected(Tcp& socket) { std::erase(connections_, &socket); }
    void heard_of_an_end(const Machine& machine) { ++ends_heard_[machine.number()]; }
    // Between the two nothing arrives, for so long at least, and `a` has heard of no end of a connection: what ends for it is lost.
    bool has_lost(const Machine& a, const Machine& b, Nanoseconds length);

    // ---- sockets of one machine, by (machine, abstract name)
    std::map<std::pair<std::uint32_t, std::string>, LocalSocketFile*>& names() { return names_; }

    // ---- nemeses; each does nothing where there is nothing to do it to
    void reset_one();
    void end_one();
    void be_silent(Machine& a, Machine& b, Nanoseconds length);

private:
    World& world_;
    std::deque<Machine> machines_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Path> paths_;
    std::vector<Tcp*> bound_, connections_;
    std::map<std::uint32_t, std::uint16_t> last_port_;
    std::map<std::uint32_t, std::uint32_t> ends_heard_;
    std::map<std::pair<std::uint32_t, std::string>, LocalSocketFile*> names_;
};

}  // namespace opennd::simulation
