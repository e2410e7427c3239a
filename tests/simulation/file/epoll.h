// SPDX-License-Identifier: MIT
// epoll(7): levels and edges, one waiter woken for each arrival.
#pragma once

#include <sys/epoll.h>

#include <deque>
#include <span>
#include <unordered_map>

#include "simulation/file/file.h"

namespace opennd::simulation {

class Epoll final : public File {
public:
    explicit Epoll(World& world) : world_(world) {}

    std::string name() const override { return "epoll"; }
    // Readable while a listed file is ready: a set can be in another set.
    std::uint32_t readiness() override;
    // 0 or an errno.
    int control(int operation, File& file, epoll_event* event);
    // How many were ready.
    int wait(std::span<epoll_event> events, int timeout_ms);

    void hear(World& world, File& file, std::uint32_t events);
    void forget(File& file);

private:
    struct Watch {
        epoll_event wanted{};
        bool listed = false;
    };
    void list(File& file, Watch& watch);
    int collect(std::span<epoll_event> events);

    World& world_;
    std::unordered_map<File*, Watch> watches_;  // never walked
    std::deque<File*> ready_;
    WaitList waiters_;
};

}  // namespace opennd::simulation
