// SPDX-License-Identifier: MIT
// Makes packets of frames: MPA's FPDU in TCP in IP, as blocks of a capture file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/capture/frame.h"
#include "transport/capture/pcapng.h"

namespace opennd::capture {

// Not thread-safe.
class PacketMaker {
public:
    explicit PacketMaker(std::uint32_t snap_bytes) : snap_bytes_(snap_bytes) {}

    // Appends the beginning of a connection as `frame` finds it: TCP's three segments, and MPA's Request and Reply. Returns the
    // number of packets. Throws std::bad_alloc.
    std::size_t append_beginning(Octets& to, const Frame& frame);
    // Appends the packet of `frame`, which is none that begins.
    void append(Octets& to, const Frame& frame);

private:
    struct Part {
        const Frame& frame;
        End from;
        TcpFlags flags;
        std::uint32_t sequence, acknowledged;
        std::string_view comment = {};
    };
    // A packet with these octets behind TCP, of which there are `whole_bytes`.
    void append_packet(Octets& to, const Part& part, std::span<const std::byte> octets, std::size_t whole_bytes);
    std::span<const std::byte> make_fpdu(const Frame& frame);

    const std::uint32_t snap_bytes_;
    Octets packet_, fpdu_;  // kept for their memory
};

}  // namespace opennd::capture
