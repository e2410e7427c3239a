// SPDX-License-Identifier: MIT
// OutstandingReads: see outstanding_reads.h.
#include "transport/iwarp/stream/outstanding_reads.h"

#include <cassert>

namespace opennd::iwarp {

void OutstandingReads::start(Stag sink, std::uint32_t size) {
    assert(!full());
    reads_.push({sink, size, 0});
}

Checked<ResponsePlacement> OutstandingReads::accept(const Segment& segment) {
    if (empty()) return Fault{FaultKind::response_not_asked_for};
    Read& read = reads_.front();
    const std::size_t bytes = segment.payload().size();
    if (segment.tagged.stag != read.sink)
        return Fault{FaultKind::response_to_other_sink, value(segment.tagged.stag), value(read.sink)};
    if (segment.tagged.offset != read.received)
        return Fault{FaultKind::response_out_of_place, segment.tagged.offset, read.received};
    const bool asked_for_nothing = read.size == 0;
    if (!asked_for_nothing && bytes > read.size - read.received)
        return Fault{FaultKind::response_too_long, bytes, read.size - read.received};
    if (!asked_for_nothing && segment.last && read.received + bytes != read.size)
        return Fault{FaultKind::response_ends_early, read.received + bytes, read.size};
    const ResponsePlacement placement{read.received, segment.last, asked_for_nothing};
    read.received += static_cast<std::uint32_t>(bytes);
    if (segment.last) reads_.pop();
    return placement;
}

}  // namespace opennd::iwarp
