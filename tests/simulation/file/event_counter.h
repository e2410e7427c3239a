// SPDX-License-Identifier: MIT
// eventfd(2).
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <utility>

#include "simulation/file/file.h"

namespace opennd::simulation {

class EventCounter final : public File {
public:
    std::string name() const override { return "eventfd"; }
    std::uint32_t readiness() override { return EPOLLOUT | (count_ > 0 ? EPOLLIN : 0u); }

    void add(World& world, std::uint64_t value) {
        count_ += value;
        tell(world, EPOLLIN);
    }
    // 0: it was not rung.
    std::uint64_t take() { return std::exchange(count_, 0); }

private:
    std::uint64_t count_ = 0;
};

}  // namespace opennd::simulation
