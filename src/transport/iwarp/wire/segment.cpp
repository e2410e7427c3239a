// SPDX-License-Identifier: MIT
// Segment: see segment.h.
#include "transport/iwarp/wire/segment.h"

namespace opennd::iwarp {
namespace {

// Versions and opcode, and for untagged segments the queue (RFC 5040 section 7.1, RFC 5041 section 7.1).
Checked<Segment> check(const SegmentControl& control, const Segment& segment) {
    const auto opcode = static_cast<std::uint8_t>(control.opcode);
    if (control.ddp_version != kDdpVersion) {
        const FaultKind kind = control.model == Model::tagged ? FaultKind::tagged_version : FaultKind::untagged_version;
        return Fault{kind, control.ddp_version, kDdpVersion};
    }
    if (control.rdmap_version != kRdmapVersion)
        return Fault{FaultKind::rdmap_version, control.rdmap_version, kRdmapVersion};
    const OpcodeRule& expected = rule(control.opcode);
    if (!expected.supported) return Fault{FaultKind::opcode_unknown, opcode, kLastSupportedOpcode};
    if (control.model != expected.model)
        return Fault{FaultKind::opcode_of_other_model, opcode, expected.model == Model::tagged};
    if (control.model == Model::untagged && segment.untagged.queue > kLastSupportedQueue)
        return Fault{FaultKind::queue_unknown, value(segment.untagged.queue), value(kLastSupportedQueue)};
    if (control.model == Model::untagged && segment.untagged.queue != expected.queue)
        return Fault{FaultKind::queue_of_other_opcode, value(segment.untagged.queue), value(expected.queue)};
    return segment;
}

}  // namespace

Checked<Segment> Segment::load(std::span<const std::byte> ulpdu) {
    if (ulpdu.size() < SegmentControl::kBytes)
        return Fault{FaultKind::segment_too_short, ulpdu.size(), SegmentControl::kBytes};
    const SegmentControl control = SegmentControl::load(ulpdu.first<SegmentControl::kBytes>());
    if (ulpdu.size() < header_bytes(control.model))
        return Fault{FaultKind::segment_too_short, ulpdu.size(), header_bytes(control.model)};
    Segment segment{control.opcode, control.last, control.receipt, {}, {}, ulpdu};
    if (control.model == Model::tagged)
        segment.tagged = TaggedHeader::load(ulpdu.first<TaggedHeader::kBytes>());
    else
        segment.untagged = UntaggedHeader::load(ulpdu.first<UntaggedHeader::kBytes>());
    return check(control, segment);
}

}  // namespace opennd::iwarp
