// SPDX-License-Identifier: MIT
// TCP sockets that never block; wait with EventLoop. Small writes leave at once (TCP_NODELAY), and a peer that is gone
// is noticed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/result.h"
#include "model/address.h"
#include "model/queue_use.h"
#include "platform/descriptor/descriptor.h"

namespace opennd {

// The options of a connection.
struct TcpOptions {
    // A peer that acknowledges no byte and answers no probe (probe_when_idle()) for this long is gone.
    std::chrono::milliseconds dead_after{30'000};
};

// The answers of the peer's system: acknowledgements, also those of probes of its closed window.
struct PeerAnswers {
    std::chrono::milliseconds newest;  // so long ago
    bool complete;                     // the newest bytes, or the newest probe, have one
    unsigned missing;                  // bytes that were sent again, or probes, since one was due; in a row
};

// One end of a connection, or of one in the making. Movable. One thread may send while another receives. If the process
// ends before keep_after_exit(), the peer sees a reset, so that a crash does not look like an orderly end.
class TcpSocket {
public:
    // Connected to nothing.
    TcpSocket() = default;
    // Takes over a connected descriptor that does not block.
    explicit TcpSocket(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

    // Begins to connect `local` to `remote`; becomes writable when the connect has ended, and outcome() then returns
    // its status. Port 0 of `local`: any. `interface`: the index of the only one that its packets leave and arrive
    // by; 0: whichever the routing tables name.
    //   address_in_use          another socket has `local`
    //   invalid_address         `local` is none of this host's, or the two are connected already
    //   network_unreachable     also: the scope of `remote` is another link than that of `local` or `interface`
    //   host_unreachable, connection_refused
    //   no_memory, insufficient_resources: no descriptor, or no free port
    static Result<TcpSocket> connect(const Address& local, const Address& remote, std::uint32_t interface,
                                     const TcpOptions& options);
    // success: connected. connection_refused, timed_out, network_unreachable, host_unreachable.
    Status outcome() const;

    int descriptor() const { return descriptor_.get(); }
    explicit operator bool() const { return static_cast<bool>(descriptor_); }

    // How many bytes were taken, at least one; would_block; disconnected: nothing goes out any more, and receive() gives the
    // reason; insufficient_resources, no_memory: the system takes no byte, and will not report when it does. Or the connection
    // broke, which the system reports once: receive() then finds an end as if the peer sent no more:
    //   timed_out           nothing answered any more: the system gave up, or its repetitions met a reset, as a host answers that
    //                       has started anew
    //   connection_aborted  the peer's system reset it, or this side ended it
    Result<std::size_t> send(std::span<const std::byte> bytes);
    // How many bytes were received, 0: the peer sends no more; would_block; or as of send(): insufficient_resources, no_memory,
    // timed_out, connection_aborted.
    Result<std::size_t> receive(std::span<std::byte> bytes);
    // Why the connection broke, as of send(), for a caller that cannot receive, once; success: it did not, or that was told.
    Status take_failure();
    // The peer sends no more, or the connection broke. Bytes may still be unread.
    bool peer_closed() const;

    // From here on the peer sees an orderly end when the process ends.
    void keep_after_exit();
    // This side sends no more.
    void end_sending();
    // Received bytes can still be read, then a watch reports the end. The peer is not told.
    void end_receiving();
    // Closes; the peer sees a reset. Bytes sent and not delivered yet may be lost.
    void reset();
    void close() { descriptor_.reset(); }

    // Bytes that were sent and that the peer's system has not acknowledged; 0 also if the connection broke.
    std::size_t unacknowledged_bytes() const;
    // The peer's answers so far; nothing: the system does not tell.
    std::optional<PeerAnswers> answers() const;
    // From here on the system does not give a peer up for TcpOptions::dead_after while bytes are unacknowledged: it would give up
    // a peer with a closed window, though the peer acknowledges each probe. Without such bytes it does as before. False: the
    // system does not tell of acknowledgements, and goes on itself.
    bool leave_silence_to_caller();
    // From here on the system probes a peer that says nothing, and tells if it answers nothing. Accepted sockets do from the beginning.
    void probe_when_idle(const TcpOptions& options);
    // The most bytes of payload that one segment takes now.
    std::size_t segment_bytes() const;
    // The use of the stream; nothing: there is no connection, or the system does not tell.
    std::optional<StreamUse> use() const;
    Result<Address> local_address() const;
    Result<Address> peer_address() const;

private:
    Descriptor descriptor_;
};

// A passive address and port.
class TcpListener {
public:
    TcpListener() = default;

    // Binds the address, from here on shared with no other socket if the port is named. `interface`: the index of the
    // only one that its connections come and answer by; 0: any, and the routing tables say how answers leave.
    // address_in_use, invalid_address (a privileged port is one), insufficient_resources, no_memory.
    static Result<TcpListener> bind(const Address& address, std::uint32_t interface = 0);
    // Before listen(), of a listener for any interface: the same later. False: the system does not allow it (logged once).
    bool keep_to(std::uint32_t interface);
    // Accepts connections, which have these options, from here on.
    Status listen(int backlog, const TcpOptions& options);
    // A connection, and the address of its peer. would_block; insufficient_resources, no_memory: the connection waits on.
    struct Accepted {
        TcpSocket socket;
        Address peer;
    };
    Result<Accepted> accept();

    int descriptor() const { return descriptor_.get(); }

private:
    explicit TcpListener(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
    Descriptor descriptor_;
};

}  // namespace opennd
