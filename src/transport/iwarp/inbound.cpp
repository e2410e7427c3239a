// SPDX-License-Identifier: MIT
// Inbound: arrivals, from the socket to their place. See inbound.h; inbound_end.cpp has the answers to Reads, and the ends.
#include "transport/iwarp/inbound.h"

#include <algorithm>
#include <utility>

#include "transport/iwarp/opening.h"
#include "transport/iwarp/stream/stag_check.h"
#include "transport/iwarp/wire/immediate_data.h"
#include "transport/soft/memory/memory_check.h"
#include "transport/soft/memory/ordered_copy.h"

namespace opennd::iwarp {
namespace {

// FPDUs of one receive(), before the turn of other connections (IW-PERF-05, IW-SEC-18).
constexpr int kFpdusAtOnce = 256;

// A Write or a Read Request: it makes no completion here.
bool is_without_result(std::span<const std::byte> ulpdu) {
    if (ulpdu.size() < SegmentControl::kBytes) return false;
    const Opcode opcode = SegmentControl::load(ulpdu.first<SegmentControl::kBytes>()).opcode;
    return opcode == Opcode::write || opcode == Opcode::read_request;
}

}  // namespace

Inbound::Inbound(const Below& below, const GrantedMemory& memory, SocketBuffers& buffers,
                 std::span<const std::byte> arrived)
    : stream_(below.stream),
      watching_(below.watching),
      outlet_(below.outlet),
      outbound_(below.outbound),
      memory_(memory),
      input_(stream_.agreement().crc, buffers, arrived),
      intake_(stream_.agreement().limits.inbound) {}

std::size_t Inbound::receive(soft::ReceiveTurn& turn, std::size_t budget) {
    watching_.count_receive();
    if (taking() == Taking::stopped || stream_.closed()) return 0;
    receiving_ = true;
    fetched_ = false;
    std::size_t moved = 0;
    Step step = Step::consumed;
    for (int fpdus = 0; fpdus < kFpdusAtOnce && taking() < Taking::halted; ++fpdus) {
        // Beyond the budget only FPDUs without results: the peer waits for its fence, which comes right behind a message.
        step = take_next(turn, moved < budget);
        if (step == Step::message)
            ++moved;
        else if (step != Step::consumed)
            break;
    }
    if (taking() != Taking::stopped) answer_reads(turn);
    if (taking() == Taking::halted) [[unlikely]]
        answer_and_end(turn);
    finish_receiving(step, moved > 0);
    if (!waiting_) input_.rest();
    receiving_ = false;
    return moved;
}

// Work may remain because the caller's array or the socket is full: PollerWatch finishes it if no thread polls.
void Inbound::finish_receiving(Step last, bool gave_results) {
    const bool stopped = taking() == Taking::stopped;
    const bool arrivals = last != Step::blocked && !stopped && (waiting_ || !input_.drained());
    const bool answers = owes_answers() && !stopped;
    const Outlet::Rest rest = outbound_.settle(gave_results);
    // An event tells of room, and the source of a crowd names octets that are kept.
    stream_.show_left_work(arrivals || ((answers || (rest.remains && !rest.kept)) && !rest.blocked));
    watching_.note_left(arrivals || answers || rest.remains);
}

bool Inbound::decline(soft::ReceiveTurn& turn) {
    if (receiving_ || taking() == Taking::stopped || stream_.closed()) return false;
    // A part of a message is on its way, and the memory of the rest belongs to the program again: the message can neither
    // continue nor be taken back (IW-ERR-24).
    if (outbound_.resets_in_request()) {
        stream_.end(StreamState::End::abnormal);
        set(Taking::stopped);
        watching_.tell_owner();
        return false;
    }
    declining_ = true;
    (void)receive(turn, kFpdusAtOnce);
    return stream_.broken();
}

// Takes one FPDU: one that is whole in the buffer, else one that the socket has. Without `results`, only one without a result,
// out of the buffer.
Inbound::Step Inbound::take_next(soft::ReceiveTurn& turn, bool results) {
    if (!waiting_) {
        for (;;) {
            const auto next = input_.next();
            if (!next.ok()) return fault(next.fault(), {});
            waiting_ = next.value();
            stream_.traffic().taken.set_in(input_.octets(), input_.fpdus());
            if (waiting_) break;
            if (!results || (fetched_ && input_.drained()) || !fetch()) return Step::nothing;
        }
    }
    if (!results && !is_without_result(*waiting_)) return Step::nothing;
    const Step step = take(*waiting_, turn);
    if (step == Step::blocked) {
        if (taking() == Taking::going) starve(true);
        return step;
    }
    if (taking() == Taking::starved) starve(false);
    waiting_.reset();
    stream_.count_taken();
    return step;
}

void Inbound::starve(bool starved) {
    set(starved ? Taking::starved : Taking::going);
    outbound_.note_starved(starved);
}

// Returns false if no octet arrived.
bool Inbound::fetch() {
    if (stream_.ended() != StreamState::End::none) return false;
    fetched_ = true;
    const auto received = input_.fill(stream_.socket());
    if (received.ok() && received.value() > 0) return true;
    if (received.status() == Status::would_block) return false;
    stream_.end(outlet_.find_end(received.status(), input_.at_boundary() && !sends_.open()));
    if (!received.ok()) watching_.tell_owner();  // a failure of this side alone makes no event
    return false;
}

// The responder's direction opens with the first FPDU that has a right CRC; the owner is told once its message is in order too.
Inbound::Step Inbound::take(Ulpdu ulpdu, soft::ReceiveTurn& turn) {
    outlet_.open();
    const Checked<Segment> segment = Segment::load(ulpdu, stream_.immediate());
    if (!segment.ok()) return fault(segment.fault(), ulpdu);
    const Step step = dispatch(segment.value(), turn);
    if (step != Step::stopped && !stream_.opened()) {
        stream_.open();
        watching_.tell_owner();
    }
    return step;
}

Inbound::Step Inbound::dispatch(const Segment& segment, soft::ReceiveTurn& turn) {
    switch (segment.opcode) {
        case Opcode::write: return take_write(segment, turn);
        case Opcode::read_request: return take_read_request(segment);
        case Opcode::read_response: return take_read_response(segment, turn);
        case Opcode::terminate: return take_terminate(segment);
        case Opcode::immediate_data:
        case Opcode::immediate_data_solicited: return take_immediate_data(segment, turn);
        default: return take_send(segment, turn);
    }
}

Inbound::Step Inbound::take_send(const Segment& segment, soft::ReceiveTurn& turn) {
    if (stream_.completion() == CompletionProof::receipts && carries_receipt(segment.opcode) &&
        segment.untagged.offset == 0 && !segment.immediate) {
        // The receipt comes before the Send itself: a reply never overtakes the end of the message that it answers.
        if (const auto wrong = outbound_.take_stamp(value(segment.untagged.invalidate)))
            return fault(*wrong, segment.ulpdu);
    }
    if (declining_)  // ND2-QP-FLUSH-03
        return stop(Terminate(cause({FaultKind::no_receive}), segment.ulpdu));
    std::span<const Sge> target;
    soft::ResolvedMemory memory;
    std::optional<std::uint32_t> room;
    const Status status = turn.begin_receive(0, target, memory);
    if (ok(status))
        room = static_cast<std::uint32_t>(std::min<std::uint64_t>(total_length(target), UINT32_MAX));
    else if (status != Status::would_block)
        return stop(Terminate(kUnplaceable, segment.ulpdu));
    const auto placement = sends_.accept(segment, room);
    if (placement.ok()) return place_send(segment, placement.value(), target, memory, turn);
    if (placement.fault().kind == FaultKind::no_receive) return Step::blocked;
    if (placement.fault().kind != FaultKind::message_too_long) return fault(placement.fault(), segment.ulpdu);
    // begin_receive() completes the receive with the overflow, and explains it (IW-DDP-11).
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(placement.fault().seen, UINT32_MAX));
    memory.drop();
    (void)turn.begin_receive(bytes, target, memory);
    return stop(Terminate(cause(placement.fault()), segment.ulpdu));
}

