// SPDX-License-Identifier: MIT
// IwarpChannel, the answers to the peer's Reads: receive() makes them in the order of the requests (IW-RDMAP-27), as the socket
// has room. Short ones leave together, at its end.
#include <algorithm>

#include "base/explanation.h"
#include "transport/iwarp/channel.h"

namespace opennd::iwarp {
namespace {

constexpr std::uint32_t kAnswerPartBytes = 128 * 1024;
constexpr std::uint32_t kLargestSegment = 64 * 1024;
// Parts of one receive(), before the turn of arrivals and of other connections (IW-PERF-05, IW-SEC-18).
constexpr int kPartsAtOnce = 8;

}  // namespace

void IwarpChannel::answer_reads(soft::ReceiveTurn& turn) {
    if (sending_ended_.load(std::memory_order_relaxed)) [[unlikely]]
        return drop_questions();
    for (int part = 0; part < kPartsAtOnce && owes_answers(); ++part) {
        const ReadRequest& request = questions_.front().request;
        const bool lengthy = !declining_ && request.size > soft::kLongCopyBytes;
        if (lengthy) turn.begin_long_copy();
        const Answered answered = answer_part();
        if (lengthy) turn.end_long_copy();
        if (answered == Answered::withdrawn)  // since it was checked, or since the last part (IW-RDMAP-29, IW-SEC-24)
            return refuse_answer({FaultKind::read_stag_unknown, value(request.source)});
        if (answered == Answered::nothing) return;
        expected_.fetch_add(1, std::memory_order_relaxed);
    }
}

// Drops the Reads of a peer after this side has ended its direction of the stream.
void IwarpChannel::drop_questions() {
    for (; owes_answers(); questions_.pop()) intake_.answered();
}

// nothing: there is no room, or this side is in the middle of a message.
IwarpChannel::Answered IwarpChannel::answer_part() {
    const Held lock(output_mutex_);
    if (sealed_ || framing_ == Framing::request) return Answered::nothing;
    const ReadRequest& request = questions_.front().request;
    if (framing_ == Framing::nothing) {
        fit_segments(request.size);
        segmenter_.emplace(Opcode::read_response, TaggedHeader{request.sink, request.sink_offset}, request.size);
        framing_ = Framing::response;
    }
    const std::uint32_t before = segmenter_->sent_bytes();
    const std::uint32_t most = std::min(request.size - before, kAnswerPartBytes + kLargestSegment);
    std::span<const Sge> places;
    soft::ResolvedMemory memory;
    if (most != 0 &&
        !find_places(request.source, request.source_offset + before, most, Access::remote_read, places, memory))
        return Answered::withdrawn;
    for (std::size_t framed = 0; !segmenter_->done() && framed < kAnswerPartBytes;) {
        if (!make_room(std::min<std::size_t>(mulpdu_, request.size + TaggedHeader::kBytes))) return Answered::nothing;
        const OutboundSegment segment = segmenter_->next(mulpdu_);
        soft::SgeCursor payload(places);
        payload.skip(segment.message_offset - before);
        if (!output_.put(segment.header(), payload, segment.payload_bytes)) [[unlikely]] {
            segmenter_->take_back(segment);
            (void)soft::refuse_absent("the peer's Read");
            return Answered::withdrawn;
        }
        framed += segment.payload_bytes;
    }
    if (!segmenter_->done()) {
        flush_output();
        return Answered::part;
    }
    framing_ = Framing::nothing;
    intake_.answered();
    questions_.pop();
    fence_if_due();
    return Answered::part;
}

// In the middle of an answer, the Terminate has the number of its octets that were sent (IW-RDMAP-10).
void IwarpChannel::refuse_answer(const Fault& fault) {
    const Question& question = questions_.front();
    std::uint32_t sent = 0;
    {
        const Held lock(output_mutex_);
        if (framing_ == Framing::response) sent = segmenter_->sent_bytes();
    }
    (void)report(Status::access_violation,
                 {.object = "connection",
                  .operation = "the peer's Read",
                  .asked = describe(fault),
                  .limit = "memory that stays registered until it was read; the connection ends",
                  .remedy = "deregister or invalidate after the peer is done with it",
                  .requirement = "IW-RDMAP-29",
                  .cause = LogCause::peer});
    const Held lock(output_mutex_);
    last_words_.emplace(cause(fault), question.ulpdu, sent);  // it replaces the Terminate of a later fault
    end_stream(*last_words_);
}

}  // namespace opennd::iwarp
