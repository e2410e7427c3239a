// SPDX-License-Identifier: MIT
// The octets on their way into the socket: whole FPDUs, one behind the other, in a slab of this side's own. A payload is
// copied into it before its CRC is computed, so that a program that changes its memory meanwhile cannot make the CRC wrong
// (IW-MPA-22), and many FPDUs leave in one call (IW-PERF-06, -07). docs/decisions/0013 explains the slab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "platform/descriptor/tcp_socket.h"
#include "transport/iwarp/socket_buffers.h"
#include "transport/iwarp/stream/mpa_framer.h"
#include "transport/soft/memory/ordered_copy.h"

namespace opennd::iwarp {

// Not thread-safe.
class Output {
public:
    // Room that has_room() keeps back: a Terminate always fits.
    static constexpr std::size_t kReserve = 512;
    static constexpr std::size_t kSlabBytes = SocketBuffers::kBytes;

    Output(Crc crc, Markers markers, SocketBuffers& buffers);

    // There is a slab. False: the system has no memory.
    [[nodiscard]] bool has_slab() { return slab_.borrow(); }
    // An FPDU around a ULPDU of `ulpdu_bytes` octets fits, and there is a slab.
    bool has_room(std::size_t ulpdu_bytes);
    // Only if has_room(); `ulpdu` of at most 128 octets may use the reserve, if has_slab().
    void put(std::span<const std::byte> ulpdu);
    // A header, and the next octets of a list. Only if has_room(). False: memory of the list is gone (guarded_copy.h), and nothing was put.
    [[nodiscard]] bool put(std::span<const std::byte> header, soft::SgeCursor& payload, std::size_t payload_bytes);

    // Gives octets to the socket until it is full. success: all; would_block: the rest waits; or as TcpSocket::send.
    Status flush(TcpSocket& socket);
    // The framed octets have left by another way: the stream continues behind them.
    void skip() { begin_ = end_; }
    // The newest flush() left octets.
    bool blocked() const { return blocked_; }
    bool empty() const { return begin_ == end_; }
    std::span<const std::byte> unsent() const { return {slab_.get() + begin_, end_ - begin_}; }

    // Octets of the stream so far: framed, and taken by the socket.
    std::uint64_t framed() const { return framed_; }
    std::uint64_t fpdus() const { return fpdus_; }
    std::uint64_t sent() const { return framed_ - (end_ - begin_); }

private:
    static std::size_t most_bytes(std::size_t ulpdu_bytes, Markers markers);
    std::byte* ulpdu_place() { return slab_.get() + end_ + kLengthBytes; }
    void rest() {
        begin_ = end_ = 0;
        slab_.give_back();
    }
    void frame(std::size_t ulpdu_bytes);
    bool put_unmarked(std::span<const std::byte> header, soft::SgeCursor& payload, std::size_t payload_bytes);
    void add(std::size_t fpdu_bytes);

    const Crc crc_;
    const Markers markers_;
    MpaFramer framer_;
    const std::unique_ptr<Fpdu> fpdu_;  // with markers
    BorrowedBuffer slab_;
    std::size_t begin_ = 0, end_ = 0;
    std::uint64_t framed_ = 0, fpdus_ = 0;
    bool blocked_ = false;
};

}  // namespace opennd::iwarp