Inbound::Step Inbound::place_send(const Segment& segment, const SendPlacement& placement, std::span<const Sge> target,
                                  soft::ResolvedMemory& memory, soft::ReceiveTurn& turn) {
    const std::span<const std::byte> payload = segment.payload();
    soft::SgeCursor to(target);
    to.skip(placement.message_offset);
    const bool lengthy = payload.size() > soft::kLongCopyBytes;
    if (lengthy) turn.begin_long_copy();
    const bool placed = soft::scatter(to, payload.data(), payload.size(), placement.last);
    memory.drop();
    if (lengthy) turn.end_long_copy();
    if (!placed) [[unlikely]] {
        turn.lose_receive();
        return stop(Terminate(kUnplaceable, segment.ulpdu));
    }
    if (!placement.last) return Step::consumed;
    Token taken = Token::none;
    if (invalidates(segment.opcode)) {
        const Stag stag = segment.untagged.invalidate;
        const auto refused = check_invalidation(stag, memory_.buffer_of(stag));
        if (refused) stream_.note(cause(*refused));
        taken = to_token(stag);
        if (!ok(turn.take_away(taken)))  // ND1-EP-SINV-04
            return stop(Terminate(cause(refused.value_or(Fault{FaultKind::invalidated_stag_unknown})), segment.ulpdu));
    }
    if (segment.immediate) [[unlikely]]
        turn.receive_done(placement.message_bytes, solicited_if(is_solicited(segment.opcode)),
                          value(segment.untagged.invalidate));
    else
        turn.receive_done(placement.message_bytes, is_solicited(segment.opcode), taken);
    note_placed();
    return Step::message;
}

