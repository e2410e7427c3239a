// SPDX-License-Identifier: MIT
// The table of faults: see fault.h.
#include "transport/iwarp/wire/fault.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace opennd::iwarp {
namespace {

struct Rule {
    FaultKind kind;
    TerminateCause cause;
    std::string_view text;  // {0}: the value, {1}: the limit
};

constexpr TerminateCause kBadFrame{Layer::mpa, kMpaError, 0x04};
constexpr TerminateCause kUnspecified{Layer::rdmap, kRemoteOperation, 0xff};
constexpr TerminateCause kUnexpectedOpcode{Layer::rdmap, kRemoteOperation, 0x06};
constexpr TerminateCause kMalformed{Layer::rdmap, kRemoteOperation, 0x07};

constexpr TerminateCause tagged(std::uint8_t code) { return {Layer::ddp, kTaggedBuffer, code}; }
constexpr TerminateCause untagged(std::uint8_t code) { return {Layer::ddp, kUntaggedBuffer, code}; }
constexpr TerminateCause protection(std::uint8_t code) { return {Layer::rdmap, kRemoteProtection, code}; }

using enum FaultKind;

constexpr std::array kFaultRules{
    Rule{wrong_key, kBadFrame, "MPA key: octet {0} is not that of the frame expected (IW-MPA-01)"},
    Rule{key_of_the_same_role, kBadFrame, "MPA key: the peer has the same role as this side (IW-NEG-03, -04)"},
    Rule{private_data_too_long, kBadFrame, "PD_Length is {0}, at most {1} (IW-MPA-02)"},
    Rule{enhanced_data_cut, kBadFrame, "PD_Length is {0}, with S=1 at least {1} (IW-MPA-03)"},
    Rule{revision_unsupported, kBadFrame, "MPA revision is {0}, supported are 1 and {1} (IW-MPA-05)"},
    Rule{reply_of_lower_revision, kBadFrame, "Reply: MPA revision is {0}, the Request had {1} (IW-MPA-05)"},
    Rule{reply_without_enhanced_data, kBadFrame, "Reply: S is {0}, the Request had {1} (IW-MPA-06)"},
    Rule{reply_with_enhanced_data, kBadFrame, "Reply: S is {0}, the Request had {1} (IW-MPA-06)"},
    Rule{reply_wants_unoffered_opening, kBadFrame, "Reply: A is {0}, the Request had {1} (IW-CM-28)"},
    Rule{reply_needs_more_inbound_reads,
         {Layer::mpa, kMpaError, 0x06},
         "Reply: ORD is {0}, this side takes {1} inbound Reads at most (IW-NEG-23)"},
    Rule{reply_without_common_rtr,
         {Layer::mpa, kMpaError, 0x07},
         "Reply: RTR types are {0:#x}, this side sends {1:#x} (IW-NEG-21, -22)"},

    Rule{crc_mismatch, {Layer::mpa, kMpaError, 0x02}, "CRC is {0:#010x}, computed {1:#010x} (IW-MPA-21)"},
    Rule{segment_too_short, kUnspecified, "ULPDU_Length is {0}, its header takes {1} (IW-NEG-41, -42)"},
    Rule{tagged_version, tagged(0x04), "DDP version is {0}, with T=1, supported is {1} (IW-NEG-49)"},
    Rule{untagged_version, untagged(0x06), "DDP version is {0}, with T=0, supported is {1} (IW-NEG-49)"},
    Rule{rdmap_version, {Layer::rdmap, kRemoteOperation, 0x05}, "RDMAP version is {0}, supported is {1} (IW-NEG-50)"},
    Rule{opcode_unknown, kUnexpectedOpcode, "opcode is {0}, supported are 0 to {1} (IW-NEG-52)"},
    Rule{opcode_of_other_model, kUnexpectedOpcode, "T does not fit opcode {0}, which has T={1} (IW-NEG-53)"},
    Rule{queue_unknown, untagged(0x01), "QN is {0}, at most {1} (IW-NEG-54)"},
    Rule{queue_of_other_opcode, kUnexpectedOpcode, "QN is {0}, this opcode has QN {1} (IW-NEG-55)"},

    Rule{write_stag_unknown, tagged(0x00), "Write: STag {0:#010x} names no memory (IW-NEG-56)"},
    Rule{write_stag_foreign, tagged(0x02), "Write: STag {0:#010x} is of another stream (IW-NEG-57, -58)"},
    Rule{write_wraps, tagged(0x03), "Write: TO {0:#x} and {1} octets pass the end of the address space (IW-NEG-62)"},
    Rule{write_out_of_bounds, tagged(0x01), "Write: TO {0:#x} and {1} octets lie outside the STag (IW-NEG-60, -61)"},
    Rule{write_not_granted, tagged(0x00), "Write: STag {0:#010x} grants no remote write (IW-NEG-59)"},

    Rule{response_not_asked_for, kUnexpectedOpcode, "Read Response: no Read is open (IW-NEG-99)"},
    Rule{response_to_other_sink, tagged(0x00),
         "Read Response: STag is {0:#010x}, the oldest Read has {1:#010x} (IW-NEG-100)"},
    Rule{response_out_of_place, tagged(0x01), "Read Response: TO is {0}, octets received are {1} (IW-NEG-101)"},
    Rule{response_too_long, tagged(0x01), "Read Response: {0} octets of payload, {1} are missing (IW-NEG-101)"},
    Rule{response_ends_early, kMalformed, "Read Response: L=1 at octet {0} of {1} (IW-NEG-102)"},

    Rule{msn_out_of_order, untagged(0x03), "MSN is {0}, the next of this queue is {1} (IW-DDP-15)"},
    Rule{no_receive, untagged(0x02), "MSN {0}: no receive is posted (IW-NEG-72)"},
    Rule{offset_out_of_place, untagged(0x04), "MO is {0}, octets of the message received are {1} (IW-NEG-75, -76)"},
    Rule{message_too_long, untagged(0x05), "the message has {0} octets or more, its receive {1} (IW-DDP-11)"},
    Rule{opcode_changed, kUnexpectedOpcode, "opcode is {0}, the message began with {1} (IW-RDMAP-01)"},
    Rule{invalidated_stag_changed, kUnexpectedOpcode,
         "Invalidate STag is {0:#010x}, the message began with {1:#010x} (IW-RDMAP-01)"},
    Rule{empty_segments, kMalformed, "{0} segments in a row have no payload and L=0, at most {1} (IW-NEG-81)"},
    Rule{immediate_data_malformed, kMalformed,
         "Immediate Data: {0} octets, not {1}, or not in one segment (IW-IMM-02)"},
    Rule{receipt_wrong, kMalformed,
         "receipt: octet {0} of this side's stream, which has sent {1}, or less than the one before (IW-RDMAP-51)"},
    Rule{too_many_reads, untagged(0x02), "Read Request: {0} are open, at most {1} (IW-NEG-91)"},
    Rule{read_request_too_long, untagged(0x05), "Read Request: ULPDU_Length is {0}, not {1} (IW-NEG-94)"},
    Rule{read_request_cut, kMalformed, "Read Request: ULPDU_Length is {0}, not {1} (IW-NEG-93)"},
    Rule{read_request_unfinished, kMalformed, "Read Request: L is {0}, not {1} (IW-NEG-95)"},

    Rule{invalidated_stag_unknown, protection(0x00), "Invalidate STag {0:#010x} names no memory (IW-NEG-105)"},
    Rule{invalidated_stag_foreign, protection(0x03), "Invalidate STag {0:#010x} is of another stream (IW-NEG-106)"},
    Rule{invalidation_refused, protection(0x09),
         "Invalidate STag {0:#010x} is a region that peers may not invalidate (IW-NEG-107)"},

    Rule{read_stag_unknown, protection(0x00), "Read Request: source STag {0:#010x} names no memory (IW-NEG-83)"},
    Rule{read_stag_foreign, protection(0x03), "Read Request: source STag {0:#010x} is of another stream (IW-NEG-84)"},
    Rule{read_wraps, protection(0x04),
         "Read Request: source TO {0:#x} and {1} octets pass the end of the address space (IW-NEG-87)"},
    Rule{read_sink_wraps, protection(0x04),
         "Read Request: sink TO {0:#x} and {1} octets pass the end of the address space (IW-NEG-88)"},
    Rule{read_out_of_bounds, protection(0x01),
         "Read Request: source TO {0:#x} and {1} octets lie outside the STag (IW-NEG-86)"},
    Rule{read_not_granted, protection(0x02), "Read Request: source STag {0:#010x} grants no remote read (IW-NEG-85)"},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < kFaultRules.size(); ++i)
        if (kFaultRules[i].kind != static_cast<FaultKind>(i)) return false;
    return kFaultRules.size() == static_cast<std::size_t>(kLastFault) + 1;
}
static_assert(in_order(), "one row for each kind, in the order of FaultKind");

