// SPDX-License-Identifier: MIT
// Unix sockets of packets (SOCK_SEQPACKET) in the abstract namespace, which carry descriptors. A packet that was sent has arrived.
#pragma once

#include <sys/epoll.h>

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "simulation/file/file.h"
#include "simulation/world/network.h"

namespace opennd::simulation {

class LocalSocketFile final : public File {
public:
    struct Packet {
        std::vector<std::byte> bytes;
        std::vector<int> descriptors;  // the kernel's own: duplicates
    };
    static constexpr std::size_t kQueue = 10;  // net.unix.max_dgram_qlen

    LocalSocketFile(World& world, Process& process, std::uint32_t number)
        : world_(world), process_(process), number_(number) {}

    std::string name() const override { return "local " + std::to_string(number_); }
    // 0 or an errno.
    int bind(const std::string& name);
    int listen(int backlog);
    int connect(const std::string& name);
    // Null: nobody waits.
    LocalSocketFile* accept();
    int send(std::span<const std::byte> bytes, std::span<const int> descriptors);
    // EAGAIN; the packet is taken from the queue otherwise, empty at the end.
    int receive(Packet& packet);
    void shut_down();
    void join(LocalSocketFile& other);

    std::size_t unread_at_peer() const;
    // Null: never had a peer.
    const Process* peer() const { return peer_process_; }
    std::uint32_t number() const { return number_; }
    bool listening() const { return listening_; }
    bool connected() const { return peer_process_ != nullptr && !listening_; }
    std::uint32_t readiness() override;
    void on_close() override;

private:
    void lose_peer(bool reset);

    World& world_;
    Process& process_;
    const std::uint32_t number_;
    std::string name_;
    bool listening_ = false, over_ = false, reset_ = false;
    std::size_t backlog_ = 0;
    std::deque<LocalSocketFile*> waiting_;
    const Process* peer_process_ = nullptr;
    LocalSocketFile* peer_ = nullptr;  // null: gone
    std::deque<Packet> packets_;
    bool out_of_room_ = false;
};

}  // namespace opennd::simulation
