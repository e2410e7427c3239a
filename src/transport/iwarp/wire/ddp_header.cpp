// SPDX-License-Identifier: MIT
// The headers of a DDP segment: see ddp_header.h.
#include "transport/iwarp/wire/ddp_header.h"

#include <array>

#include "transport/iwarp/wire/big_endian.h"

namespace opennd::iwarp {
namespace {

// Octet 0: T, L, four reserved bits, DDP version.
constexpr std::uint8_t kTagged = 0x80, kLast = 0x40, kDdpVersionMask = 0x03;
// Octet 1: RDMAP version, two reserved bits, opcode.
constexpr int kRdmapVersionShift = 6;
constexpr std::uint8_t kImmediate = 0x20, kReceipt = 0x10;  // reserved in RFC 5040
constexpr std::uint8_t kOpcodeMask = 0x0f;

// Where the fields begin.
constexpr std::size_t kStagAt = 2, kTaggedOffsetAt = 6;
constexpr std::size_t kInvalidateAt = 2, kQueueAt = 6, kMsnAt = 10, kMessageOffsetAt = 14;

void store_control(std::byte* to, Model model, Opcode opcode, bool last) {
    to[0] = static_cast<std::byte>((model == Model::tagged ? kTagged : 0) | (last ? kLast : 0) | kDdpVersion);
    to[1] = static_cast<std::byte>(kRdmapVersion << kRdmapVersionShift | static_cast<std::uint8_t>(opcode));
}

constexpr OpcodeRule kUnassigned{"unassigned", false, Model::untagged, Queue::sends};

constexpr std::array<OpcodeRule, kOpcodes> kOpcodeRules{{
    {"RDMA Write", true, Model::tagged, {}},
    {"RDMA Read Request", true, Model::untagged, Queue::read_requests},
    {"RDMA Read Response", true, Model::tagged, {}},
    {"Send", true, Model::untagged, Queue::sends},
    {"Send with Invalidate", true, Model::untagged, Queue::sends},
    {"Send with Solicited Event", true, Model::untagged, Queue::sends},
    {"Send with Solicited Event and Invalidate", true, Model::untagged, Queue::sends},
    {"Terminate", true, Model::untagged, Queue::terminates},
    {"Immediate Data", false, Model::untagged, Queue::sends},
    {"Immediate Data with Solicited Event", false, Model::untagged, Queue::sends},
    {"Atomic Request", false, Model::untagged, Queue::read_requests},
    {"Atomic Response", false, Model::untagged, Queue::atomic_responses},
    kUnassigned,
    kUnassigned,
    kUnassigned,
    {"experimental", false, Model::untagged, Queue::sends},
}};

// Versions and opcode, and for untagged segments the queue (RFC 5040 section 7.1, RFC 5041 section 7.1).
Checked<Segment> check(const SegmentControl& control, const Segment& segment, Immediate immediate) {
    const auto opcode = static_cast<std::uint8_t>(control.opcode);
    if (control.ddp_version != kDdpVersion) {
        const FaultKind kind = control.model == Model::tagged ? FaultKind::tagged_version : FaultKind::untagged_version;
        return Fault{kind, control.ddp_version, kDdpVersion};
    }
    if (control.rdmap_version != kRdmapVersion)
        return Fault{FaultKind::rdmap_version, control.rdmap_version, kRdmapVersion};
    const OpcodeRule& expected = rule(control.opcode);
    const bool taken = expected.supported || (immediate == Immediate::taken && is_immediate_data(control.opcode));
    if (!taken) return Fault{FaultKind::opcode_unknown, opcode, kLastSupportedOpcode};
    if (control.model != expected.model)
        return Fault{FaultKind::opcode_of_other_model, opcode, expected.model == Model::tagged};
    if (control.model == Model::untagged && segment.untagged.queue > kLastSupportedQueue)
        return Fault{FaultKind::queue_unknown, value(segment.untagged.queue), value(kLastSupportedQueue)};
    if (control.model == Model::untagged && segment.untagged.queue != expected.queue)
        return Fault{FaultKind::queue_of_other_opcode, value(segment.untagged.queue), value(expected.queue)};
    return segment;
}

}  // namespace

SegmentControl SegmentControl::load(std::span<const std::byte, kBytes> from) {
    const auto ddp = std::to_integer<std::uint8_t>(from[0]);
    const auto rdmap = std::to_integer<std::uint8_t>(from[1]);
    return {(ddp & kTagged) != 0 ? Model::tagged : Model::untagged,
            (ddp & kLast) != 0,
            static_cast<std::uint8_t>(ddp & kDdpVersionMask),
            static_cast<std::uint8_t>(rdmap >> kRdmapVersionShift),
            static_cast<Opcode>(rdmap & kOpcodeMask),
            (rdmap & kReceipt) != 0,
            (rdmap & kImmediate) != 0};
}

TaggedHeader TaggedHeader::load(std::span<const std::byte, kBytes> from) {
    return {load_number<Stag>(&from[kStagAt]), load_big_endian<std::uint64_t>(&from[kTaggedOffsetAt])};
}

void TaggedHeader::store(std::span<std::byte, kBytes> to, Opcode opcode, bool last) const {
    store_control(to.data(), Model::tagged, opcode, last);
    store_big_endian(&to[kStagAt], value(stag));
    store_big_endian(&to[kTaggedOffsetAt], offset);
}

UntaggedHeader UntaggedHeader::load(std::span<const std::byte, kBytes> from) {
    return {load_number<Stag>(&from[kInvalidateAt]), load_number<Queue>(&from[kQueueAt]),
            load_big_endian<std::uint32_t>(&from[kMsnAt]), load_big_endian<std::uint32_t>(&from[kMessageOffsetAt])};
}

void UntaggedHeader::store(std::span<std::byte, kBytes> to, Opcode opcode, bool last) const {
    store_control(to.data(), Model::untagged, opcode, last);
    store_big_endian(&to[kInvalidateAt], value(invalidate));
    store_big_endian(&to[kQueueAt], value(queue));
    store_big_endian(&to[kMsnAt], msn);
    store_big_endian(&to[kMessageOffsetAt], offset);
}

void UntaggedHeader::mark_immediate(std::span<std::byte, kBytes> to, std::uint32_t data) {
    to[1] |= static_cast<std::byte>(kImmediate);
    store_big_endian(&to[kInvalidateAt], data);
}

std::array<std::byte, TaggedHeader::kBytes> Receipt::message() const {
    std::array<std::byte, TaggedHeader::kBytes> octets;
    TaggedHeader{Stag::none, placed}.store(octets, Opcode::write, true);
    octets[1] |= static_cast<std::byte>(kReceipt);
    return octets;
}

void Receipt::stamp(std::span<std::byte, UntaggedHeader::kBytes> header) const {
    store_big_endian(&header[kInvalidateAt], static_cast<std::uint32_t>(placed));
}

const OpcodeRule& rule(Opcode opcode) { return kOpcodeRules[static_cast<std::size_t>(opcode) % kOpcodes]; }

Checked<Segment> Segment::load(std::span<const std::byte> ulpdu, Immediate immediate) {
    if (ulpdu.size() < SegmentControl::kBytes)
        return Fault{FaultKind::segment_too_short, ulpdu.size(), SegmentControl::kBytes};
    const SegmentControl control = SegmentControl::load(ulpdu.first<SegmentControl::kBytes>());
    if (ulpdu.size() < header_bytes(control.model))
        return Fault{FaultKind::segment_too_short, ulpdu.size(), header_bytes(control.model)};
    const bool marked = control.immediate && immediate == Immediate::taken && carries_receipt(control.opcode);
    Segment segment{control.opcode, control.last, control.receipt, marked, {}, {}, ulpdu};
    if (control.model == Model::tagged)
        segment.tagged = TaggedHeader::load(ulpdu.first<TaggedHeader::kBytes>());
    else
        segment.untagged = UntaggedHeader::load(ulpdu.first<UntaggedHeader::kBytes>());
    return check(control, segment, immediate);
}

}  // namespace opennd::iwarp
