// SPDX-License-Identifier: MIT
// ReadRequestIntake: see read_request_intake.h.
#include "transport/iwarp/stream/read_request_intake.h"

#include <cassert>

namespace opennd::iwarp {

// A request that is cut has no size.
bool ReadRequestIntake::takes_spare_slot(const Segment& segment) const {
    return !spare_slot_ && segment.payload().size() >= ReadRequest::kBytes &&
           ReadRequest::load(segment.payload().first<ReadRequest::kBytes>()).size == 0;
}

// In order: the first failing check decides (RFC 5040 section 7).
std::optional<Fault> ReadRequestIntake::check(const Segment& segment) const {
    const UntaggedHeader& header = segment.untagged;
    const std::size_t bytes = segment.ulpdu.size();
    if (header.msn != msn_) return Fault{FaultKind::msn_out_of_order, header.msn, msn_};
    const std::uint32_t in_depth = open() - (spare_slot_ ? 1 : 0);
    if (in_depth >= depth_ && !takes_spare_slot(segment)) return Fault{FaultKind::too_many_reads, open(), depth_};
    if (header.offset != 0) return Fault{FaultKind::offset_out_of_place, header.offset, 0};
    if (bytes > ReadRequest::kUlpduBytes)
        return Fault{FaultKind::read_request_too_long, bytes, ReadRequest::kUlpduBytes};
    if (bytes < ReadRequest::kUlpduBytes) return Fault{FaultKind::read_request_cut, bytes, ReadRequest::kUlpduBytes};
    if (!segment.last) return Fault{FaultKind::read_request_unfinished, 0, 1};
    return std::nullopt;
}

Checked<ReadRequest> ReadRequestIntake::accept(const Segment& segment) {
    if (const auto fault = check(segment)) return *fault;
    if (takes_spare_slot(segment)) spare_slot_ = msn_;
    ++msn_;
    return ReadRequest::load(segment.payload().first<ReadRequest::kBytes>());
}

void ReadRequestIntake::answered() {
    assert(open() > 0);
    if (spare_slot_ == oldest_msn_) spare_slot_.reset();
    ++oldest_msn_;
}

}  // namespace opennd::iwarp