const Rule& rule(const Fault& fault) { return kFaultRules[static_cast<std::size_t>(fault.kind)]; }

struct Named {
    TerminateCause cause;
    std::string_view name;
};

// Two numbering traps: "TO wrap" is 04 in RDMAP and 03 in DDP; "not associated" is 03 in RDMAP and 02 in DDP.
constexpr std::array kNames{
    Named{{Layer::rdmap, kRemoteProtection, 0x00}, "invalid STag"},
    Named{{Layer::rdmap, kRemoteProtection, 0x01}, "base or bounds violation"},
    Named{{Layer::rdmap, kRemoteProtection, 0x02}, "access rights violation"},
    Named{{Layer::rdmap, kRemoteProtection, 0x03}, "STag not associated with the stream"},
    Named{{Layer::rdmap, kRemoteProtection, 0x04}, "TO wrap"},
    Named{{Layer::rdmap, kRemoteProtection, 0x09}, "STag cannot be invalidated"},
    Named{{Layer::rdmap, kRemoteProtection, 0xff}, "unspecified"},
    Named{{Layer::rdmap, kRemoteOperation, 0x05}, "invalid RDMAP version"},
    Named{{Layer::rdmap, kRemoteOperation, 0x06}, "unexpected opcode"},
    Named{{Layer::rdmap, kRemoteOperation, 0x07}, "catastrophic error of this stream"},
    Named{{Layer::rdmap, kRemoteOperation, 0x08}, "catastrophic error of the adapter"},
    Named{{Layer::rdmap, kRemoteOperation, 0x09}, "STag cannot be invalidated"},
    Named{{Layer::rdmap, kRemoteOperation, 0xff}, "unspecified"},
    Named{{Layer::ddp, kLocalCatastrophic, 0x00}, "local catastrophic error"},
    Named{{Layer::ddp, kTaggedBuffer, 0x00}, "invalid STag"},
    Named{{Layer::ddp, kTaggedBuffer, 0x01}, "base or bounds violation"},
    Named{{Layer::ddp, kTaggedBuffer, 0x02}, "STag not associated with the stream"},
    Named{{Layer::ddp, kTaggedBuffer, 0x03}, "TO wrap"},
    Named{{Layer::ddp, kTaggedBuffer, 0x04}, "invalid DDP version"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x01}, "invalid queue number"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x02}, "no buffer for this MSN"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x03}, "MSN out of range"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x04}, "invalid message offset"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x05}, "message too long for its buffer"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x06}, "invalid DDP version"},
    Named{{Layer::mpa, kMpaError, 0x01}, "TCP connection closed, terminated or lost"},
    Named{{Layer::mpa, kMpaError, 0x02}, "CRC error"},
    Named{{Layer::mpa, kMpaError, 0x03}, "marker and length disagree"},
    Named{{Layer::mpa, kMpaError, 0x04}, "invalid Request or Reply frame"},
    Named{{Layer::mpa, kMpaError, 0x05}, "local catastrophic error"},
    Named{{Layer::mpa, kMpaError, 0x06}, "insufficient IRD resources"},
    Named{{Layer::mpa, kMpaError, 0x07}, "no matching RTR option"},
};

}  // namespace

TerminateCause cause(const Fault& fault) { return rule(fault).cause; }

Phrase describe(const Fault& fault) noexcept {
    Phrase text;
    text.format(rule(fault).text, fmt::make_format_args(fault.seen, fault.limit));
    return text;
}

std::string_view name(const TerminateCause& cause) {
    // Registered for every code.
    if (cause.layer == Layer::rdmap && cause.type == kLocalCatastrophic) return "local catastrophic error";
    const auto found = std::find_if(kNames.begin(), kNames.end(), [&](const Named& row) { return row.cause == cause; });
    return found == kNames.end() ? std::string_view() : found->name;
}

}  // namespace opennd::iwarp
