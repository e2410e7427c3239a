// SPDX-License-Identifier: MIT
// The messages of RDMAP (RFC 5040 section 4.1, RFC 7306 section 4) and the form of each: a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opennd::iwarp {

enum class Opcode : std::uint8_t {
    write = 0,
    read_request = 1,
    read_response = 2,
    send = 3,
    send_invalidate = 4,
    send_solicited = 5,
    send_solicited_invalidate = 6,
    terminate = 7,
    // RFC 7306, recognised and refused: Network Direct has neither immediate data nor atomics (IW-ND-03).
    immediate_data = 8,
    immediate_data_solicited = 9,
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
// The completion satisfies a queue armed for solicited events (IW-RDMAP-20).
constexpr bool is_solicited(Opcode opcode) {
    return opcode == Opcode::send_solicited || opcode == Opcode::send_solicited_invalidate;
}

}  // namespace opennd::iwarp
