// SPDX-License-Identifier: MIT
// Unix sockets between processes of one host: packets with boundaries (SOCK_SEQPACKET) that can carry descriptors,
// named in the abstract namespace, so nothing is left behind in the file system. All calls return at once; wait with
// EventLoop.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "platform/descriptor/descriptor.h"
#include "platform/descriptor/foreign_descriptor.h"
#include "platform/process/user.h"

namespace opennd {

// One end of a connection. Movable. Any threads may send while one receives.
class LocalSocket {
public:
    // The most descriptors one packet may carry.
    static constexpr std::size_t kMaxDescriptors = 8;

    struct Packet {
        std::size_t bytes = 0;                       // received into the caller's buffer
        std::vector<ForeignDescriptor> descriptors;  // close-on-exec
        // Bytes or descriptors were lost: buffer too small, too many descriptors, or none left in this process.
        bool truncated = false;
    };

    // The process that created the other end: at connect() for the accepting side, at listen() for the connecting side.
    // As this process sees it: pid is 0 for a process of a foreign pid namespace.
    struct PeerIdentity {
        pid_t pid;
        uid_t uid;
        UserMatch user;  // uid against this process's effective user
    };

    // Connected to nothing.
    LocalSocket() = default;
    // Takes over a connected, non-blocking SOCK_SEQPACKET descriptor.
    explicit LocalSocket(Descriptor fd) : fd_(std::move(fd)) {}
    LocalSocket(LocalSocket&&) noexcept = default;
    LocalSocket& operator=(LocalSocket&& other) noexcept;
    // Never waits. Closing a socket also closes the files in its unread packets, and the peer can make that slow: a
    // socket that may hold files is closed apart (foreign_descriptor.h).
    ~LocalSocket();

    // Connects to a listener. `abstract_name` has 1 to 107 bytes, any values.
    //   would_block             a listener exists, but its backlog is full at present
    //   connection_refused      no listener has the name, or the name is another kind of socket
    //   invalid_parameter       the name is empty or too long
    //   access_violation        the system's security policy forbids it
    //   insufficient_resources  no descriptor left, or closing does not keep up (foreign_descriptor.h)
    //   no_memory
    static Result<LocalSocket> connect(std::string_view abstract_name);

    // Two connected ends. insufficient_resources; no_memory.
    static Result<std::pair<LocalSocket, LocalSocket>> pair();

    // Ends both directions: both ends see an end after the packets that had arrived.
    void shut_down();

    // Sends one packet, whole or not at all. The descriptors stay the caller's; the peer gets duplicates. Never raises
    // SIGPIPE, and never waits, even if the peer clears O_NONBLOCK on a shared socket: each call passes MSG_DONTWAIT.
    //   would_block             the peer's queue is full
    //   disconnected            the peer is gone
    //   invalid_parameter       no bytes (an empty packet looks like an end), or more than kMaxDescriptors descriptors
    //   message_too_long        more bytes than the socket's send buffer
    //   insufficient_resources  too many descriptors in flight for this user
    //   no_memory
    Status send(std::span<const std::byte> bytes, std::span<const int> descriptors = {});

    // Takes one packet. Bytes beyond `buffer` are lost, and Packet::truncated is set.
    //   would_block   none there
    //   disconnected  the peer closed or reset the connection, or sent an empty packet
    //   no_memory
    Result<Packet> receive(std::span<std::byte> buffer);

    // receive() would return a packet or an end.
    bool readable() const;

    // Read from the kernel once: it does not change. not_connected; invalid_parameter: not a socket.
    Result<PeerIdentity> peer();

    // The peer has not received all packets yet: its end polls readable. Any thread.
    bool has_unread() const;

    // Borrowed; polls readable when receive() would return a packet or an end.
    int descriptor() const { return fd_.get(); }

private:
    bool may_hold_files();

    Descriptor fd_;
    std::optional<PeerIdentity> peer_;
};

// Accepts connections to one name. Movable. Thread-safe.
class LocalListener {
public:
    // Bound to nothing.
    LocalListener() = default;
    LocalListener(LocalListener&&) noexcept = default;
    LocalListener& operator=(LocalListener&& other) noexcept;
    // Never waits: connections that were not accepted are closed like a LocalSocket.
    ~LocalListener();

    // Takes the name; connections are refused until listen(). The name is free again when the listener is gone.
    //   address_in_use          another socket of this network namespace has the name
    //   invalid_parameter       the name is empty or longer than 107 bytes
    //   insufficient_resources  no descriptor left
    //   no_memory
    static Result<LocalListener> bind(std::string_view abstract_name);

    // Lets peers connect; at most `backlog` of them wait for accept(), and more get would_block. May be called again to
    // change `backlog`.
    Status listen(int backlog);

    // Takes one waiting connection.
    //   would_block             none there
    //   insufficient_resources  no descriptor left, or closing does not keep up (foreign_descriptor.h); the connection
    // stays
    //                           waiting
    //   invalid_parameter       not listening
    //   no_memory
    Result<LocalSocket> accept();

    // Borrowed; polls readable while a connection waits.
    int descriptor() const { return fd_.get(); }

private:
    explicit LocalListener(Descriptor fd) : fd_(std::move(fd)) {}
    Result<LocalSocket> take();

    Descriptor fd_;
};

// The names of this host's listening Unix sockets in the abstract namespace that begin with `prefix`, in no order, as far as this network
// namespace goes. Empty if the kernel does not tell.
std::vector<std::string> local_names(std::string_view prefix);

}  // namespace opennd
