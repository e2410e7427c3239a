// SPDX-License-Identifier: MIT
// SendReassembly: see send_reassembly.h.
#include "transport/iwarp/stream/send_reassembly.h"

#include "transport/iwarp/wire/immediate_data.h"

namespace opennd::iwarp {

// In order: the first failing check decides (RFC 5041 section 7).
std::optional<Fault> SendReassembly::check(const Segment& segment, std::optional<std::uint32_t> receive) const {
    const UntaggedHeader& header = segment.untagged;
    const std::size_t bytes = segment.payload().size();
    if (header.msn != msn_) return Fault{FaultKind::msn_out_of_order, header.msn, msn_};
    if (!receive) return Fault{FaultKind::no_receive, header.msn};
    if (header.offset != received_) return Fault{FaultKind::offset_out_of_place, header.offset, received_};
    const bool goes_to_result = !open_ && is_immediate_data(segment.opcode);
    if (goes_to_result && (bytes != ImmediateData::kBytes || !segment.last))
        return Fault{FaultKind::immediate_data_malformed, bytes, ImmediateData::kBytes};
    const std::uint64_t end = std::uint64_t{received_} + (goes_to_result ? 0 : bytes);
    if (end > *receive) return Fault{FaultKind::message_too_long, end, *receive};
    if (open_ && segment.opcode != opcode_)
        return Fault{FaultKind::opcode_changed, static_cast<std::uint64_t>(segment.opcode),
                     static_cast<std::uint64_t>(opcode_)};
    if (open_ && invalidates(opcode_) && header.invalidate != invalidate_)
        return Fault{FaultKind::invalidated_stag_changed, value(header.invalidate), value(invalidate_)};
    if (!segment.last && segment.payload().empty() && empty_segments_ == kMaxEmptySegments)
        return Fault{FaultKind::empty_segments, kMaxEmptySegments + 1, kMaxEmptySegments};
    return std::nullopt;
}

Checked<SendPlacement> SendReassembly::accept(const Segment& segment, std::optional<std::uint32_t> oldest_receive) {
    const std::optional<std::uint32_t> receive = open_ ? std::optional(receive_bytes_) : oldest_receive;
    if (const auto fault = check(segment, receive)) return *fault;
    SendPlacement placement{received_, !open_, segment.last, 0};
    if (!open_) begin(segment, *receive);
    // Fits: it is within the receive, or in the result.
    received_ += static_cast<std::uint32_t>(segment.payload().size());
    empty_segments_ = segment.payload().empty() ? empty_segments_ + 1 : 0;
    placement.message_bytes = received_;
    if (segment.last) end();
    return placement;
}

void SendReassembly::begin(const Segment& segment, std::uint32_t receive_bytes) {
    open_ = true;
    opcode_ = segment.opcode;
    invalidate_ = segment.untagged.invalidate;
    receive_bytes_ = receive_bytes;
}

void SendReassembly::end() {
    open_ = false;
    received_ = 0;
    empty_segments_ = 0;
    ++msn_;  // 0 follows 0xFFFFFFFF (IW-DDP-15)
}

}  // namespace opennd::iwarp
