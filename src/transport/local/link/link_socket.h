// SPDX-License-Identifier: MIT
// The socket of a link, with its side's bells in the arena: the other side's packets are counted there, and a thread that looks is
// rung without one. Behind it the outbox of the records for which it has no room.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>

#include "base/ref.h"
#include "platform/descriptor/descriptor.h"
#include "platform/descriptor/local_socket.h"
#include "transport/local/arena/arena.h"
#include "transport/local/link/control_message.h"

namespace opennd::local {

// Any threads may send while one receives.
class LinkSocket {
public:
    // Makes the socket of the side `own`, 0 or 1, of the link with this arena. `sent`: packets of this side that the
    // other has not counted.
    LinkSocket(LocalSocket socket, Ref<Arena> arena, std::size_t own, std::uint32_t sent);

    // Sends a record, counted. Statuses of LocalSocket::send.
    Status send(const ControlMessage& message, std::span<const int> descriptors = {});
    // Tells the other side that there is news for it, which was stored before. It sends a packet of one octet, unless a
    // thread there looks, or has not taken an earlier ring. A full socket needs none: its unread packets wake. Statuses
    // of LocalSocket::send.
    Status ring();
    // Rings for news of one connection: `again` as ring_again(). Returns false if the other side was not told.
    bool wake(std::uint32_t connection, bool again);
    // Rings a side that may have lost a ring: by a packet in any case, unless packets of this side are unread.
    Status ring_again();

    // Receives a record, as local::receive. One thread at a time, as the next one.
    Result<ReceivedControl> receive();
    // Returns true if the other side has sent packets, or is about to, that were not received here. If not, an arrival
    // tells of the next one. An end of the socket is not told.
    bool expects_more() const { return received_ != bell().packets.load(); }
    bool readable() const { return socket_.readable(); }

    // The bell of this side. A thread looks from begin_look() to end_look() whether it is rung. A thread that takes a
    // ring, or has received a packet, takes the ring and then looks at all news.
    void begin_look() { bell().looks.store(1); }
    void end_look() { bell().looks.store(0); }
    bool is_rung() const { return bell().rung.load() != 0; }
    void take_ring();

    // The functions of LocalSocket.
    void shut_down() { socket_.shut_down(); }
    int descriptor() const { return socket_.descriptor(); }

private:
    Status send_counted(std::span<const std::byte> bytes, std::span<const int> descriptors);
    Bell& bell() const { return arena_->bell(own_); }
    Bell& bell_there() const { return arena_->bell(1 - own_); }

    LocalSocket socket_;
    const Ref<Arena> arena_;
    const std::size_t own_;
    std::uint32_t received_ = 0;
};

// The records on their way out, in order: those for which the socket has no room wait in this process. Not thread-safe: the link's
// lock guards it.
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
