// SPDX-License-Identifier: MIT
// See captured_channel.h.
#include "transport/capture/captured_channel.h"

#include <array>
#include <bit>
#include <new>
#include <utility>

#include "base/format.h"
#include "transport/iwarp/wire/big_endian.h"
#include "transport/soft/engine/receive_turn.h"

namespace opennd::capture {
namespace {

using iwarp::Layer;
using iwarp::Opcode;
using iwarp::Stag;
using iwarp::TerminateCause;

// A token has the octets of its STag (IW-ND-05).
Stag stag_of(Token token) {
    const auto octets = std::bit_cast<std::array<std::byte, sizeof(Token)>>(token);
    return iwarp::load_number<Stag>(octets.data());
}

Stag sink_of(std::span<const Sge> sges) { return sges.empty() ? Stag::none : stag_of(sges[0].token); }
std::uint64_t sink_offset_of(std::span<const Sge> sges) {
    return sges.empty() ? 0 : reinterpret_cast<std::uint64_t>(sges[0].buffer);
}

Opcode send_opcode(bool solicited, bool invalidating) {
    if (invalidating) return solicited ? Opcode::send_solicited_invalidate : Opcode::send_invalidate;
    return solicited ? Opcode::send_solicited : Opcode::send;
}

// Returns true for a status that the peer has told, or that its token table has.
bool is_of_peer(Status status) {
    return status == Status::remote_access_violation || status == Status::remote_data_error ||
           status == Status::timed_out || status == Status::internal_error;
}

// Returns true for a status that this side has found by itself.
bool is_of_this_side(Status status) {
    return status == Status::access_violation || status == Status::malformed_request ||
           status == Status::receive_too_small || status == Status::no_memory;
}

constexpr std::uint8_t kNoBuffer = 0x02, kMessageTooLong = 0x05, kUnspecified = 0xff;

TerminateCause cause_of(Operation operation, Status status) {
    const bool message = uses_receive(operation) || operation == Operation::receive;
    if (message && status == Status::timed_out) return {Layer::ddp, iwarp::kUntaggedBuffer, kNoBuffer};
    if (message && (status == Status::remote_data_error || status == Status::receive_too_small))
        return {Layer::ddp, iwarp::kUntaggedBuffer, kMessageTooLong};
    if (status == Status::remote_access_violation) return {Layer::rdmap, iwarp::kRemoteProtection, kUnspecified};
    if (is_of_peer(status)) return {Layer::rdmap, iwarp::kRemoteOperation, kUnspecified};
    return {Layer::rdmap, iwarp::kLocalCatastrophic, 0};
}

}  // namespace

CapturedChannel::CapturedChannel(Ref<soft::Channel> inner, const soft::ConnectionFacts& facts, Captures& captures)
    : LayeredChannel(std::move(inner)), facts_(facts), captures_(captures) {
    const Held lock(mutex_);
    (void)is_recorded();  // the connection begins in the file
}

CapturedChannel::~CapturedChannel() {
    const Held lock(mutex_);
    leave_capture();
}

// The capture that runs has this connection, unless its filter leaves it out.
bool CapturedChannel::is_recorded() const {
    Ref<Capture> running = captures_.current();
    if (running.get() != capture_.get()) {
        leave_capture();
        capture_ = std::move(running);
        if (capture_ && !closed_) flow_ = capture_->enter(facts_);
    }
    return static_cast<bool>(flow_);
}

void CapturedChannel::leave_capture() const {
    if (flow_) capture_->leave(*flow_, own());
    flow_ = nullptr;
    capture_ = nullptr;
}

// ---- requests of this side ------------------------------------------------------------------------------------------

soft::StartResult CapturedChannel::start(const soft::OutboundRequest& request) {
    return start_by(&soft::Channel::start, request);
}

soft::StartResult CapturedChannel::start_with_immediate(const soft::OutboundRequest& request, std::uint32_t immediate) {
    tell(request, immediate);
    const soft::StartResult result = inner_->start_with_immediate(request, immediate);
    tell_outcome(request, result);
    return result;
}

soft::StartResult CapturedChannel::start_unlocked(const soft::OutboundRequest& request) {
    return start_by(&soft::Channel::start_unlocked, request);
}

// Tells a request before it starts, so that an answer comes later in the file.
soft::StartResult CapturedChannel::start_by(Starter starter, const soft::OutboundRequest& request) {
    tell(request);
    const soft::StartResult result = (inner_.get()->*starter)(request);
    tell_outcome(request, result);
    return result;
}

bool CapturedChannel::abandon_start() {
    if (!LayeredChannel::abandon_start()) return false;
    const Held lock(mutex_);
    abandoned_ = true;
    return true;
}

void CapturedChannel::tell(const soft::OutboundRequest& request, std::optional<std::uint32_t> immediate) try {
    const bool first = !std::exchange(begun_, true);
    const Held lock(mutex_);
    const bool recorded = is_recorded();
    if (request.operation == Operation::read) {
        reads_.push_back({{request.sges.begin(), request.sges.end()}, request.length_bytes, std::nullopt});
        if (first && recorded)
            capture_->put_read_request(*flow_, own(),
                                       {sink_of(request.sges), sink_offset_of(request.sges), request.length_bytes,
                                        stag_of(request.remote_token), request.remote_address});
        return;
    }
    if (!first || !recorded) return;
    Message message;
    message.sges = request.sges;
    message.length_bytes = request.length_bytes;
    const bool solicited = has(request.flags, RequestFlags::solicit);
    if (is_write(request.operation)) {
        message.opcode = Opcode::write;
        message.stag = stag_of(request.remote_token);
        message.offset = request.remote_address;
    } else {
        const bool invalidating = request.operation == Operation::send_and_invalidate;
        message.opcode = send_opcode(solicited, invalidating);
        if (invalidating) message.stag = stag_of(request.remote_token);
        message.immediate = immediate;
    }
    capture_->put(*flow_, own(), own(), message);
    if (immediate && is_write(request.operation))
        capture_->put_immediate_data(*flow_, own(), own(), *immediate, solicited);
} catch (const std::bad_alloc&) {
    // The capture has a gap; the request goes on.
}

void CapturedChannel::tell_outcome(const soft::OutboundRequest& request, const soft::StartResult& result) {
    const bool goes_on = result.start == soft::Start::blocked || result.start == soft::Start::unlocked;
    begun_ = goes_on;
    if (request.operation == Operation::read) {
        const Held lock(mutex_);
        // The answer of the Read may have come already; then the Read is not listed any more.
        if (abandoned_ || reads_.empty() || reads_.back().ticket) return;
        if (result.start == soft::Start::in_flight) {
            reads_.back().ticket = result.ticket;
            return;
        }
        if (result.start == soft::Start::done && ok(result.status)) tell_answer(reads_.back());
        reads_.pop_back();
    }
    if (result.start == soft::Start::done && !ok(result.status)) tell_refusal(request.operation, result.status);
}

void CapturedChannel::tell_answer(const Read& read) try {
    if (!is_recorded()) return;
    capture_->put(*flow_, other(own()), own(),
                  {Opcode::read_response, sink_of(read.sges), sink_offset_of(read.sges), read.sges, read.length_bytes});
} catch (const std::bad_alloc&) {
    // as above
}

bool CapturedChannel::find_outcome(soft::Ticket ticket, Status& status) {
    if (!inner_->find_outcome(ticket, status)) return false;
    bool was_read = false;
    {
        const Held lock(mutex_);
        if (!reads_.empty() && reads_.front().ticket == ticket) {
            if (ok(status)) tell_answer(reads_.front());
            reads_.pop_front();
            was_read = true;
        }
    }
    if (!ok(status)) tell_refusal(was_read ? Operation::read : Operation::send, status);
    return true;
}

// ---- messages of the peer -------------------------------------------------------------------------------------------

// Receives one message at a time, so that the answer of a Read is told before the messages behind it.
std::size_t CapturedChannel::receive(soft::ReceiveTurn& turn, std::size_t budget) {
    std::size_t moved = 0;
    while (moved < budget) {
        const std::size_t more = LayeredChannel::receive(turn, 1);
        if (!inner_->broken()) find_answers(turn.reads_in_flight());
        moved += more;
        if (more == 0 || turn.responder().failed()) break;
    }
    return moved;
}

// Finds the Reads that were answered, the oldest first.
void CapturedChannel::find_answers(std::uint32_t reads_in_flight) {
    const Held lock(mutex_);
    while (unknown_reads_ + reads_.size() > reads_in_flight) {
        if (unknown_reads_ > 0) {
            --unknown_reads_;
        } else {
            tell_answer(reads_.front());
            reads_.pop_front();
        }
    }
}

void CapturedChannel::on_received(std::span<const Sge> sges, const Completion& completion) try {
    LayeredChannel::on_received(sges, completion);
    const Held lock(mutex_);
    if (!is_recorded()) return;
    const bool invalidating = completion.invalidated != Token::none;
    const Stag ended = invalidating ? stag_of(completion.invalidated) : Stag::none;
    std::optional<std::uint32_t> immediate;
    if (has(completion.arrival, Arrival::with_immediate)) immediate = completion.immediate();
    if (has(completion.arrival, Arrival::of_write))
        return capture_->put_immediate_data(*flow_, other(own()), own(), *immediate, completion.solicited());
    capture_->put(
        *flow_, other(own()), own(),
        {send_opcode(completion.solicited(), invalidating), ended, 0, sges, completion.length_bytes, immediate});
} catch (const std::bad_alloc&) {
    // The capture has a gap; the message is there.
}

void CapturedChannel::on_tapped(std::uint32_t reads_in_flight) {
    LayeredChannel::on_tapped(reads_in_flight);
    const Held lock(mutex_);
    unknown_reads_ = reads_in_flight;
}

bool CapturedChannel::decline(soft::ReceiveTurn& turn) {
    const bool declined = LayeredChannel::decline(turn);
    if (declined) tell_terminate(own(), Operation::receive, Status::timed_out);
    return declined;
}

// ---- ends -----------------------------------------------------------------------------------------------------------

void CapturedChannel::tell_refusal(Operation operation, Status status) const {
    if (is_of_peer(status)) tell_terminate(other(own()), operation, status);
}

void CapturedChannel::tell_terminate(End from, Operation operation, Status status) const try {
    const Held lock(mutex_);
    if (!is_recorded()) return;
    capture_->put_terminate(*flow_, from, cause_of(operation, status),
                            format("OpenND: {} of the program ended with {}", name(operation), name(status)));
} catch (const std::bad_alloc&) {
    // as above
}

std::uint32_t CapturedChannel::failure_code(Operation operation, Status status) const {
    if (is_of_this_side(status)) tell_terminate(own(), operation, status);
    return inner_->failure_code(operation, status);
}

void CapturedChannel::refuse(Status reason) {
    inner_->refuse(reason);
    tell_terminate(own(), Operation::receive, reason);
}

void CapturedChannel::tell_end(End first) {
    const Held lock(mutex_);
    if (!std::exchange(closed_, true) && is_recorded()) capture_->put_end(*flow_, first, own());
}

void CapturedChannel::on_peers_end() {
    LayeredChannel::on_peers_end();
    tell_end(other(own()));
}

void CapturedChannel::close() {
    inner_->close();
    tell_end(own());
}

}  // namespace opennd::capture
