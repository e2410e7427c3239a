// SPDX-License-Identifier: MIT
// LinkConnections: see link_connections.h.
#include "transport/local/link/link_connections.h"

#include <utility>

#include "base/until_memory.h"

namespace opennd::local {
namespace {

// The numbers that one release tells: nobody waits for them before a link is nearly full, and each record wakes the
// peer.
constexpr std::size_t kReleasedAtOnce = 16;

}  // namespace

Result<std::uint32_t> LinkConnections::next_number() {
    if (!freed_.empty()) {
        const std::uint32_t number = freed_.back();
        freed_.pop_back();
        arena_.reset(number);
        return number;
    }
    if (never_used_ == kConnections / 2) return Status::canceled;
    return never_used_++ * 2 + own_;
}

bool LinkConnections::is_peers_to_give(std::uint32_t number) const {
    if (number >= kConnections || is_own(number)) return false;
    return number >= connections_.size() || !connections_[number].held_here;
}

void LinkConnections::open(std::uint32_t number, Ref<LinkUser> user) {
    // The peer has given the number, or knows it by now, and no end of a connection may need memory.
    until_memory([&] {
        if (connections_.size() <= number) connections_.resize(number + 1);
        freed_.reserve(connections_.capacity());
        released_.reserve(kReleasedAtOnce);
    });
    connections_[number] = {.user = std::move(user),
                            .open_here = true,
                            .held_here = true,
                            .open_there = true,
                            .held_there = is_own(number)};
    ++open_;
}

bool LinkConnections::close(std::uint32_t number) {
    if (!std::exchange(connections_[number].open_here, false)) return false;
    --open_;
    return true;
}

std::span<const std::uint32_t> LinkConnections::release(std::uint32_t number) {
    connections_[number].held_here = false;
    if (is_own(number)) {
        free_if_released(number);
        return {};
    }
    released_.push_back(number);
    if (released_.size() < kReleasedAtOnce) return {};
    return released_;
}

bool LinkConnections::release_there(std::uint32_t number) {
    LinkConnection* const released = find(number);
    if (!released || !released->held_there || !released->is_over()) return false;
    released->held_there = released->open_there = false;
    free_if_released(number);
    return true;
}

void LinkConnections::free_if_released(std::uint32_t number) {
    if (connections_[number].held_here || connections_[number].held_there) return;
    connections_[number].holdings = nullptr;
    freed_.push_back(number);
}

}  // namespace opennd::local
