// SPDX-License-Identifier: MIT
// One connection in a capture, and the frames of it that wait to be written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ref.h"
#include "model/address.h"
#include "transport/capture/pcapng.h"
#include "transport/capture/tcp_packet.h"
#include "transport/iwarp/wire/terminate.h"

namespace opennd::capture {

// The two ends of a connection: the active one asked for it.
enum class End : std::uint8_t { active = 0, passive = 1 };
constexpr End other(End end) { return end == End::active ? End::passive : End::active; }
constexpr std::size_t index(End end) { return static_cast<std::size_t>(end); }

class Flow final : public RefCounted {
public:
    // Constant after construction.
    std::array<Address, 2> address;  // by end
    std::string_view wire;           // static text
    std::uint32_t interface = 0;     // in the files
    End own = End::active;           // the end of this process, or the first of its two that came
    std::string comment;             // of the first packet
    Octets request, reply;           // the frames of MPA, by the active and the passive end

    // The state of one direction: sequence numbers of TCP, and of RDMAP's messages. Guarded by the mutex of the
    // capture.
    struct Way {
        std::uint32_t sequence = 0;          // of the next octet
        std::uint32_t unacknowledged = 0;    // octets since a packet came the other way
        std::uint32_t sends = 0, reads = 0;  // message sequence numbers of the newest
    };
    std::array<Way, 2> ways;           // by the end that sends
    std::array<int, 2> present{0, 0};  // ends of it in this process
    std::uint64_t missing = 0;         // frames that found no room, since the last one that did
    bool terminated = false, ended = false;
    std::array<bool, 2> closed{false, false};  // ends in this process for which the connection is over
    std::optional<End> first_to_end;

    // The number of the file that has the beginning of this flow; 0: none. The writer's.
    std::uint32_t in_file = 0;
};

// A segment of TCP, whole or cut by the snap length. With an FPDU in it: `head` and `payload` are its ULPDU.
struct Frame {
    static constexpr std::size_t kHeadBytes = iwarp::Terminate::kMaxBytes;

    enum class Kind : std::uint8_t { begins, bare, fpdu };

    Ref<Flow> flow;
    Kind kind = Kind::bare;
    WallTime at{};
    End from = End::active;
    TcpFlags flags = TcpFlags::none;
    std::uint32_t sequence = 0, acknowledged = 0;
    std::array<std::byte, kHeadBytes> head;
    std::uint8_t head_bytes = 0;
    Octets payload;                   // as much as is captured
    std::uint32_t payload_bytes = 0;  // all of it
    std::string comment;

    // The bytes that this frame takes of the bound on frames that wait.
    std::size_t cost() const { return sizeof *this + payload.capacity() + comment.capacity(); }
};

// Makes packets of frames: MPA's FPDU in TCP in IP, as blocks of a capture file.
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
