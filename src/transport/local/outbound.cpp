// SPDX-License-Identifier: MIT
// Outbound: see outbound.h.
#include "transport/local/outbound.h"

#include <algorithm>
#include <array>

#include "base/explanation.h"
#include "platform/thread/common_work.h"
#include "transport/soft/memory/memory_check.h"
#include "transport/soft/memory/ordered_copy.h"

namespace opennd::local {
namespace {

using soft::OutboundRequest;
using soft::Start;
using soft::StartResult;
using Put = LaneState::Put;

// Marks the ticket of a Read that travels as frames; the rest is the number of its request frame.
constexpr std::uint64_t kReadTicket = std::uint64_t{1} << 32;
// The checks of a full lane before the request is left to the next poll.
constexpr int kSpinsForRoom = 1000;
static_assert(soft::kLongCopyBytes <= kMostPayload);  // start_short_send() makes one frame

StartResult done(Status status) { return {Start::done, status, {}}; }
StartResult in_flight(std::uint64_t ticket) {
    return {Start::in_flight, Status::success, static_cast<soft::Ticket>(ticket)};
}
// Returns the flags of a message in one frame.
std::uint8_t flags_of_whole(const OutboundRequest& request) {
    return static_cast<std::uint8_t>(kFirst | kLast | (has(request.flags, RequestFlags::solicit) ? kSolicited : 0));
}
constexpr StartResult kBlocked{Start::blocked, Status::success, {}};

// Refuses a request because the memory of one side is gone.
[[gnu::cold]] Status refuse_absent(const OutboundRequest& request) {
    const Status status = soft::refuse_absent(name(request.operation));
    for (const Sge& sge : request.sges)
        if (is_absent_in(sge.buffer, sge.length)) return status;
    return Status::remote_access_violation;
}

}  // namespace

StartResult Outbound::start(LaneState& lanes, const OutboundRequest& request) {
    if (request.operation == Operation::send && request.length_bytes <= soft::kLongCopyBytes)
        return start_short_send(lanes, request);
    return start_longer(request);
}

// ---- requests with immediate data -----------------------------------------------------------------------------------

StartResult Outbound::start_with_immediate(const OutboundRequest& request, std::uint32_t immediate) {
    return request.operation == Operation::send_with_immediate ? send_with_immediate(request, immediate)
                                                               : write_with_immediate(request, immediate);
}

StartResult Outbound::send_with_immediate(const OutboundRequest& request, std::uint32_t immediate) {
    const std::uint32_t length = request.length_bytes;
    if (length > soft::kLongCopyBytes) return stream(request, FrameKind::send_immediate, immediate);
    Producer& producer = lanes_.producer();
    std::byte* const payload = producer.reserve(length);
    if (!payload) return kBlocked;
    if (!soft::gather_all(request.sges, payload, length)) [[unlikely]]
        return done(soft::refuse_absent(name(request.operation)));
    const Producer::Header header{FrameKind::send_immediate, flags_of_whole(request), length, length, immediate};
    const std::uint32_t number = producer.publish(header, lanes_.consumer().next());
    lanes_.traffic().started.out(kFrameHeaderBytes + length);
    lanes_.ring_peer();
    return in_flight(number);
}

// Writes, then says so. The Write may be finished, and its frame have no room: then that is left to do.
StartResult Outbound::write_with_immediate(const OutboundRequest& request, std::uint32_t immediate) {
    if (!written_) {
        OutboundRequest write = request;
        write.operation = Operation::write;
        // Where messages wait, a short Write follows them in frames: Writes in a row would else wait for each other's notice.
        const bool follows = write.length_bytes != 0 && write.length_bytes <= soft::kLongCopyBytes &&
                             !lanes_.producer().all_consumed() && !lanes_.is_peer_closed();
        const StartResult result =
            follows ? stream(write, FrameKind::write, value(write.remote_token)) : start_one_sided(write);
        const bool failed = result.start == Start::done && !ok(result.status);
        if (result.start == Start::blocked || failed) return result;
        written_ = true;
    }
    soft::SgeCursor nothing({});
    std::uint32_t number = 0;
    const Producer::Header header{FrameKind::written, flags_of_whole(request), 0, request.length_bytes, immediate};
    if (lanes_.refused()) return in_flight(lanes_.producer().next());
    if (lanes_.put(header, nothing, number) != Put::sent) return kBlocked;
    written_ = false;
    lanes_.traffic().started.out(kFrameHeaderBytes);
    lanes_.ring_peer();
    return in_flight(number);
}

// ---- the others -----------------------------------------------------------------------------------------------------

StartResult Outbound::start_longer(const OutboundRequest& request) {
    if (request.operation == Operation::send) return start_long_send(request);
    if (request.operation == Operation::send_and_invalidate)
        return stream(request, FrameKind::send_invalidating, value(request.remote_token));
    return start_one_sided(request);
}

StartResult Outbound::start_short_send(LaneState& lanes, const OutboundRequest& request) {
    const std::uint32_t length = request.length_bytes;
    std::byte* const payload = lanes.producer().reserve(length);
    if (!payload) return kBlocked;
    if (!soft::gather_all(request.sges, payload, length)) [[unlikely]]
        return done(soft::refuse_absent(name(request.operation)));
    const std::uint32_t number =
        lanes.producer().publish({FrameKind::send, flags_of_whole(request), length, length}, lanes.consumer().next());
    lanes.traffic().started.out(kFrameHeaderBytes + length);
    lanes.ring_peer();
    return in_flight(number);
}

StartResult Outbound::start_long_send(const OutboundRequest& request) {
    if (streamed_ == 0 && worth_pulling(request)) return start_pull(request);
    ShownReceive shown;
    if (streamed_ == 0 && request.by_poster && lanes_.find_shown(request.length_bytes, shown) &&
        !CommonWork::is_under_way())
        return {Start::unlocked};
    return stream(request, FrameKind::send, 0);
}

// Sends a long message in parts, through chunks: both sides copy at the same time.
StartResult Outbound::stream(const OutboundRequest& request, FrameKind kind, std::uint32_t token) {
    soft::SgeCursor from(request.sges);
    from.skip(streamed_);
    std::uint32_t number = 0;
    bool complete = false;  // a message of no bytes is one part too
    for (int spins = 0; !complete && !lanes_.is_closed();) {
        const std::uint32_t part = std::min(kMostPayload, request.length_bytes - streamed_);
        std::uint8_t flags = streamed_ == 0 ? kFirst : 0;
        if (streamed_ + part == request.length_bytes)
            flags =
                static_cast<std::uint8_t>(flags | kLast | (has(request.flags, RequestFlags::solicit) ? kSolicited : 0));
        const Put put_part = lanes_.put(
            {kind, flags, part, request.length_bytes, token, request.remote_address + streamed_}, from, number);
        if (put_part == Put::absent) {
            streamed_ = 0;
            return done(soft::refuse_absent(name(request.operation)));
        }
        if (put_part == Put::no_room) {
            if (lanes_.refused()) {
                streamed_ = 0;
                return in_flight(lanes_.producer().next());
            }
            if (++spins > kSpinsForRoom) return kBlocked;
            cpu_relax();
            continue;
        }
        spins = 0;
        lanes_.traffic().started.out(kFrameHeaderBytes + part);
        streamed_ += part;
        complete = streamed_ == request.length_bytes;
        lanes_.ring_peer();
    }
    if (!complete) return done(Status::canceled);  // the connection ended in mid-message
    streamed_ = 0;
    return in_flight(number);
}

// Returns true if the peer is to fetch a long message itself, in one copy straight into its receive buffer. It does so
// out of memory that it can map, but not out of private memory: two processors copying through the lane at once are
// faster than the kernel copying alone, and in the kernel this side's pages could hold the peer's thread
// (docs/decisions/0003, 0033).
bool Outbound::worth_pulling(const OutboundRequest& request) {
    if (has(request.flags, RequestFlags::inline_data | RequestFlags::inline_entries)) return false;
    if (request.sges.size() > kMaxPullPieces) return false;
    for (const Sge& sge : request.sges) {
        soft::MemoryGrant grant;
        if (sge.length == 0) continue;
        // Pages have no token here, and the whole address space has none for peers: a peer cannot fetch memory without
        // a token.
        if (!lanes_.parts().own_tokens->find_local(sge.token, grant) || grant.remote_token == Token::none) return false;
        if (lanes_.peer_memory().same_process()) continue;
        if (grant.location.segment == 0 || !may_offer(grant.location.segment)) return false;
    }
    return true;
}

StartResult Outbound::start_pull(const OutboundRequest& request) {
    std::array<PullPiece, kMaxPullPieces> pieces{};
    std::uint32_t count = 0;
    for (const Sge& sge : request.sges) {
        soft::MemoryGrant grant;
        if (sge.length == 0) continue;
        if (!lanes_.parts().own_tokens->find_local(sge.token, grant))
            return done(soft::refuse_local(*lanes_.parts().own_tokens, sge, Access::none));  // withdrawn just now
        if (grant.location.segment != offered_last_) note_offer(grant.location.segment);
        pieces[count++] = {reinterpret_cast<std::uint64_t>(sge.buffer), sge.length, value(grant.remote_token)};
    }
    const Sge list{reinterpret_cast<std::byte*>(pieces.data()), static_cast<std::uint32_t>(count * sizeof(PullPiece)),
                   Token::none};
    soft::SgeCursor from({&list, 1});
    std::uint32_t number = 0;
    const Producer::Header header{FrameKind::pull, flags_of_whole(request), list.length, request.length_bytes};
    if (lanes_.put(header, from, number) != Put::sent) return kBlocked;
    lanes_.traffic().started.out(kFrameHeaderBytes + list.length);
    lanes_.ring_peer();
    return in_flight(number);
}

// Notes the offer of a segment. Called before the frame, so that the offer stands before the peer requests the segment.
void Outbound::note_offer(std::uint32_t segment) {
    offered_last_ = segment;
    const Held lock(offers_mutex_);
    offers_.insert(segment);
}

// Returns true if the peer has room to map the segment.
bool Outbound::may_offer(std::uint32_t segment) {
    if (segment == offered_last_) return true;
    const Held lock(offers_mutex_);
    return offers_.size() < PeerMemory::kMostFetchedFrom || offers_.contains(segment);
}

bool Outbound::offered(std::uint32_t segment) {
    const Held lock(offers_mutex_);
    return segment != 0 && offers_.contains(segment);
}

bool Outbound::carry_out(LaneState& lanes, const OutboundRequest& request) {
    if (streamed_ != 0) return false;
    if (!lanes.producer().all_known_consumed()) return carry_out_after_reading_counters(request);
    return copies_.copy_now(request);
}

bool Outbound::carry_out_after_reading_counters(const OutboundRequest& request) {
    return lanes_.producer().all_consumed() && copies_.copy_now(request);
}

StartResult Outbound::start_one_sided(const OutboundRequest& request) {
    const bool write = request.operation == Operation::write;
    if (lanes_.is_peer_closed()) return kBlocked;  // ND1-EP-GEN-21
    // ND2-QP-RDMA-02; it still proves that the peer is there (ND1-EP-READ-07).
    if (request.length_bytes == 0 && !write) return ask_to_read(request);
    if (streamed_ > 0) return stream(request, FrameKind::write, value(request.remote_token));  // goes on
    // The peer sees effects in posting order: earlier messages must be placed (ND2-QP-POST-11). So must they before a Write of no
    // bytes, which has no effect, but a result.
    if (!lanes_.producer().all_consumed()) return lanes_.refused() ? in_flight(lanes_.producer().next()) : kBlocked;
    if (request.length_bytes == 0) return done(Status::success);
    bool absent = false;
    if (copies_.copy_now(request, absent)) return done(Status::success);
    if (absent) return done(refuse_absent(request));
    return start_another_way(request, request.by_poster && !CommonWork::is_under_way());
}

// Starts a request whose memory is not mapped here: by a refusal with an explanation, by a copy by the kernel, or by
// frames.
StartResult Outbound::start_another_way(const OutboundRequest& request, bool may_be_apart) {
    switch (copies_.find_target(request)) {
        case DirectCopy::Target::refused: return done(Status::remote_access_violation);
        case DirectCopy::Target::paged: return by_frames(request);
        case DirectCopy::Target::open: break;
    }
    return may_be_apart && lanes_.peer_memory().may_copy_by_kernel() ? StartResult{Start::unlocked}
                                                                     : by_frames(request);
}

StartResult Outbound::by_frames(const OutboundRequest& request) {
    return request.operation == Operation::write ? stream(request, FrameKind::write, value(request.remote_token))
                                                 : ask_to_read(request);
}

StartResult Outbound::ask_to_read(const OutboundRequest& request) {
    std::uint32_t number = 0;
    {
        Producer& producer = lanes_.producer();
        const Held lock(lanes_.tx_lock());
        if (!producer.reserve(0)) return kBlocked;
        lanes_.reads_asked().fetch_add(1, std::memory_order_relaxed);
        number = producer.publish({FrameKind::read_request, kFirst | kLast, 0, request.length_bytes,
                                   value(request.remote_token), request.remote_address},
                                  lanes_.consumer().next());
    }
    lanes_.traffic().started.out(kFrameHeaderBytes);
    lanes_.ring_peer();
    return in_flight(kReadTicket | number);
}

// ---- requests that start without the lock, in the kernel -----------------------------------------------------------------------

StartResult Outbound::start_unlocked(const OutboundRequest& request) {
    if (request.operation == Operation::send) return place(request);
    const Status status = copies_.copy_by_kernel(request);
    switch (status) {
        case Status::would_block: return kBlocked;
        case Status::remote_access_violation: return start_another_way(request, false);
        case Status::not_supported: return by_frames(request);
        default: return done(status);
    }
}

// Places a long message out of private memory, in one copy by the kernel straight into the peer's receive: by the
// thread that posts it, which alone waits for the peer's pages (docs/decisions/0033, 0045).
StartResult Outbound::place(const OutboundRequest& request) {
    Status status = copies_.try_kernel();
    ShownReceive shown;
    if (ok(status) && !lanes_.find_shown(request.length_bytes, shown)) status = Status::not_supported;
    if (ok(status)) status = copies_.copy_to_shown(request, shown);
    if (status == Status::canceled) return done(status);
    if (!ok(status)) return stream(request, FrameKind::send, 0);
    soft::SgeCursor nothing({});
    std::uint32_t number = 0;
    const Producer::Header header{FrameKind::placed, flags_of_whole(request), 0, request.length_bytes};
    if (lanes_.put(header, nothing, number) != Put::sent) return stream(request, FrameKind::send, 0);
    lanes_.traffic().started.out(kFrameHeaderBytes + request.length_bytes);
    lanes_.ring_peer();
    return in_flight(number);
}

// ---- the outcome ----------------------------------------------------------------------------------------------------

bool Outbound::find_outcome(LaneState& lanes, soft::Ticket ticket, Status& status) {
    const auto number = static_cast<std::uint32_t>(ticket);
    const bool answered_by_frames =
        (static_cast<std::uint64_t>(ticket) & kReadTicket) != 0;  // then ReceiveTurn::read_done has the outcome
    status = Status::success;
    if (!answered_by_frames && lanes.producer().consumed(number)) return true;
    if (!lanes.is_refused(number, status)) return false;
    if (status == Status::canceled) [[unlikely]]
        explain_cancellation();
    return true;
}

// Reports once that the peer ended the connection. None of this side's requests is the cause, and each is canceled: the
// program would not learn from them why.
void Outbound::explain_cancellation() {
    if (explained_cancellation_.exchange(true, std::memory_order_relaxed)) return;
    (void)report(Status::canceled, {.object = "connection",
                                    .operation = "the peer's end of it",
                                    .asked = "requests that the peer has not taken",
                                    .limit = "a peer without a failure of its own; one of its Reads lost its memory",
                                    .remedy = "look for the failure in the peer's results and log",
                                    .requirement = "ND2-QP-RDMA-04",
                                    .cause = LogCause::peer});
}

Status Outbound::unfinished() const {
    Status status = Status::canceled;
    if ((streamed_ == 0 && !written_) || !lanes_.is_refused(lanes_.producer().next(), status)) return Status::canceled;
    return status;
}

}  // namespace opennd::local
