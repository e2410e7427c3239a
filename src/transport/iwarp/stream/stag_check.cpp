// SPDX-License-Identifier: MIT
// The checks of an STag: see stag_check.h.
#include "transport/iwarp/stream/stag_check.h"

#include <limits>

namespace opennd::iwarp {
namespace {

using Standing = TaggedBuffer::Standing;

// A range that ends exactly at the end of the address space counts as one that passes it (IW-SEC-06).
bool wraps(std::uint64_t from, std::uint64_t bytes) { return bytes > std::numeric_limits<std::uint64_t>::max() - from; }

// Neither may wrap.
bool covers(const TaggedBuffer& buffer, std::uint64_t from, std::uint64_t bytes) {
    return from >= buffer.base && bytes <= buffer.length && from - buffer.base <= buffer.length - bytes;
}

}  // namespace

std::optional<Fault> check_write(const Segment& segment, const TaggedBuffer& buffer) {
    const std::uint32_t stag = value(segment.tagged.stag);
    const std::uint64_t from = segment.tagged.offset, bytes = segment.payload().size();
    if (bytes == 0) return std::nullopt;
    if (buffer.standing == Standing::unknown) return Fault{FaultKind::write_stag_unknown, stag};
    if (buffer.standing == Standing::foreign) return Fault{FaultKind::write_stag_foreign, stag};
    if (wraps(from, bytes)) return Fault{FaultKind::write_wraps, from, bytes};
    if (!covers(buffer, from, bytes)) return Fault{FaultKind::write_out_of_bounds, from, bytes};
    // DDP has no code for a missing right: the Terminate reports an invalid STag (IW-DDP-14).
    if (!buffer.remote_write) return Fault{FaultKind::write_not_granted, stag};
    return std::nullopt;
}

std::optional<Fault> check_invalidation(Stag stag, const TaggedBuffer& buffer) {
    if (buffer.standing == Standing::unknown) return Fault{FaultKind::invalidated_stag_unknown, value(stag)};
    if (buffer.standing == Standing::foreign) return Fault{FaultKind::invalidated_stag_foreign, value(stag)};
    if (!buffer.remote_invalidate) return Fault{FaultKind::invalidation_refused, value(stag)};
    return std::nullopt;
}

std::optional<Fault> check_read_source(const ReadRequest& request, const TaggedBuffer& buffer) {
    const std::uint64_t from = request.source_offset, bytes = request.size;
    if (bytes == 0) return std::nullopt;
    if (buffer.standing == Standing::unknown) return Fault{FaultKind::read_stag_unknown, value(request.source)};
    if (buffer.standing == Standing::foreign) return Fault{FaultKind::read_stag_foreign, value(request.source)};
    if (wraps(from, bytes)) return Fault{FaultKind::read_wraps, from, bytes};
    if (wraps(request.sink_offset, bytes)) return Fault{FaultKind::read_sink_wraps, request.sink_offset, bytes};
    if (!covers(buffer, from, bytes)) return Fault{FaultKind::read_out_of_bounds, from, bytes};
    if (!buffer.remote_read) return Fault{FaultKind::read_not_granted, value(request.source)};
    return std::nullopt;
}

}  // namespace opennd::iwarp
