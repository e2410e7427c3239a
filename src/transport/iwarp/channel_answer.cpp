// SPDX-License-Identifier: MIT
// IwarpChannel, the answers to the peer's Reads: made by whoever drives, in the order of the questions (IW-RDMAP-27), as
// the socket has room. Short ones leave together, at the end of receive().
#include <algorithm>

#include "base/explanation.h"
#include "transport/iwarp/channel.h"

namespace opennd::iwarp {
namespace {

constexpr std::size_t kPartBytes = 128 * 1024;
// Then it is the turn of what arrives, and of other connections (IW-PERF-05, IW-SEC-18).
constexpr int kPartsAtOnce = 8;

}  // namespace

void IwarpChannel::answer_reads(soft::Responder& responder) {
    for (int part = 0; part < kPartsAtOnce && questions_answered_ != questions_taken_; ++part) {
        const ReadRequest& request = questions_[questions_answered_ % questions_.size()].request;
        // The source may have been withdrawn since the last part (IW-RDMAP-29, IW-SEC-24).
        if (const auto refused = check_read_source(request, buffer_of(request.source))) return refuse_answer(*refused);
        const bool lengthy = !declining_ && request.size > soft::kLongCopyBytes;
        if (lengthy) responder.begin_long_copy();
        const bool goes_on = answer_part();
        if (lengthy) responder.end_long_copy();
        if (!goes_on) return;
        expected_.fetch_add(1, std::memory_order_relaxed);
    }
}

// False: there is no room, or this side is in the middle of a message.
bool IwarpChannel::answer_part() {
    const Held lock(output_mutex_);
    if (sealed_ || framing_ == Framing::request) return false;
    const ReadRequest& request = questions_[questions_answered_ % questions_.size()].request;
    if (framing_ == Framing::nothing) {
        fit_segments(request.size);
        segmenter_.emplace(Opcode::read_response, TaggedHeader{request.sink, request.sink_offset}, request.size);
        framing_ = Framing::response;
    }
    auto* const source = reinterpret_cast<std::byte*>(request.source_offset);
    for (std::size_t framed = 0; !segmenter_->done() && framed < kPartBytes;) {
        if (!make_room(std::min<std::size_t>(mulpdu_, request.size + TaggedHeader::kBytes))) return false;
        const OutboundSegment segment = segmenter_->next(mulpdu_);
        const Sge memory{source + segment.message_offset, segment.payload_bytes, Token::none};
        soft::SgeCursor payload({&memory, 1});
        output_.put(segment.header(), payload, segment.payload_bytes);
        framed += segment.payload_bytes;
    }
    if (!segmenter_->done()) {
        flush_output();
        return true;
    }
    framing_ = Framing::nothing;
    intake_.answered();
    ++questions_answered_;
    fence_if_due();
    return true;
}

// In the middle, the Terminate says how far the answer came (IW-RDMAP-10).
void IwarpChannel::refuse_answer(const Fault& fault) {
    const Question& question = questions_[questions_answered_ % questions_.size()];
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
                  .requirement = "IW-RDMAP-29"});
    (void)stop(Terminate(cause(fault), question.ulpdu, sent));
}

}  // namespace opennd::iwarp
