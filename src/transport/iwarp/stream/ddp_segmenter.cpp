// SPDX-License-Identifier: MIT
// DdpSegmenter: see ddp_segmenter.h.
#include "transport/iwarp/stream/ddp_segmenter.h"

#include <algorithm>
#include <cassert>

namespace opennd::iwarp {

DdpSegmenter::DdpSegmenter(Opcode opcode, const TaggedHeader& message, std::uint32_t length_bytes)
    : opcode_(opcode), tagged_(message), untagged_(), length_bytes_(length_bytes) {
    assert(rule(opcode).model == Model::tagged);
}

DdpSegmenter::DdpSegmenter(Opcode opcode, std::uint32_t msn, Stag invalidate, std::uint32_t length_bytes)
    : opcode_(opcode),
      tagged_(),
      untagged_{invalidates(opcode) ? invalidate : Stag::none, Queue::sends, msn, 0},
      length_bytes_(length_bytes) {
    assert(is_send(opcode));
}

OutboundSegment DdpSegmenter::next(std::size_t mulpdu) {
    const Model model = rule(opcode_).model;
    assert(!done_ && mulpdu > header_bytes(model));
    OutboundSegment segment;
    segment.header_bytes_ = header_bytes(model);
    segment.message_offset = sent_bytes_;
    segment.payload_bytes =
        static_cast<std::uint32_t>(std::min<std::size_t>(length_bytes_ - sent_bytes_, mulpdu - segment.header_bytes_));
    segment.last = sent_bytes_ + segment.payload_bytes == length_bytes_;
    const std::span<std::byte, UntaggedHeader::kBytes> octets(segment.octets_);
    if (model == Model::tagged)
        TaggedHeader{tagged_.stag, tagged_.offset + sent_bytes_}.store(octets.first<TaggedHeader::kBytes>(), opcode_,
                                                                       segment.last);
    else
        UntaggedHeader{untagged_.invalidate, untagged_.queue, untagged_.msn, sent_bytes_}.store(octets, opcode_,
                                                                                                segment.last);
    if (immediate_ && segment.last) [[unlikely]] {
        immediate_->stamp(octets);
        segment.immediate = true;
    }
    sent_bytes_ += segment.payload_bytes;
    done_ = segment.last;
    return segment;
}

}  // namespace opennd::iwarp
