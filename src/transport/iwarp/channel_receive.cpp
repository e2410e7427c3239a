// SPDX-License-Identifier: MIT
// IwarpChannel, messages coming in. Every segment passes its checks before the first octet of it is placed (IW-DDP-12),
// and the first failing check ends the stream.
#include <algorithm>

#include "transport/iwarp/channel.h"
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

std::size_t IwarpChannel::receive(soft::ReceiveTurn& turn, std::size_t budget) {
    receives_.store(receives_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (stopped_ || closed_.load(std::memory_order_relaxed)) return 0;
    receiving_ = true;
    fetched_ = false;
    std::size_t moved = 0;
    Step step = Step::consumed;
    for (int fpdus = 0; fpdus < kFpdusAtOnce && !halted_; ++fpdus) {
        // Beyond the budget only FPDUs without results: the peer waits for its fence, which comes right behind a message.
        step = take_next(turn, moved < budget);
        if (step == Step::message)
            ++moved;
        else if (step != Step::consumed)
            break;
    }
    if (!stopped_) answer_reads(turn);
    if (halted_ && !stopped_) [[unlikely]]
        say_last_words(turn);
    finish_receiving(step, moved > 0);
    if (!waiting_) input_.rest();
    receiving_ = false;
    return moved;
}

// Work may remain because the caller's array or the socket is full: PollerWatch finishes it if no thread polls. A caller with
// results posts or polls again soon: short answers and receipts of this side wait for that, and leave in the same call.
void IwarpChannel::finish_receiving(Step last, bool gave_results) {
    bool left = last != Step::blocked && !stopped_ && (waiting_ || !input_.drained());
    const bool owes_answers = this->owes_answers() && !stopped_;
    bool unfinished = left || owes_answers;
    {
        const Held lock(output_mutex_);
        fence_if_due();
        in_a_row_ = false;
        const bool polled = may_keep_output();
        const bool receipt_waits =
            owed_receipts_.may_wait(placed_.load(std::memory_order_relaxed), polled, gave_results);
        bool kept = (output_.empty() || (gave_results && polled)) && (receipt_waits || !owes_receipt());
        if (!output_.empty() || owes_receipt()) {
            kept = kept && is_kept();
            if (!kept) flush_output();
        }
        const bool output_remains = !output_.empty() || owes_receipt();
        // An event tells of room, and the source of a crowd names what is kept.
        left = left || ((owes_answers || (output_remains && !kept)) && !output_.blocked());
        unfinished = unfinished || output_remains;
    }
    unfinished_.store(unfinished, std::memory_order_relaxed);
    left_work_.store(left, std::memory_order_relaxed);
    if (unfinished && needs_watch()) keep_watch();
}

bool IwarpChannel::decline(soft::ReceiveTurn& turn) {
    if (receiving_ || stopped_ || closed_.load(std::memory_order_relaxed)) return false;
    {
        const Held lock(output_mutex_);
        // A part of a message is on its way, and the memory of the rest belongs to the program again: the message can neither
        // continue nor be taken back (IW-ERR-24).
        resets_ = framing_ == Framing::request;
    }
    if (resets_) {
        stopped_ = true;
        end(End::abnormal);
        tell_owner();
        return false;
    }
    declining_ = true;
    (void)receive(turn, kFpdusAtOnce);
    return broken();
}

// Takes one FPDU: one that is whole in the buffer, else one that the socket has. Without `results`, only one without a result,
// out of the buffer.
IwarpChannel::Step IwarpChannel::take_next(soft::ReceiveTurn& turn, bool results) {
    if (!waiting_) {
        for (;;) {
            const auto next = input_.next();
            if (!next.ok()) return fault(next.fault(), {});
            waiting_ = next.value();
            traffic_.taken.set_in(input_.octets(), input_.fpdus());
            if (waiting_) break;
            if (!results || (fetched_ && input_.drained()) || !fetch()) return Step::nothing;
        }
    }
    if (!results && !is_without_result(*waiting_)) return Step::nothing;
    const Step step = take(*waiting_, turn);
    starved_.store(step == Step::blocked, std::memory_order_relaxed);
    if (step == Step::blocked) return step;
    waiting_.reset();
    expected_.fetch_add(1, std::memory_order_relaxed);
    return step;
}

// False: no octet arrived. The end of the stream is in order between two messages alone (IW-ERR-13).
bool IwarpChannel::fetch() {
    if (ended() != End::none) return false;
    fetched_ = true;
    const auto received = input_.fill(socket_);
    if (received.ok() && received.value() > 0) return true;
    if (received.status() == Status::would_block) return false;
    End how = End::in_order;
    {
        const Held lock(output_mutex_);  // lose_output() may have found the stream broken
        if (!received.ok()) note_break(received.status());
        if (!input_.at_boundary() || sends_.open() || resets_ || reads_.in_response()) how = End::abnormal;
        if (break_ != End::none) how = break_;
    }
    end(how);
    if (!received.ok()) tell_owner();  // a failure of this side alone makes no event
    return false;
}

// The responder's direction opens with the first FPDU that has a right CRC; the owner is told once its message is in order too.
IwarpChannel::Step IwarpChannel::take(Ulpdu ulpdu, soft::ReceiveTurn& turn) {
    gate_open_.store(true, std::memory_order_release);
    const Checked<Segment> segment = Segment::load(ulpdu);
    if (!segment.ok()) return fault(segment.fault(), ulpdu);
    const Step step = dispatch(segment.value(), turn);
    if (step != Step::stopped && !opened()) {
        opened_.store(true, std::memory_order_release);
        tell_owner();
    }
    return step;
}

IwarpChannel::Step IwarpChannel::dispatch(const Segment& segment, soft::ReceiveTurn& turn) {
    switch (segment.opcode) {
        case Opcode::write: return take_write(segment, turn);
        case Opcode::read_request: return take_read_request(segment);
        case Opcode::read_response: return take_read_response(segment, turn);
        case Opcode::terminate: return take_terminate(segment);
        default: return take_send(segment, turn);
    }
}

IwarpChannel::Step IwarpChannel::take_send(const Segment& segment, soft::ReceiveTurn& turn) {
    if (completion_ == Completion::receipts && carries_receipt(segment.opcode) && segment.untagged.offset == 0) {
        if (const Step step = take_stamp(segment); step == Step::stopped) return step;
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

IwarpChannel::Step IwarpChannel::place_send(const Segment& segment, const SendPlacement& placement,
                                            std::span<const Sge> target, soft::ResolvedMemory& memory,
                                            soft::ReceiveTurn& turn) {
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
        const auto refused = check_invalidation(stag, buffer_of(stag));
        if (refused) note(cause(*refused));
        taken = to_token(stag);
        if (!ok(turn.take_away(taken)))  // ND1-EP-SINV-04
            return stop(Terminate(cause(refused.value_or(Fault{FaultKind::invalidated_stag_unknown})), segment.ulpdu));
    }
    turn.receive_done(placement.message_bytes, is_solicited(segment.opcode), taken);
    note_placed();
    return Step::message;
}

void IwarpChannel::note_placed() {
    if (completion_ == Completion::receipts) placed_.store(input_.taken(), std::memory_order_release);
}

// The receipt in the header of a Send, before the Send itself: a reply never overtakes the end of the message that it answers.
IwarpChannel::Step IwarpChannel::take_stamp(const Segment& segment) {
    Receipt receipt;
    {
        const Held lock(output_mutex_);
        receipt = peer_receipts_.widened(value(segment.untagged.invalidate));
        if (receipt.placed == peer_receipts_.placed()) return Step::consumed;
    }
    return take_receipt(receipt, segment.ulpdu);
}

IwarpChannel::Step IwarpChannel::take_receipt(const Receipt& receipt, Ulpdu ulpdu) {
    std::optional<Fault> wrong;
    {
        const Held lock(output_mutex_);
        wrong = peer_receipts_.accept(receipt, output_.sent());
        if (!wrong) confirm_known();
    }
    return wrong ? fault(*wrong, ulpdu) : Step::consumed;
}

IwarpChannel::Step IwarpChannel::take_write(const Segment& segment, soft::ReceiveTurn& turn) {
    const std::span<const std::byte> payload = segment.payload();
    if (payload.empty()) {  // IW-SEC-10
        if (segment.receipt && completion_ == Completion::receipts)
            return take_receipt({segment.tagged.offset}, segment.ulpdu);
        if (segment.last && !is_opening()) note_placed();
        return Step::consumed;
    }
    if (const auto refused = check_write(segment, buffer_of(segment.tagged.stag)))
        return fault(*refused, segment.ulpdu);
    const auto bytes = static_cast<std::uint32_t>(payload.size());
    std::span<const Sge> places;
    soft::ResolvedMemory memory;
    if (!find_places(segment.tagged.stag, segment.tagged.offset, bytes, Access::remote_write, places, memory))
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
    if (segment.last) {
        note_placed();
        note_one_sided();
    }
    return Step::consumed;
}

void IwarpChannel::note_one_sided() {
    one_sided_.store(one_sided_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

IwarpChannel::Step IwarpChannel::take_read_request(const Segment& segment) {
    const auto request = intake_.accept(segment);
    if (!request.ok()) return fault(request.fault(), segment.ulpdu);
    if (const auto refused = check_read_source(request.value(), buffer_of(request.value().source)))
        return fault(*refused, segment.ulpdu);
    if (!questions_.make_room()) return stop(Terminate({Layer::rdmap, kLocalCatastrophic, 0}));
    Question question{request.value(), {}};
    std::copy_n(segment.ulpdu.begin(), question.ulpdu.size(), question.ulpdu.begin());
    questions_.push(question);
    if (question.request.size != 0) note_one_sided();  // else it is a fence
    return Step::consumed;
}

IwarpChannel::Step IwarpChannel::take_read_response(const Segment& segment, soft::ReceiveTurn& turn) {
    const std::span<const std::byte> payload = segment.payload();
    const auto placement = accept_response(segment);
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
    const bool was_fence = finish_read();
    if (was_fence || declining_) return Step::consumed;
    turn.read_done(Status::success);
    return Step::message;
}

// A faulty response fails the oldest Read (IW-NEG-99 to -104).
Checked<ResponsePlacement> IwarpChannel::accept_response(const Segment& segment) {
    const Held lock(output_mutex_);
    auto placement = reads_.accept(segment);
    if (!placement.ok()) fail_oldest_read(Status::remote_data_error);
    return placement;
}

// The program took the memory of the Read back (ND2-QP-RDMA-04).
IwarpChannel::Step IwarpChannel::lose_read_target() {
    {
        const Held lock(output_mutex_);
        fail_oldest_read(Status::access_violation);
    }
    return stop(Terminate({Layer::rdmap, kLocalCatastrophic, 0}));
}

// A response proves that all messages before its Read are placed. True: the Read was a fence.
bool IwarpChannel::finish_read() {
    const Held lock(output_mutex_);
    const OpenRead read = open_reads_.front();
    open_reads_.pop();
    confirm(read.number);
    confirm_known();  // messages behind the Read waited for it
    if (!read.fence) return false;
    --fences_open_;
    return true;
}

TaggedBuffer IwarpChannel::buffer_of(Stag stag) const {
    soft::MemoryGrant grant;
    if (!tokens_.find_remote(to_token(stag), grant)) return {};
    TaggedBuffer buffer;
    buffer.standing = grant.open_to(scope_) ? TaggedBuffer::Standing::ours : TaggedBuffer::Standing::foreign;
    buffer.base = grant.address;
    buffer.length = grant.length;
    if (grant.length == 0) [[unlikely]]
        return paged_buffer_of(stag, grant, buffer);
    buffer.remote_read = any_of(grant.access, Access::remote_read);
    buffer.remote_write = any_of(grant.access, Access::remote_write);
    buffer.remote_invalidate = grant.scope != 0;  // a window
    return buffer;
}

// The same for memory that is reached through pages.
TaggedBuffer IwarpChannel::paged_buffer_of(Stag stag, const soft::MemoryGrant& grant, TaggedBuffer buffer) const {
    const soft::PageUse use = tokens_.use_remote(to_token(stag));
    if (!use) return {};
    buffer.base = use->base();
    buffer.length = use->length();
    buffer.remote_read = any_of(use->access(), Access::remote_read);
    buffer.remote_write = any_of(use->access(), Access::remote_write);
    buffer.remote_invalidate = grant.scope != 0 || use->fast();
    return buffer;
}

// The places of checked memory. False: it was withdrawn since the check.
bool IwarpChannel::find_places(Stag stag, std::uint64_t from, std::uint32_t bytes, Access wanted,
                               std::span<const Sge>& places, soft::ResolvedMemory& memory) const {
    soft::MemoryGrant grant;
    if (!tokens_.find_remote(to_token(stag), grant)) return false;
    if (grant.length == 0) return memory.resolve_remote(tokens_, to_token(stag), from, bytes, wanted, places);
    places = memory.plain(from, bytes);
    return true;
}

}  // namespace opennd::iwarp
