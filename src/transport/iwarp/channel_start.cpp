// SPDX-License-Identifier: MIT
// IwarpChannel, requests going out: each becomes one message, cut into FPDUs that leave together. The peer's receipt, or the answer
// of the fence behind the message, proves that the peer has placed it. Receipts for the peer's messages go out with them.
#include <algorithm>
#include <chrono>
#include <new>

#include "transport/iwarp/channel.h"
#include "transport/iwarp/opening.h"

namespace opennd::iwarp {
namespace {

using soft::OutboundRequest;
using soft::Start;
using soft::StartResult;

// Octets of a long message between two writes to the socket.
constexpr std::size_t kPartBytes = 128 * 1024;
constexpr std::uint32_t kMostFences = 8;
// The most octets that a poller may leave in the slab until its next call.
constexpr std::size_t kKeptBytes = 16 * 1024;
// As many messages on their way make a row: the peer's receipts for them come soon.
constexpr std::uint64_t kRow = 8;
// An initiator without an arrival opens the stream again after kFirstPatience, then each time after twice as long, up to
// kLastPatience.
constexpr std::chrono::milliseconds kFirstPatience{200}, kLastPatience{1600};

constexpr StartResult kBlocked{Start::blocked, Status::success, {}};

Opcode opcode_of(const OutboundRequest& request) {
    const bool solicited = has(request.flags, RequestFlags::solicit);
    if (request.operation == Operation::write) return Opcode::write;
    if (request.operation == Operation::send_and_invalidate)
        return solicited ? Opcode::send_solicited_invalidate : Opcode::send_invalidate;
    return solicited ? Opcode::send_solicited : Opcode::send;
}

}  // namespace

StartResult IwarpChannel::start(const OutboundRequest& request) {
    if (!gate_open_.load(std::memory_order_acquire)) return kBlocked;  // IW-CM-07, -12
    for (;;) {
        const Held lock(output_mutex_);
        const bool peer_ended = ended() != End::none && !outlives_end_.load(std::memory_order_relaxed);
        if (sealed_ || closed_.load(std::memory_order_relaxed) || peer_ended || framing_ == Framing::response)
            return kBlocked;
        if (framing_ == Framing::nothing) {
            if (request.operation == Operation::read) return start_read(request);
            if (!begin_message(request)) return kBlocked;
        }
        const Framed framed = frame_part(request.sges);
        if (framed == Framed::whole) return begun(sent_.newest());
        if (framed == Framed::absent) [[unlikely]]  // the message stays unfinished, and nothing is framed behind it
            return {Start::done, soft::refuse_absent(name(request.operation)), {}};
        if (output_.blocked()) return kBlocked;
    }
}

// With local completion the message may be complete already: report it now, no later event will.
StartResult IwarpChannel::begun(std::uint64_t message) const {
    if (message <= confirmed_.load(std::memory_order_relaxed)) return {Start::done};
    return {Start::in_flight, Status::success, ticket_of(message, false)};
}

// False: no room for its first segment.
bool IwarpChannel::begin_message(const OutboundRequest& request) {
    fit_segments(request.length_bytes);
    if (!make_room(std::min(mulpdu_, request.length_bytes + UntaggedHeader::kBytes))) return false;
    const Opcode opcode = opcode_of(request);
    const Stag stag = to_stag(request.remote_token);
    SentMessage message{opcode, 0, stag, request.remote_address, request.length_bytes, 0};
    if (opcode == Opcode::write) {
        segmenter_.emplace(opcode, TaggedHeader{stag, request.remote_address}, request.length_bytes);
    } else {
        message.msn = send_msn_++;  // IW-DDP-07
        segmenter_.emplace(opcode, message.msn, stag, request.length_bytes);
    }
    sent_.begin(message);
    framing_ = Framing::request;
    owed_receipts_.message_begins(placed_.load(std::memory_order_acquire));
    return true;
}

// A message of several segments is cut to the path's current segment size (IW-CM-03, IW-DDP-06).
void IwarpChannel::fit_segments(std::size_t length_bytes) {
    if (length_bytes + UntaggedHeader::kBytes > mulpdu_) mulpdu_ = mulpdu(socket_.segment_bytes(), agreement_.markers);
}

// absent: memory of the message is gone, and its rest with it.
IwarpChannel::Framed IwarpChannel::frame_part(std::span<const Sge> sges) {
    for (std::size_t framed = 0; !segmenter_->done();) {
        if (!make_room(mulpdu_)) return Framed::part;
        OutboundSegment segment = segmenter_->next(mulpdu_);
        stamp(segment);
        soft::SgeCursor payload(sges);
        payload.skip(segment.message_offset);
        if (!output_.put(segment.header(), payload, segment.payload_bytes)) [[unlikely]]
            return Framed::absent;
        framed += segment.payload_bytes;
        if (framed >= kPartBytes && !segmenter_->done()) {
            flush_output();
            return Framed::part;
        }
    }
    framing_ = Framing::nothing;
    sent_.framed(output_.framed());
    fence_if_due();
    flush_unless_more_follows();
    return Framed::whole;
}

StartResult IwarpChannel::start_read(const OutboundRequest& request) {
    if (outlives_end_.load(std::memory_order_relaxed))
        return {Start::done, Status::canceled, {}};                              // no answer can come
    if (reads_.full() || !make_room(ReadRequest::kUlpduBytes)) return kBlocked;  // IW-RDMAP-14
    if (!reads_.make_room() || !open_reads_.make_room()) [[unlikely]]
        return {Start::done, Status::insufficient_resources, {}};
    const Stag sink = next_sink();
    const std::uint64_t number = sent_.begin({Opcode::read_request, read_msn_, sink, 0, request.length_bytes, 0});
    put_read_request({sink, 0, request.length_bytes, to_stag(request.remote_token), request.remote_address}, number,
                     false);
    sent_.framed(output_.framed());
    flush_unless_more_follows();
    return {Start::in_flight, Status::success, ticket_of(number, true)};
}

void IwarpChannel::put_read_request(const ReadRequest& request, std::uint64_t number, bool fence) {
    reads_.start(request.sink, request.size);
    if (fence) ++fences_open_;
    open_reads_.push({number, fence});
    covered_ = number;
    output_.put(request.message(read_msn_++));
}

// IW-RDMAP-39: a Read of no bytes behind all messages so far. Each message has its own fence while fewer than kMostFences are
// open, so that a message that waits for a receive holds up none before it; messages started meanwhile share the next fence.
void IwarpChannel::fence_if_due() {
    if (completion_ != Completion::fenced || outlives_end_.load() || sent_.newest() <= covered_) return;
    const std::uint32_t most = std::clamp(agreement_.limits.outbound / 2, 1u, kMostFences);  // the program has the rest
    if (fences_open_ >= most) return;
    if (sealed_ || framing_ != Framing::nothing || reads_.full()) return;
    if (!reads_.make_room() || !open_reads_.make_room() || !output_.has_room(ReadRequest::kUlpduBytes)) return;
    put_read_request({next_sink(), 0, 0, kNoSource, 0}, sent_.newest(), true);
}

void IwarpChannel::open_stream() {
    const Held lock(output_mutex_);
    if (!make_room(ReadRequest::kUlpduBytes)) return;
    if (agreement_.rtr == Rtr::write) {
        put_opening(output_, Rtr::write);
        open_again_in(kFirstPatience);
    } else if (agreement_.rtr == Rtr::read) {
        put_read_request(kOpeningRead, 0, true);
    }
    if (opening_sent_) output_.skip();
    flush_output();
}

// Some peers overlook an opening right after the handshake, and all octets behind it, until more octets arrive
// (docs/decisions/0016).
void IwarpChannel::open_again_in(std::chrono::milliseconds patience) {
    if (patience > kLastPatience) return;
    opening_timer_ = loop_.schedule(now() + patience, [self = Ref<IwarpChannel>(this), patience] {
        const Held lock(self->output_mutex_);
        if (self->closed_.load() || self->taken() != 0) return;
        if (!self->sealed_ && self->framing_ == Framing::nothing && self->make_room(TaggedHeader::kBytes)) {
            put_opening(self->output_, Rtr::write);
            self->flush_output();
        }
        self->open_again_in(2 * patience);
    });
}

// A token for one Read, which names no memory of this side (IW-RDMAP-22, IW-SEC-05).
Stag IwarpChannel::next_sink() {
    soft::MemoryGrant grant;
    do ++last_sink_;
    while (last_sink_ == 0 || tokens_.find_remote(to_token(static_cast<Stag>(last_sink_)), grant));
    return static_cast<Stag>(last_sink_);
}

// False: the socket is full, and so is the slab; or there is no memory for a slab, and the stream ends.
bool IwarpChannel::make_room(std::size_t ulpdu_bytes) {
    if (output_.has_room(ulpdu_bytes)) return true;
    if (!output_.has_slab()) [[unlikely]] {
        lose_output(Status::no_memory);
        return false;
    }
    flush_output();
    return output_.has_room(ulpdu_bytes);
}

void IwarpChannel::flush_output() {
    if (owes_receipt()) put_receipt();
    const Status status = output_.flush(socket_);
    if (silence_timer_ == TimerId{}) await_acknowledgement();
    if (status == Status::would_block)
        watch_room();
    else if (!ok(status)) [[unlikely]]
        lose_output(status);
    traffic_.started.set_out(output_.framed(), output_.fpdus());
    if (completes_locally()) confirm_known();
}

// No output leaves any more. A side that still reads finds the end in its next read: the peer's end, or the one made here,
// because no event reports when to try again. A side that outlives the peer's end reads no more.
void IwarpChannel::lose_output(Status why) {
    const bool reads = !outlives_end_.load(std::memory_order_relaxed);
    if (reads && why == Status::disconnected) return;
    note_break(why);
    if (reads) return socket_.end_receiving();
    end(break_);
    tell_owner();
}

// No event tells of a peer that acknowledges nothing. Where a look finds all acknowledged, the next octets begin again. Without memory
// for a timer they do, too.
void IwarpChannel::await_acknowledgement() {
    if (!finds_silence_) return;
    silence_.begin(now());
    look_at_silence();
}

void IwarpChannel::look_at_silence() try {
    silence_timer_ = loop_.schedule(now() + silence_.distance(), [self = Ref<IwarpChannel>(this)] {
        const Held lock(self->output_mutex_);
        self->silence_timer_ = TimerId{};
        if (self->closed_.load() || self->ended() != End::none || self->socket_.unacknowledged_bytes() == 0) return;
        const auto answers = self->socket_.answers();
        if (answers && self->silence_.is_over(now(), *answers)) return self->lose_output(Status::timed_out);
        self->look_at_silence();
    });
} catch (const std::bad_alloc&) {
    silence_timer_ = TimerId{};
}

// A poller flushes at its next poll; if it stops polling, set_attention() or find_idle_poller() flushes.
bool IwarpChannel::may_keep_output() {
    if (output_.unsent().size() > kKeptBytes) return false;
    return in_crowd() ? is_polled_in_crowds() : attention_.load(std::memory_order_relaxed) == soft::Attention::polling;
}

// In a crowd, the source has the poller come here. False: no thread polls any more, and what was to be kept must leave.
bool IwarpChannel::is_kept() { return !in_crowd() || keep_in_crowds(); }

// The first message after a receive() leaves at once, unless a row of others is on its way. Of several the others leave together, at the
// next receive() (IW-PERF-07): a stream of short messages would fall apart into calls of one message each, as fast as receipts come
// for single ones. While the socket is full, messages wait in the slab.
void IwarpChannel::flush_unless_more_follows() {
    const bool in_a_row = in_a_row_ || sent_.newest() - confirmed_.load(std::memory_order_relaxed) > kRow;
    if (output_.blocked() || (in_a_row && may_keep_output() && is_kept())) return;
    in_a_row_ = true;
    flush_output();
}

bool IwarpChannel::owes_receipt() const {
    return completion_ == Completion::receipts && !sealed_ &&
           owed_receipts_.owed(placed_.load(std::memory_order_acquire)) != 0;
}

// By itself, between any two FPDUs. Without room it stays owed, and receive() tells that to PollerWatch.
void IwarpChannel::put_receipt() {
    if (!output_.has_room(TaggedHeader::kBytes)) return;
    const Receipt receipt{placed_.load(std::memory_order_acquire)};
    output_.put(receipt.message());
    owed_receipts_.tell(receipt.placed);
}

// The receipt in a Send's first segment is stamped when that is framed: receipts never go back.
void IwarpChannel::stamp(OutboundSegment& segment) {
    const Opcode opcode = sent_[sent_.newest()].opcode;
    if (segment.message_offset != 0 || completion_ != Completion::receipts || !carries_receipt(opcode)) return;
    const Receipt receipt{placed_.load(std::memory_order_acquire)};
    segment.stamp(receipt);
    owed_receipts_.tell(receipt.placed);
}

// As far as this side knows without an answer to a Read. Messages behind a Read wait for it.
void IwarpChannel::confirm_known() {
    confirm(sent_.ended_by(completes_locally() ? output_.sent() : peer_receipts_.placed()));
}

void IwarpChannel::confirm(std::uint64_t through) {
    sent_.confirm(through);
    if (through > confirmed_.load(std::memory_order_relaxed)) confirmed_.store(through, std::memory_order_relaxed);
}

}  // namespace opennd::iwarp
