// SPDX-License-Identifier: MIT
// Inbound: see inbound.h.
#include "transport/local/inbound.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "base/explanation.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/memory/ordered_copy.h"

namespace opennd::local {
namespace {

// The frames between two updates of the consumed count, so that a producer does not run out of room while this side is
// behind.
constexpr std::uint32_t kFramesBetweenNews = 8;
// The most Reads of the peer at once: no side takes more (AdapterLimits::max_inbound_reads).
constexpr std::size_t kMostQuestions = 256;

Arrival arrival_of(const Consumer::Header& frame) { return solicited_if((frame.flags & kSolicited) != 0); }

}  // namespace

// Takes a message of one frame.
inline Inbound::Step Inbound::take_whole_send(const Consumer::Header& frame, soft::ReceiveTurn& turn) {
    std::span<const Sge> target;
    if (!turn.begin_plain_receive(frame.length, target)) [[unlikely]]
        return place_whole_send(frame, turn);
    if (!soft::scatter_all(target, frame.payload, frame.length)) [[unlikely]]
        return lose_receive(turn);
    turn.receive_done(frame.length, (frame.flags & kSolicited) != 0);
    return Step::message;
}

// Refuses a message because the memory of its receive is gone.
Inbound::Step Inbound::lose_receive(soft::ReceiveTurn& turn) {
    turn.lose_receive();
    return stop(Status::remote_data_error);
}

Inbound::Step Inbound::place_whole_send(Consumer::Header frame, soft::ReceiveTurn& turn) {
    {
        std::span<const Sge> target;
        soft::ResolvedMemory memory;
        const Status status = turn.begin_receive(frame.length, target, memory);
        if (status == Status::would_block) return Step::blocked;
        if (!ok(status)) return stop(Status::remote_data_error);  // ND2-QP-SEND-07, ND2-QP-RECV-02
        if (!soft::scatter_all(target, frame.payload, frame.length)) return lose_receive(turn);
    }
    turn.receive_done(frame.length, (frame.flags & kSolicited) != 0);
    return Step::message;
}

std::size_t Inbound::receive(LaneState& lanes, soft::ReceiveTurn& turn, std::size_t budget) {
    Producer& producer = lanes.producer();
    Consumer& consumer = lanes.consumer();
    std::size_t moved = 0;
    std::uint32_t parts = 0;  // a peer can send parts without end that complete no message
    std::uint64_t octets = 0, frames = 0;
    lanes.set_waits_for_peer(false);
    if (taking_ == Taking::nothing) return 0;
    lanes.enter_access(lanes.out().access.taking, 1);  // a producer that takes frames back waits, or has hidden them
    if (taking_ == Taking::beside_questions) [[unlikely]] {
        moved = answer_those_put_off(turn);
        if (lanes.broken()) budget = 0;
    }
    bool waits = false;
    Consumer::Header frame;
    while (moved < budget && consumer.peek(frame)) {
        producer.acknowledge(frame.acknowledged);
        const Step step = is_whole_and_short(frame) ? take_whole_send(frame, turn) : take(frame, turn);
        if (step == Step::blocked || step == Step::stopped) {
            waits = true;
            break;
        }
        consumer.advance(frame);
        octets += kFrameHeaderBytes + frame.length;
        ++frames;
        if (consumer.unpublished() >= kFramesBetweenNews) publish_consumed(lanes);
        if (step == Step::message) {
            ++moved;
            continue;
        }
        lanes.watch_next_frame();
        if (++parts == kFrames) break;
    }
    if (frames != 0) {
        lanes.watch_next_frame();
        // A thread that looked until now may have seen an older frame, and left a newer one to this thread.
        if (!waits && moved != 0 && moved < budget && consumer.has_next()) [[unlikely]]
            turn.receive_again();
        lanes.traffic().taken.in(octets, frames);
    }
    if (taking_ == Taking::beside_questions) [[unlikely]]
        show_arrivals();
    publish_consumed(lanes);
    lanes.out().access.taking.store(0, std::memory_order_release);
    lanes.give_back_surplus();
    return moved;
}

// Returns true in the common case: a message of one frame.
bool Inbound::is_whole_and_short(const Consumer::Header& frame) const {
    return frame.kind == FrameKind::send && (frame.flags & (kFirst | kLast)) == (kFirst | kLast) &&
           frame.length <= sizeof(Frame::payload) && !message_.active;
}

Inbound::Step Inbound::take(Consumer::Header frame, soft::ReceiveTurn& turn) {
    lanes_.watch_next_frame();  // a long copy lets other threads look meanwhile
    if (!frame.payload) return break_off("a frame names a chunk that is none, or is too small for its payload");
    switch (frame.kind) {
        case FrameKind::send:
        case FrameKind::send_immediate:
        case FrameKind::send_invalidating: return take_send(frame, turn);
        case FrameKind::written: return take_written(frame, turn);
        case FrameKind::pull: return take_pull(frame, turn);
        case FrameKind::write: return take_write(frame, turn);
        case FrameKind::read_request: return take_read_request(frame, turn);
        case FrameKind::read_reply: return take_read_reply(frame, turn);
        case FrameKind::withdrawn: return pass_over(turn);
        case FrameKind::receive_shown: return take_shown(frame);
        case FrameKind::placed: return take_placed(frame, turn);
    }
    return break_off("a frame of unknown kind");
}

// Passes over a frame that the producer took back, maybe in the middle of a message: its receive waits for the next
// message.
Inbound::Step Inbound::pass_over(soft::ReceiveTurn& turn) {
    message_.active = false;
    turn.stop_waiting();
    return Step::consumed;
}

// Finds the posted receive for a message.
Inbound::Step Inbound::begin_message(std::uint32_t total, bool solicited, soft::ReceiveTurn& turn,
                                     std::span<const Sge>& target, soft::ResolvedMemory& memory) {
    const Status status = turn.begin_receive(total, target, memory);
    if (status == Status::would_block) return Step::blocked;
    if (!ok(status)) return stop(Status::remote_data_error);  // ND2-QP-SEND-07, ND2-QP-RECV-02
    message_.active = true;
    message_.solicited = solicited;
    message_.total = total;
    message_.placed = 0;
    fetched_ = 0;
    return Step::consumed;
}

Inbound::Step Inbound::take_send(const Consumer::Header& frame, soft::ReceiveTurn& turn) {
    const bool first = (frame.flags & kFirst) != 0, last = (frame.flags & kLast) != 0;
    if (first == message_.active) return break_off("a message begins within another, or goes on without a beginning");
    const bool invalidates = frame.kind == FrameKind::send_invalidating;
    const bool plain = frame.kind == FrameKind::send;
    if (first && last && plain) return take_whole_send(frame, turn);
    std::span<const Sge> target;
    soft::ResolvedMemory memory;
    if (first) {
        const Step step = begin_message(frame.total(), false, turn, target, memory);
        if (step != Step::consumed) return step;
    } else if (!ok(turn.continue_receive(target, memory))) {
        return stop(Status::remote_data_error);
    }
    const std::uint32_t left = message_.total - message_.placed;
    if (frame.length > left || last != (frame.length == left)) return break_off("the parts of a message do not add up");
    soft::SgeCursor to(target);
    to.skip(message_.placed);
    const bool lengthy = message_.total > soft::kLongCopyBytes;
    if (lengthy) turn.begin_long_copy();
    const bool placed = soft::scatter(to, frame.payload, frame.length, last);
    memory.drop();
    if (lengthy) turn.end_long_copy();
    if (!placed) return lose_receive(turn);
    message_.placed += frame.length;
    if (!last) return Step::consumed;
    message_.active = false;
    const Token taken = invalidates ? static_cast<Token>(frame.token()) : Token::none;
    if (invalidates && !ok(turn.take_away(taken))) return stop(Status::malformed_request);  // ND1-EP-SINV-04
    if (frame.kind == FrameKind::send_immediate)
        turn.receive_done(message_.total, arrival_of(frame), frame.token());
    else
        turn.receive_done(message_.total, (frame.flags & kSolicited) != 0, taken);
    if (lengthy) show_next_receive(turn);
    return Step::message;
}

// Takes the notice of a Write that is placed, by the producer or by frames before this one.
Inbound::Step Inbound::take_written(const Consumer::Header& frame, soft::ReceiveTurn& turn) {
    if (message_.active || frame.length != 0)
        return break_off("the notice of a Write within a message, or with payload");
    {
        std::span<const Sge> target;
        soft::ResolvedMemory memory;
        const Status status = turn.begin_receive(0, target, memory);
        if (status == Status::would_block) return Step::blocked;
        if (!ok(status)) return stop(Status::remote_data_error);
    }
    turn.receive_done(frame.total(), arrival_of(frame) | Arrival::of_write, frame.token());
    return Step::message;
}

Inbound::Step Inbound::take_shown(const Consumer::Header& frame) {
    ShownReceive shown;
    if (frame.length != sizeof shown) return break_off("a shown receive has an impossible length");
    std::memcpy(&shown, frame.payload, sizeof shown);
    lanes_.take_shown(shown);
    return Step::consumed;
}

// Takes a message that the peer has put into the receive, or claims to have put there: then the receive has its earlier
// content.
Inbound::Step Inbound::take_placed(const Consumer::Header& frame, soft::ReceiveTurn& turn) {
    if (message_.active || !lanes_.has_shown()) return break_off("a message placed into no shown receive");
    const std::uint32_t total = frame.total();
    {
        std::span<const Sge> target;
        soft::ResolvedMemory memory;
        const Status status = turn.begin_receive(total, target, memory);
        if (status == Status::would_block) return Step::blocked;
        if (!ok(status)) return stop(Status::remote_data_error);
    }
    lanes_.traffic().taken.in(total);
    turn.receive_done(total, (frame.flags & kSolicited) != 0);
    show_next_receive(turn);
    return Step::message;
}

// Shows the peer the next receive: after a long message the next one may be long, too. A peer that sleeps is not woken
// for it: it would not be quicker.
void Inbound::show_next_receive(soft::ReceiveTurn& turn) {
    std::span<const Sge> target;
    if (!lanes_.places() || lanes_.bell().peer_sleeps()) return;
    if (!turn.next_receive(soft::kLongCopyBytes + 1, target)) return;
    soft::MemoryGrant grant;
    if (!lanes_.parts().own_tokens->find_local(target[0].token, grant) || grant.remote_token == Token::none) return;
    lanes_.show(reinterpret_cast<std::uint64_t>(target[0].buffer), target[0].length, grant.remote_token);
}

Inbound::Step Inbound::take_pull(const Consumer::Header& frame, soft::ReceiveTurn& turn) {
    std::array<PullPiece, kMaxPullPieces> list;
    const std::size_t count = frame.length / sizeof(PullPiece);
    if (count == 0 || count > list.size() || frame.length % sizeof(PullPiece) != 0)
        return break_off("a list of memory to fetch has an impossible length");
    std::memcpy(list.data(), frame.payload, frame.length);
    const std::span<const PullPiece> pieces = std::span(list).first(count);
    std::uint64_t sum = 0;
    for (const PullPiece& piece : pieces) sum += piece.length;
    std::span<const Sge> target;
    soft::ResolvedMemory memory;
    if (message_.active) {
        if (sum != message_.total || fetched_ > count) return break_off("the memory to fetch changed");
        if (!ok(turn.continue_receive(target, memory))) return stop(Status::remote_data_error);
    } else {
        const std::uint32_t total = frame.total();
        if (sum != total) return break_off("the memory to fetch does not add up to the message");
        const Step step = begin_message(total, (frame.flags & kSolicited) != 0, turn, target, memory);
        if (step != Step::consumed) return step;
    }
    turn.begin_long_copy();
    const Status status = fetch(pieces, target);
    memory.drop();
    turn.end_long_copy();
    if (!lanes_.parts().asymmetric)
        full_barrier();                      // the bytes were fetched before this look (tests/protocols/given_up.pml)
    if (!lanes_.consumer().stands(frame)) {  // the message was taken back: the fetched bytes are not its
        message_.active = false;
        return Step::blocked;
    }
    if (status == Status::remote_data_error) return lose_receive(turn);
    const Step step = fetched(status);
    if (step != Step::message) return step;
    if (message_.placed != message_.total) return break_off("the memory to fetch changed");
    lanes_.traffic().taken.in(message_.total);
    message_.active = false;
    turn.receive_done(message_.total, message_.solicited);
    return Step::message;
}

// Copies the peer's memory into the receive, piece by piece; continues where it stopped for a segment that was not mapped.
Status Inbound::fetch(std::span<const PullPiece> pieces, std::span<const Sge> target) {
    Status status = Status::success;
    while (fetched_ < pieces.size() && ok(status)) {
        if (pieces[fetched_].length > message_.total - message_.placed) break;  // the peer has changed the list
        status = fetch_piece(pieces[fetched_], target, message_.placed);
        if (!ok(status)) break;
        message_.placed += pieces[fetched_].length;
        ++fetched_;
    }
    return status;
}

Inbound::Step Inbound::fetched(Status status) {
    if (ok(status)) return Step::message;
    if (status == Status::would_block) return wait_for_peer();
    (void)report(status, {.object = "queue pair",
                          .operation = "Receive",
                          .asked = phrase("a message of {} bytes out of the sender's memory", message_.total),
                          .limit = "memory that the sender keeps registered until its Send completes, and that can be "
                                   "mapped here",
                          .remedy = "let the sender deregister after it has the result, and see to address space here",
                          .requirement = "ND2-QP-RDMA-04",
                          .cause = LogCause::peer});
    return stop(Status::access_violation);
}

// Copies one piece. would_block: the segment was requested. remote_data_error: the memory of the receive is gone. The
// sender's token is checked while the access is marked, as for a Read.
Status Inbound::fetch_piece(const PullPiece& piece, std::span<const Sge> target, std::uint64_t skip) {
    const auto token = static_cast<Token>(piece.token);
    lanes_.enter_access(lanes_.out().access.fetching, piece.token);
    Status status = Status::access_violation;
    const soft::TokenSlot& slot = lanes_.parts().peer_tokens.slot(token);
    if (token != Token::none && slot.remote_token.load(std::memory_order_acquire) == piece.token) {
        const soft::MemoryGrant grant = slot.grant();  // of a region: Sends name no windows
        soft::SharedLocation location = grant.location;
        location.offset += piece.address - grant.address;
        const std::byte* const source = grant.covers(piece.address, piece.length)
                                            ? lanes_.peer_memory().find(piece.address, piece.length, location)
                                            : nullptr;
        if (source) {
            soft::SgeCursor to(target);
            to.skip(skip);
            if (soft::scatter(to, source, piece.length, skip + piece.length == message_.total))
                status = Status::success;
            else if (!is_absent_in(source, piece.length))
                status = Status::remote_data_error;
        } else if (grant.covers(piece.address, piece.length) && location.segment != 0 &&
                   !lanes_.peer_memory().is_lost(piece.length, location)) {
            lanes_.peer_memory().ask_to_fetch(location.segment);
            status = Status::would_block;
        }
    }
    lanes_.out().access.fetching.store(0, std::memory_order_release);
    return status;
}

Inbound::Step Inbound::take_write(const Consumer::Header& frame, soft::ReceiveTurn& turn) {
    std::span<const Sge> places;
    soft::ResolvedMemory memory;
    const Status status = turn.check_remote(static_cast<Token>(frame.token()), frame.address(), frame.length,
                                            Access::remote_write, places, memory);
    if (!ok(status)) return stop(Status::remote_access_violation);  // ND2-QP-RDMA-03
    if (!soft::scatter_all(places, frame.payload, frame.length)) {
        turn.lose_remote(Access::remote_write);
        return stop(Status::remote_access_violation);
    }
    return (frame.flags & kLast) != 0 ? Step::message : Step::consumed;
}

Inbound::Step Inbound::take_read_request(const Consumer::Header& frame, soft::ReceiveTurn& turn) {
    Question question{frame.number, static_cast<Token>(frame.token()), frame.address(), frame.total(), answered_};
    if (!questions_.empty()) return put_off(question);
    if (answered_ > question.total) return break_off("a question changed while it was answered");
    const Step step = answer(question, turn);
    answered_ = step == Step::blocked ? question.answered : 0;
    // Answers to this side may lie behind the question, and the peer, in the same way, waits for room until they are taken.
    const bool waits_itself = lanes_.reads_asked().load(std::memory_order_relaxed) != 0;
    return step == Step::blocked && waits_itself ? put_off(question) : step;
}

// Answers a Read of the peer. blocked: there is no room for the rest now.
Inbound::Step Inbound::answer(Question& question, soft::ReceiveTurn& turn) {
    const std::uint32_t total = question.total;
    std::span<const Sge> places;
    soft::ResolvedMemory memory;
    Status status = Status::success;
    if (total != 0)  // ND2-QP-RDMA-02
        status = turn.check_remote(question.token, question.address, total, Access::remote_read, places, memory);
    if (!ok(status)) return stop(question.number, Status::remote_access_violation);
    soft::SgeCursor from(places);
    from.skip(question.answered);
    do {
        const std::uint32_t part = std::min(kMostPayload, total - question.answered);
        auto flags = static_cast<std::uint8_t>(question.answered == 0 ? kFirst : 0);
        if (question.answered + part == total) flags |= kLast;
        std::uint32_t number = 0;
        const LaneState::Put put_part = lanes_.put({FrameKind::read_reply, flags, part, total}, from, number);
        if (put_part == LaneState::Put::absent) {
            turn.lose_remote(Access::remote_read);
            return stop(question.number, Status::remote_access_violation);
        }
        lanes_.ring_peer();
        if (put_part == LaneState::Put::no_room) return wait_for_peer();
        lanes_.traffic().taken.out(kFrameHeaderBytes + part);
        question.answered += part;
    } while (question.answered < total);
    return Step::message;
}

// Puts a Read off: the peer's later requests may overtake it (ND2-QP-POST-11). If there is no memory, the question
// stays at the front.
Inbound::Step Inbound::put_off(const Question& question) {
    if (questions_.size() == kMostQuestions) return break_off("more Reads than this side takes at once");
    try {
        questions_.push_back(question);
    } catch (const std::bad_alloc&) {
        return wait_for_peer();
    }
    taking_ = Taking::beside_questions;
    answered_ = 0;
    return Step::consumed;
}

// Answers the Reads that were put off, and returns their number. The last of them may have broken the connection.
std::size_t Inbound::answer_those_put_off(soft::ReceiveTurn& turn) {
    std::size_t answered = 0;
    while (!questions_.empty() && answer(questions_.front(), turn) == Step::message) {
        questions_.erase(questions_.begin());
        ++answered;
    }
    show_arrivals();
    return answered;
}

// Shows an arrival while answers wait for room, so that a poll finds something to do.
void Inbound::show_arrivals() {
    const bool waits = !questions_.empty();
    if (!waits && taking_ == Taking::beside_questions) taking_ = Taking::freely;
    if (waits) lanes_.set_waits_for_peer(true);
    lanes_.watch_next_frame();
    if (waits) lanes_.show_arrival();
}

Inbound::Step Inbound::take_read_reply(const Consumer::Header& frame, soft::ReceiveTurn& turn) {
    const bool first = (frame.flags & kFirst) != 0, last = (frame.flags & kLast) != 0;
    if (first == reply_.active) return break_off("an answer begins within another, or goes on without a beginning");
    // The answer is for the oldest Read in flight: earlier ones are done.
    if (lanes_.reads_asked().load(std::memory_order_relaxed) == 0) return break_off("an answer to no Read");
    std::span<const Sge> target;
    soft::ResolvedMemory memory;
    if (const Status status = turn.read_target(target, memory); !ok(status)) {
        turn.read_done(status);
        // The cause is this side, and no request of the peer (ND2-QP-RDMA-04).
        return stop(Status::canceled);
    }
    if (first) {
        reply_.active = true;
        reply_.placed = 0;
        reply_.total = static_cast<std::uint32_t>(total_length(target));
    }
    const std::uint32_t left = reply_.total - reply_.placed;
    if (frame.length > left || last != (frame.length == left)) return break_off("an answer does not fit its Read");
    soft::SgeCursor to(target);
    to.skip(reply_.placed);
    if (!soft::scatter(to, frame.payload, frame.length, last)) {
        turn.read_done(soft::refuse_absent(name(Operation::read)));
        return stop(Status::canceled);  // as above
    }
    reply_.placed += frame.length;
    if (!last) return Step::consumed;
    reply_.active = false;
    lanes_.reads_asked().fetch_sub(1, std::memory_order_relaxed);
    turn.read_done(Status::success);
    return Step::message;
}

void Inbound::refuse(Status reason) { refuse_at(lanes_.consumer().next(), reason); }

void Inbound::refuse_at(std::uint32_t frame, Status reason) {
    if (taking_ == Taking::nothing) return;
    taking_ = Taking::nothing;
    publish_consumed(lanes_);
    lanes_.consumer().refuse(frame, static_cast<std::uint32_t>(reason));
    lanes_.ring_peer();
}

void Inbound::publish_consumed(LaneState& lanes) {
    if (lanes.consumer().unpublished() == 0) return;
    lanes.consumer().publish();
    lanes.ring_peer();
}

Inbound::Step Inbound::wait_for_peer() {
    lanes_.set_waits_for_peer(true);
    return Step::blocked;
}

// Refuses the message at the front, or an earlier Read, and with it the connection.
Inbound::Step Inbound::stop(std::uint32_t frame, Status reason) {
    refuse_at(frame, reason);
    lanes_.break_off();
    return Step::stopped;
}

Inbound::Step Inbound::break_off(const char* rule) {
    (void)report(Status::remote_data_error, {.object = "connection",
                                             .operation = "receiving",
                                             .asked = rule,
                                             .limit = "the rules of the shared segment; the connection ends",
                                             .remedy = "use the same version of OpenND in both programs",
                                             .requirement = "ND2-CON-CONN-05",
                                             .cause = LogCause::peer});
    return stop(Status::remote_data_error);
}

}  // namespace opennd::local