// The Write before it is placed: takes a receive for it (IW-IMM-02). A message that is none of OpenND's may come without one.
Inbound::Step Inbound::take_immediate_data(const Segment& segment, soft::ReceiveTurn& turn) {
    if (declining_)  // ND2-QP-FLUSH-03
        return stop(Terminate(cause({FaultKind::no_receive}), segment.ulpdu));
    {
        std::span<const Sge> target;
        soft::ResolvedMemory memory;
        std::optional<std::uint32_t> room;
        const Status status = turn.begin_receive(0, target, memory);
        if (ok(status))
            room = 0;  // they go to the result
        else if (status != Status::would_block)
            return stop(Terminate(kUnplaceable, segment.ulpdu));
        const auto placement = sends_.accept(segment, room);
        if (!placement.ok() && placement.fault().kind == FaultKind::no_receive) return Step::blocked;
        if (!placement.ok()) return fault(placement.fault(), segment.ulpdu);
    }
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(write_bytes_, UINT32_MAX));
    write_bytes_ = 0;
    turn.receive_done(bytes, opennd::Arrival::of_write | solicited_if(is_solicited(segment.opcode)),
                      ImmediateData::load(segment.payload().first<ImmediateData::kBytes>()).data);
    note_placed();
    return Step::message;
}

void Inbound::note_placed() {
    if (stream_.completion() == CompletionProof::receipts) outlet_.note_placed(input_.taken());
}

// The first message of a stream that is opened by a message: no program waits for its receipt.
bool Inbound::is_opening() const { return stream_.agreement().rtr != Rtr::none && !stream_.opened(); }

