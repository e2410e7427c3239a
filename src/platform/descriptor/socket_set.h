// SPDX-License-Identifier: MIT
// A set of sockets that the kernel asks at once: which of them had an arrival, room to send again, or their end (epoll). An event
// loop can watch the set itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/result.h"
#include "platform/descriptor/descriptor.h"

namespace opennd {

// Any thread.
class SocketSet {
public:
    // insufficient_resources: no descriptor left; no_memory.
    static Result<SocketSet> create();

    // From here on take() tells `number` once for each event of `socket`, and at once if one is there now.
    // insufficient_resources: no watch left for this user; no_memory.
    Status add(int socket, std::uint32_t number);
    // Before `socket` is closed. No effect if it is not in the set.
    void remove(int socket);

    // Takes the numbers of sockets with events out, each event for one caller; how many. Fewer than kMostAtOnce: no more are there.
    // Never waits.
    static constexpr std::size_t kMostAtOnce = 64;
    std::size_t take(std::span<std::uint32_t, kMostAtOnce> numbers) const;

    // Borrowed; polls readable while take() has something.
    int descriptor() const { return descriptor_.get(); }

private:
    explicit SocketSet(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

    Descriptor descriptor_;
};

}  // namespace opennd
