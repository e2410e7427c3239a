// SPDX-License-Identifier: MIT
// The connections of a link by their numbers: who uses each, who has left it, and who may still touch its segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "transport/local/arena/arena.h"
#include "transport/local/arena/link_memory.h"
#include "transport/local/link/link_registry.h"

namespace opennd::local {

// One connection's number. The side in its lowest bit accepted the connection, and alone gives the number again.
struct LinkConnection {
    Ref<LinkUser> user;          // until this side leaves it
    bool open_here = false;      // this side has not left it
    bool said_farewell = false;  // and has said nothing since
    bool held_here = false;      // this side may touch its segment
    bool open_there = false;     // the peer has not said farewell
    bool held_there = false;     // a number of this side: the peer has not released it
    // The memory of the connection before, which the peer may still read: until it has released the number, or
    // gives it again.
    std::unique_ptr<Holdings> holdings = {};

    // Returns true once the last record about the connection has been sent or heard. A side that has heard one says
    // none of its own.
    bool is_over() const { return !open_here || said_farewell || !open_there; }
};

// Not thread-safe: the link's lock guards it.
class LinkConnections {
public:
    // `own` is the side, 0 or 1, of the link with this arena.
    LinkConnections(std::uint32_t own, const Arena& arena) : own_(own), arena_(arena) {}

    LinkConnection& operator[](std::uint32_t number) { return connections_[number]; }
    // Returns null for a number that nobody has given yet.
    LinkConnection* find(std::uint32_t number) {
        return number < connections_.size() ? &connections_[number] : nullptr;
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(connections_.size()); }
    // Returns true if this side has left all.
    bool none_open() const { return open_ == 0; }

    // Returns a number that this side may give to a connection. canceled: the link is full.
    Result<std::uint32_t> next_number();
    // Takes it back: the peer was not told.
    void take_back(std::uint32_t number) { freed_.push_back(number); }
    // Returns true if the peer may give this number.
    bool is_peers_to_give(std::uint32_t number) const;
    // Begins a connection with a number that either side gave. It waits for memory: the peer knows the number, or will.
    void open(std::uint32_t number, Ref<LinkUser> user);
    // Ends it for this side. Returns false if that was before.
    bool close(std::uint32_t number);

    // Notes that this side touches the segment no more. Returns numbers of the peer's that it is to be told to be released, from here
    // and from before, until told(); or nothing yet. The side that gives a number again thereby says that it has released it.
    std::span<const std::uint32_t> release(std::uint32_t number);
    void told() { released_.clear(); }
    // Notes that the peer has released the number. Returns false if it is not the peer's to release.
    bool release_there(std::uint32_t number);

private:
    bool is_own(std::uint32_t number) const { return number % 2 == own_; }
    void free_if_released(std::uint32_t number);

    const std::uint32_t own_;
    const Arena& arena_;
    std::vector<LinkConnection> connections_;  // by number
    std::vector<std::uint32_t> freed_;         // numbers of this side to be used again
    std::vector<std::uint32_t> released_;      // the peer's, which has not been told yet
    std::uint32_t never_used_ = 0;             // indices of this side from here on
    std::uint32_t open_ = 0;                   // those with open_here
};

}  // namespace opennd::local
