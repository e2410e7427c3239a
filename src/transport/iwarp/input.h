// SPDX-License-Identifier: MIT
// The octets that came out of the socket, and the ULPDUs in them. One read takes all that has arrived, so that many short
// FPDUs cost one call, and each lies in one piece when it is checked (IW-PERF-01, -04; docs/decisions/0013).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "platform/descriptor/tcp_socket.h"
#include "transport/iwarp/socket_buffers.h"
#include "transport/iwarp/stream/mpa_deframer.h"

namespace opennd::iwarp {

// Not thread-safe.
class Input {
public:
    // Bounded: at least one FPDU of any length (IW-SEC-17).
    static constexpr std::size_t kBytes = SocketBuffers::kBytes;

    // `arrived`: the octets behind the frames of the handshake (IW-CM-09). Throws std::bad_alloc.
    Input(Crc crc, SocketBuffers& buffers, std::span<const std::byte> arrived);

    // One read. As TcpSocket::receive, or no_memory. Ends the validity of a ULPDU from next().
    Result<std::size_t> fill(TcpSocket& socket);
    // Gives the buffer back if nothing lies in it. Ends the validity as well.
    void rest() {
        if (begin_ != end_) return;
        buffer_.give_back();
        begin_ = end_ = 0;
    }
    // The newest fill() emptied the socket.
    bool drained() const { return drained_; }

    // The next ULPDU, if it is whole; valid until the next fill().
    Checked<std::optional<std::span<const std::byte>>> next();
    // Returns true between two FPDUs, where an orderly end is (IW-ERR-13).
    bool at_boundary() const { return begin_ == end_; }

    // The octets of the stream that arrived so far, and the FPDUs that next() found whole.
    std::uint64_t octets() const { return octets_; }
    std::uint64_t fpdus() const { return fpdus_; }
    // Octets of the stream through the end of the newest of those FPDUs.
    std::uint64_t taken() const { return octets_ - (end_ - begin_); }

private:
    MpaDeframer deframer_;
    BorrowedBuffer buffer_;
    std::size_t begin_ = 0, end_ = 0;
    std::uint64_t octets_, fpdus_ = 0;
    bool drained_ = false;
};

}  // namespace opennd::iwarp
