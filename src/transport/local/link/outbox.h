// SPDX-License-Identifier: MIT
// The records of a link on their way out, in order: those for which the socket has no room wait in this process.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <span>

#include "platform/descriptor/descriptor.h"
#include "transport/local/link/control_message.h"
#include "transport/local/link/link_socket.h"

namespace opennd::local {

// Not thread-safe: the link's lock guards it.
class Outbox {
public:
    // Sends a record, whole or not at all, behind those that wait, of which there are at most `most`. success: it left,
    // or waits. disconnected: the peer is gone, or does not listen, or there is no memory for a record that waits: then
    // the socket is shut down. insufficient_resources: no descriptor was left for a copy of one that waits. Further
    // statuses of LocalSocket::send.
    Status send(LinkSocket& socket, const ControlMessage& message, std::span<const int> descriptors, std::size_t most);
    // Sends the records that wait, as far as the socket has room. Returns true if none waits any more. After a failure
    // the socket is shut down.
    bool flush(LinkSocket& socket);

    bool empty() const { return waiting_.empty(); }
    void clear() { waiting_.clear(); }

private:
    static constexpr std::size_t kMostDescriptors = 2;  // of a record
    struct Waiting {
        ControlMessage message;
        std::array<Descriptor, kMostDescriptors> descriptors;
        std::size_t descriptor_count = 0;
    };

    Status keep(LinkSocket& socket, const ControlMessage& message, std::span<const int> descriptors, std::size_t most);
    bool add(const ControlMessage& message);

    std::list<Waiting> waiting_;
};

}  // namespace opennd::local
