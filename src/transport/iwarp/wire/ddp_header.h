// SPDX-License-Identifier: MIT
// A segment of DDP (RFC 5041 section 4): its opcode, its tagged or untagged header with the RDMAP control octet that stands in the second
// octet of both (RFC 5040 section 4.1), and the segment as it arrived. Read these sections beside it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "transport/iwarp/wire/fault.h"

namespace opennd::iwarp {

// The messages of RDMAP (RFC 5040 section 4.1, RFC 7306 section 4) and the form of each: a table.
enum class Opcode : std::uint8_t {
    write = 0,
    read_request = 1,
    read_response = 2,
    send = 3,
    send_invalidate = 4,
    send_solicited = 5,
    send_solicited_invalidate = 6,
    terminate = 7,
    // RFC 7306. Taken where both ends agreed on immediate data, else refused (IW-IMM-01).
    immediate_data = 8,
    immediate_data_solicited = 9,
    // Recognised and refused: Network Direct has no atomics (IW-ND-03).
    atomic_request = 10,
    atomic_response = 11,
    // 12 to 14 are unassigned, 15 is for experiments.
};
inline constexpr std::uint8_t kLastSupportedOpcode = 7;
inline constexpr std::size_t kOpcodes = 16;

// The queues of untagged messages.
enum class Queue : std::uint32_t { sends = 0, read_requests = 1, terminates = 2, atomic_responses = 3 };
inline constexpr Queue kLastSupportedQueue = Queue::terminates;

enum class Model : std::uint8_t { tagged, untagged };

struct OpcodeRule {
    std::string_view name;  // static storage
    bool supported;
    Model model;
    Queue queue;  // untagged ones
};

// `opcode` may be any of the 16 values that the field holds.
const OpcodeRule& rule(Opcode opcode);

constexpr bool is_send(Opcode opcode) { return opcode >= Opcode::send && opcode <= Opcode::send_solicited_invalidate; }
constexpr bool invalidates(Opcode opcode) {
    return opcode == Opcode::send_invalidate || opcode == Opcode::send_solicited_invalidate;
}
// A Send with room for a receipt in its header (IW-RDMAP-50).
constexpr bool carries_receipt(Opcode opcode) { return is_send(opcode) && !invalidates(opcode); }
constexpr bool is_immediate_data(Opcode opcode) {
    return opcode == Opcode::immediate_data || opcode == Opcode::immediate_data_solicited;
}
// The completion satisfies a queue armed for solicited events (IW-RDMAP-20).
constexpr bool is_solicited(Opcode opcode) {
    return opcode == Opcode::send_solicited || opcode == Opcode::send_solicited_invalidate ||
           opcode == Opcode::immediate_data_solicited;
}

// The handle of a peer's memory as the number that stands in the frame. A Network Direct token has the same four octets
// in memory, unchanged (IW-ND-05).
enum class Stag : std::uint32_t { none = 0 };
constexpr std::uint32_t value(Stag stag) { return static_cast<std::uint32_t>(stag); }
constexpr std::uint32_t value(Queue queue) { return static_cast<std::uint32_t>(queue); }

inline constexpr std::uint8_t kDdpVersion = 1;
inline constexpr std::uint8_t kRdmapVersion = 1;

// The first two octets of every ULPDU. Reserved bits are never checked (IW-RDMAP-33); one marks a Receipt, one immediate data.
struct SegmentControl {
    static constexpr std::size_t kBytes = 2;

    Model model;
    bool last;  // of its message
    std::uint8_t ddp_version = kDdpVersion;
    std::uint8_t rdmap_version = kRdmapVersion;
    Opcode opcode;
    bool receipt = false;    // has a meaning only where both ends agreed on receipts
    bool immediate = false;  // likewise, on immediate data

    static SegmentControl load(std::span<const std::byte, kBytes> from);
};

struct TaggedHeader {
    static constexpr std::size_t kBytes = 14;

    Stag stag{};
    std::uint64_t offset = 0;  // TO

    static TaggedHeader load(std::span<const std::byte, kBytes> from);
    void store(std::span<std::byte, kBytes> to, Opcode opcode, bool last) const;
};

struct UntaggedHeader {
    static constexpr std::size_t kBytes = 18;

    // The STag to invalidate, with the opcodes that do. With other Sends a Receipt where both ends agreed on them, else
    // sent as 0 and ignored. With the mark of immediate data, those.
    Stag invalidate{};
    Queue queue{};
    std::uint32_t msn = 0;     // message sequence number, per queue; the first is 1, and 0 follows 0xFFFFFFFF
    std::uint32_t offset = 0;  // MO: octets of the message before this segment

    static UntaggedHeader load(std::span<const std::byte, kBytes> from);
    void store(std::span<std::byte, kBytes> to, Opcode opcode, bool last) const;
    // Puts immediate data and their mark into a stored header.
    static void mark_immediate(std::span<std::byte, kBytes> to, std::uint32_t data);
};

// Whether both ends agreed on immediate data (IW-IMM-01).
enum class Immediate : std::uint8_t { refused, taken };

// How far a side has placed its peer's stream: the octets through the end of the newest Send or Write that is placed, counted
// from the first one behind the handshake. Two OpenND ends that agreed on it tell each other (docs/decisions/0040).
struct Receipt {
    std::uint64_t placed = 0;

    // A receipt by itself: a Write of no octets, which any iWARP takes and none acts on.
    std::array<std::byte, TaggedHeader::kBytes> message() const;
    // Its lower 32 bits into the first segment of a Send that invalidates nothing.
    void stamp(std::span<std::byte, UntaggedHeader::kBytes> header) const;
};

constexpr std::size_t header_bytes(Model model) {
    return model == Model::tagged ? TaggedHeader::kBytes : UntaggedHeader::kBytes;
}

// One DDP segment as it arrived: a view of a ULPDU with valid headers (RFC 5040 section 7.1, RFC 5041 section 7.1). The next
// checks depend on its opcode: see send_reassembly.h, read_request_intake.h, outstanding_reads.h and stag_check.h in ../stream.
struct Segment {
    Opcode opcode;
    bool last;
    bool receipt;             // the mark of a Receipt
    bool immediate;           // a Send whose field of the Invalidate STag has immediate data; only where they are taken
    TaggedHeader tagged;      // if the opcode's model is tagged
    UntaggedHeader untagged;  // if it is untagged
    std::span<const std::byte> ulpdu;  // all of it, for a Terminate to quote (IW-ERR-06)

    Model model() const { return rule(opcode).model; }
    // The octets behind the DDP header: payload, or the RDMAP header of a Read Request or Terminate.
    std::span<const std::byte> payload() const { return ulpdu.subspan(header_bytes(model())); }

    // Points into `ulpdu`; any octets may be given.
    static Checked<Segment> load(std::span<const std::byte> ulpdu, Immediate immediate = Immediate::refused);
};

}  // namespace opennd::iwarp