Inbound::Step Inbound::take_write(const Segment& segment, soft::ReceiveTurn& turn) {
    const std::span<const std::byte> payload = segment.payload();
    if (payload.empty()) {  // IW-SEC-10
        if (segment.receipt && stream_.completion() == CompletionProof::receipts) {
            const auto wrong = outbound_.take_receipt({segment.tagged.offset});
            return wrong ? fault(*wrong, segment.ulpdu) : Step::consumed;
        }
        if (segment.last && !is_opening()) note_placed();
        if (is_opening() && stream_.agreement().immediate && segment.tagged.offset == kTakesImmediate)
            stream_.agree_on_immediate();
        count_write(segment);
        return Step::consumed;
    }
    if (const auto refused = check_write(segment, memory_.buffer_of(segment.tagged.stag)))
        return fault(*refused, segment.ulpdu);
    const auto bytes = static_cast<std::uint32_t>(payload.size());
    std::span<const Sge> places;
    soft::ResolvedMemory memory;
    if (!memory_.find_places(segment.tagged.stag, segment.tagged.offset, bytes, Access::remote_write, places, memory))
        return fault({FaultKind::write_stag_unknown, value(segment.tagged.stag)}, segment.ulpdu);
    const bool lengthy = !declining_ && payload.size() > soft::kLongCopyBytes;
    if (lengthy) turn.begin_long_copy();
    const bool placed = soft::scatter_all(places, payload.data(), payload.size());
    memory.drop();
    if (lengthy) turn.end_long_copy();
    if (!placed) [[unlikely]] {
        (void)soft::refuse_absent("the peer's Write");
        return fault({FaultKind::write_stag_unknown, value(segment.tagged.stag)}, segment.ulpdu);
    }
    count_write(segment);
    if (segment.last) {
        note_placed();
        watching_.count_one_sided();
    }
    return Step::consumed;
}

void Inbound::count_write(const Segment& segment) {
    if (!std::exchange(write_open_, !segment.last)) write_bytes_ = 0;
    write_bytes_ += segment.payload().size();
}

Inbound::Step Inbound::take_read_request(const Segment& segment) {
    const auto request = intake_.accept(segment);
    if (!request.ok()) return fault(request.fault(), segment.ulpdu);
    if (const auto refused = check_read_source(request.value(), memory_.buffer_of(request.value().source)))
        return fault(*refused, segment.ulpdu);
    if (!questions_.make_room()) return stop(Terminate(kOwnFailure));
    Question question{request.value(), {}};
    std::copy_n(segment.ulpdu.begin(), question.ulpdu.size(), question.ulpdu.begin());
    questions_.push(question);
    if (question.request.size != 0) watching_.count_one_sided();  // else it is a fence
    return Step::consumed;
}

Inbound::Step Inbound::take_read_response(const Segment& segment, soft::ReceiveTurn& turn) {
    const std::span<const std::byte> payload = segment.payload();
    const auto placement = outbound_.accept_response(segment);
    if (!placement.ok()) return fault(placement.fault(), segment.ulpdu);
    if (!payload.empty() && !placement.value().surplus && !declining_) {
        std::span<const Sge> target;
        soft::ResolvedMemory memory;
        if (!ok(turn.read_target(target, memory))) return lose_read_target();
        soft::SgeCursor to(target);
        to.skip(placement.value().read_offset);
        const bool lengthy = payload.size() > soft::kLongCopyBytes;
        if (lengthy) turn.begin_long_copy();
        const bool placed = soft::scatter(to, payload.data(), payload.size(), placement.value().last);
        memory.drop();
        if (lengthy) turn.end_long_copy();
        if (!placed) [[unlikely]] {
            (void)soft::refuse_absent(name(Operation::read));
            return lose_read_target();
        }
    }
    if (!placement.value().last) return Step::consumed;
    const bool was_fence = outbound_.finish_read();
    if (was_fence || declining_) return Step::consumed;
    turn.read_done(Status::success);
    return Step::message;
}

// The program took the memory of the Read back (ND2-QP-RDMA-04).
Inbound::Step Inbound::lose_read_target() {
    outbound_.fail_oldest_read(Status::access_violation);
    return stop(Terminate(kOwnFailure));
}

}  // namespace opennd::iwarp
