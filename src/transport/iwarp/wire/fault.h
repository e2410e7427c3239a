// SPDX-License-Identifier: MIT
// The faults of a peer's octets: one kind for each check, and the two numbers that explain it. The kind decides the Terminate
// that is due and the text of the log line; fault.cpp has the table, roughly in the order of the checks (RFC 5040 section 7,
// RFC 5041 section 7). The first failing check decides, and after it nothing more is placed (IW-DDP-12).
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

#include "base/phrase.h"

namespace opennd::iwarp {

// The cause in a Terminate: layer, error type, error code (RFC 5040 section 4.8, RFC 5041 section 8.2, RFC 5044 section 8,
// RFC 6581 section 7). Read these sections beside the table of names in fault.cpp.
enum class Layer : std::uint8_t { rdmap = 0, ddp = 1, mpa = 2 };

struct TerminateCause {
    Layer layer;
    std::uint8_t type;  // four bits; their meaning depends on the layer
    std::uint8_t code;  // its meaning depends on layer and type

    friend bool operator==(const TerminateCause&, const TerminateCause&) = default;
};

// The 16 bits as they stand in a Terminate.
constexpr std::uint16_t number(const TerminateCause& cause) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(cause.layer) << 12 | cause.type << 8 | cause.code);
}

// The error types.
inline constexpr std::uint8_t kLocalCatastrophic = 0;  // RDMAP, DDP
inline constexpr std::uint8_t kRemoteProtection = 1;   // RDMAP
inline constexpr std::uint8_t kRemoteOperation = 2;    // RDMAP
inline constexpr std::uint8_t kTaggedBuffer = 1;       // DDP
inline constexpr std::uint8_t kUntaggedBuffer = 2;     // DDP
inline constexpr std::uint8_t kMpaError = 0;           // MPA

// A Send that its receive cannot take. Of the two causes that fit, the one that can quote the message.
inline constexpr TerminateCause kUnplaceable{Layer::rdmap, kRemoteOperation, 0x07};

// "CRC error"; empty if no registry defines the three (IW-RDMAP-47). Static storage.
std::string_view name(const TerminateCause& cause);
inline bool is_registered(const TerminateCause& cause) { return !name(cause).empty(); }

enum class FaultKind : std::uint8_t {
    // Request and Reply frames. The connection is reset; its Terminate may be sent as well.
    wrong_key,
    key_of_the_same_role,  // two initiators, or two responders
    private_data_too_long,
    enhanced_data_cut,
    revision_unsupported,
    reply_of_lower_revision,        // may be tried again with revision 1 (IW-CM-17)
    reply_without_enhanced_data,    // likewise
    reply_with_enhanced_data,       // that the Request did not have
    reply_wants_unoffered_opening,  // peer-to-peer, which the Request did not have
    reply_needs_more_inbound_reads,
    reply_without_common_rtr,

    // Framing and headers.
    crc_mismatch,
    segment_too_short,
    tagged_version,
    untagged_version,
    rdmap_version,
    opcode_unknown,
    opcode_of_other_model,
    queue_unknown,
    queue_of_other_opcode,

    // Tagged placement (IW-DDP-12).
    write_stag_unknown,
    write_stag_foreign,
    write_wraps,
    write_out_of_bounds,
    write_not_granted,

    // Read Responses.
    response_not_asked_for,
    response_to_other_sink,
    response_out_of_place,
    response_too_long,
    response_ends_early,

    // Untagged queues; the last four of Read Requests.
    msn_out_of_order,
    no_receive,
    offset_out_of_place,
    message_too_long,
    opcode_changed,
    invalidated_stag_changed,
    empty_segments,  // IW-NEG-81
    immediate_data_malformed,
    receipt_wrong,
    too_many_reads,
    read_request_too_long,
    read_request_cut,
    read_request_unfinished,

    // Invalidation.
    invalidated_stag_unknown,
    invalidated_stag_foreign,
    invalidation_refused,

    // The source of a Read, and the sink of IW-RDMAP-30.
    read_stag_unknown,
    read_stag_foreign,
    read_wraps,
    read_sink_wraps,
    read_out_of_bounds,
    read_not_granted,
};
inline constexpr FaultKind kLastFault = FaultKind::read_not_granted;

struct Fault {
    FaultKind kind;
    std::uint64_t seen = 0;   // the value of the field
    std::uint64_t limit = 0;  // the value that it had to have, or its largest
};

TerminateCause cause(const Fault& fault);

// "MSN is 7, the next of this queue is 3 (IW-DDP-15)": field, value, limit, requirement.
Phrase describe(const Fault& fault) noexcept;

// A value, or the fault of the octets.
template <typename T>
class [[nodiscard]] Checked {
public:
    Checked(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Checked(Fault fault) : state_(std::in_place_index<1>, fault) {}

    bool ok() const { return state_.index() == 0; }
    const T& value() const { return std::get<0>(state_); }      // only if ok()
    const Fault& fault() const { return std::get<1>(state_); }  // only if not

private:
    std::variant<T, Fault> state_;
};

}  // namespace opennd::iwarp
