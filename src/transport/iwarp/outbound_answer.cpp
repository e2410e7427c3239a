// SPDX-License-Identifier: MIT
// Outbound: the answers to the peer's Reads; and the peer's answers, receipts and Terminate, which decide over this side's messages.
#include <algorithm>

#include "transport/iwarp/outbound.h"
#include "transport/soft/memory/memory_check.h"

namespace opennd::iwarp {
namespace {

constexpr std::uint32_t kAnswerPartBytes = 128 * 1024;
constexpr std::uint32_t kLargestSegment = 64 * 1024;

}  // namespace

Outbound::Answered Outbound::answer_part(const ReadRequest& request) {
    const Held lock(outlet_.mutex());
    if (outlet_.sending() >= Outlet::Sending::sealed || framing_ == Framing::request) return Answered::nothing;
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
        !memory_.find_places(request.source, request.source_offset + before, most, Access::remote_read, places, memory))
        return Answered::withdrawn;
    for (std::size_t framed = 0; !segmenter_->done() && framed < kAnswerPartBytes;) {
        if (!outlet_.make_room(std::min<std::size_t>(mulpdu_, request.size + TaggedHeader::kBytes)))
            return Answered::nothing;
        const OutboundSegment segment = segmenter_->next(mulpdu_);
        soft::SgeCursor payload(places);
        payload.skip(segment.message_offset - before);
        if (!outlet_.output().put(segment.header(), payload, segment.payload_bytes)) [[unlikely]] {
            segmenter_->take_back(segment);
            (void)soft::refuse_absent("the peer's Read");
            return Answered::withdrawn;
        }
        framed += segment.payload_bytes;
    }
    if (!segmenter_->done()) {
        outlet_.flush();
        return Answered::part;
    }
    framing_ = Framing::nothing;
    fence_if_due();
    return Answered::whole;
}

std::uint32_t Outbound::answered_bytes() const {
    const Held lock(outlet_.mutex());
    return framing_ == Framing::response ? segmenter_->sent_bytes() : 0;
}

bool Outbound::resets_in_request() {
    const Held lock(outlet_.mutex());
    if (framing_ != Framing::request) return false;
    stream_.reset_when_closed();
    return true;
}

Outlet::Rest Outbound::settle(bool gave_results) {
    const Held lock(outlet_.mutex());
    fence_if_due();
    in_a_row_ = false;
    if (outlet_.output().empty()) [[likely]]
        return outlet_.settle(gave_results);
    if (const std::uint64_t waited = outlet_.in_flight().newest() - left_; waited != 0) streams_ = waited > kRow;
    const Outlet::Rest rest = outlet_.settle(gave_results);
    note_left();
    return rest;
}

std::optional<Fault> Outbound::take_stamp(std::uint32_t lower) {
    const Held lock(outlet_.mutex());
    const Receipt receipt = outlet_.in_flight().widened(lower);
    if (receipt.placed == outlet_.in_flight().octets_placed()) return std::nullopt;
    return accept(receipt);
}

std::optional<Fault> Outbound::take_receipt(const Receipt& receipt) {
    const Held lock(outlet_.mutex());
    return accept(receipt);
}

std::optional<Fault> Outbound::accept(const Receipt& receipt) {
    const auto wrong = outlet_.in_flight().accept_receipt(receipt, outlet_.output().sent());
    if (!wrong) outlet_.confirm_known();
    return wrong;
}

Checked<ResponsePlacement> Outbound::accept_response(const Segment& segment) {
    const Held lock(outlet_.mutex());
    auto placement = outlet_.in_flight().accept_response(segment);
    if (!placement.ok()) fail_read(Status::remote_data_error);
    return placement;
}

bool Outbound::finish_read() {
    const Held lock(outlet_.mutex());
    const InFlight::Read read = outlet_.in_flight().finish_read();
    outlet_.confirm(read.number);
    outlet_.confirm_known();  // messages behind the Read waited for it
    return read.fence;
}

void Outbound::fail_oldest_read(Status status) {
    const Held lock(outlet_.mutex());
    fail_read(status);
}

bool Outbound::take_terminate(const ReceivedTerminate& told) {
    const Held lock(outlet_.mutex());
    (void)outlet_.seal();
    if (told.cause) stream_.note(*told.cause);
    const auto blamed = outlet_.in_flight().blamed(told);
    if (!blamed) return false;
    const Opcode opcode = outlet_.in_flight().opcode_of(*blamed);
    outlet_.confirm(*blamed - 1);
    fail(*blamed, refusal_status(opcode, told.cause));
    return true;
}

}  // namespace opennd::iwarp
