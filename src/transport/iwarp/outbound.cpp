// SPDX-License-Identifier: MIT
// Outbound: requests, and the outcome of each. See outbound.h; outbound_answer.cpp has the answers of both sides.
#include "transport/iwarp/outbound.h"

#include <algorithm>
#include <utility>

#include "platform/host/random.h"
#include "platform/memory/copy_choice.h"
#include "transport/iwarp/opening.h"
#include "transport/soft/memory/memory_check.h"

namespace opennd::iwarp {
namespace {

using soft::OutboundRequest;
using soft::Start;
using soft::StartResult;
using Sending = Outlet::Sending;

// Octets of a long message between two writes to the socket.
constexpr std::size_t kPartBytes = 128 * 1024;
constexpr std::uint32_t kMostFences = 8;
// An initiator without an arrival opens the stream again after kFirstPatience, then each time after twice as long, up to
// kLastPatience.
constexpr std::chrono::milliseconds kFirstPatience{200}, kLastPatience{1600};

constexpr StartResult kBlocked{Start::blocked, Status::success, {}};

// Marks the ticket of a Read, which ReceiveTurn::read_done finishes.
constexpr std::uint64_t kReadTicket = std::uint64_t{1} << 63;

// Names one of this side's messages to its initiator.
soft::Ticket ticket_of(std::uint64_t number, bool read) {
    return static_cast<soft::Ticket>(read ? number | kReadTicket : number);
}

Opcode opcode_of(const OutboundRequest& request) {
    const bool solicited = has(request.flags, RequestFlags::solicit);
    if (is_write(request.operation)) return Opcode::write;
    if (request.operation == Operation::send_and_invalidate)
        return solicited ? Opcode::send_solicited_invalidate : Opcode::send_invalidate;
    return solicited ? Opcode::send_solicited : Opcode::send;
}

}  // namespace

Outbound::Outbound(StreamState& stream, Watching& watching, Outlet& outlet, const GrantedMemory& memory)
    : stream_(stream),
      watching_(watching),
      outlet_(outlet),
      memory_(memory),
      mulpdu_(takes_long_fpdus(stream.agreement()) ? kMaxMulpdu : kMinMulpdu) {
    (void)copy_choice();  // now, so that no message waits for it
}

StartResult Outbound::start(const OutboundRequest& request, std::optional<ImmediateData> immediate) {
    for (;;) {
        const Held lock(outlet_.mutex());
        const bool peer_ended = stream_.ended() != StreamState::End::none && !outlet_.outlives_end();
        if (outlet_.sending() != Sending::open || stream_.closed() || peer_ended || framing_ == Framing::response)
            return kBlocked;
        if (framing_ == Framing::nothing) {
            if (request.operation == Operation::read) return start_read(request);
            if (!begin_message(request, immediate)) return kBlocked;
        } else if (!outlet_.make_room(mulpdu_)) {
            return kBlocked;
        }
        const Framed framed = frame_part(request.sges);
        if (framed == Framed::whole) return begun(outlet_.in_flight().newest());
        if (framed == Framed::absent) [[unlikely]]  // the message stays unfinished, and nothing is framed behind it
            return {Start::done, soft::refuse_absent(name(request.operation)), {}};
        if (outlet_.output().blocked()) return kBlocked;
    }
}

// With local completion the message may be complete already: report it now, no later event will.
StartResult Outbound::begun(std::uint64_t message) const {
    if (message <= outlet_.confirmed()) return {Start::done};
    return {Start::in_flight, Status::success, ticket_of(message, false)};
}

// Returns false if there is no room for its first segment.
bool Outbound::begin_message(const OutboundRequest& request, const std::optional<ImmediateData>& immediate) {
    fit_segments(request.length_bytes);
    if (!outlet_.make_room(std::min(mulpdu_, request.length_bytes + UntaggedHeader::kBytes))) return false;
    const Opcode opcode = opcode_of(request);
    const Stag stag = to_stag(request.remote_token);
    SentMessage message{opcode, 0, stag, request.remote_address, request.length_bytes, 0};
    if (opcode == Opcode::write) {
        segmenter_.emplace(opcode, TaggedHeader{stag, request.remote_address}, request.length_bytes);
        if (immediate) [[unlikely]] {
            message.opcode = Opcode::immediate_data;
            message.msn = send_msn_++;
            behind_write_ = immediate->message(message.msn, has(request.flags, RequestFlags::solicit));
        }
    } else {
        message.msn = send_msn_++;  // IW-DDP-07
        segmenter_.emplace(opcode, message.msn, stag, request.length_bytes);
        if (immediate) [[unlikely]]
            segmenter_->set_immediate(*immediate);
    }
    outlet_.in_flight().begin(message);
    framing_ = Framing::request;
    outlet_.message_begins();
    return true;
}

// A message of several segments is cut to the path's current segment size (IW-CM-03, IW-DDP-06), unless the peer takes long FPDUs.
void Outbound::fit_segments(std::size_t length_bytes) {
    if (length_bytes + UntaggedHeader::kBytes > mulpdu_ && !takes_long_fpdus(stream_.agreement()))
        mulpdu_ = mulpdu(stream_.socket().segment_bytes(), stream_.agreement().markers);
}

// There is room for the next segment. absent: memory of the message is gone, and its rest with it.
Outbound::Framed Outbound::frame_part(std::span<const Sge> sges) {
    for (std::size_t framed = 0; !segmenter_->done();) {
        OutboundSegment segment = segmenter_->next(mulpdu_);
        outlet_.stamp(segment);
        soft::SgeCursor payload(sges);
        payload.skip(segment.message_offset);
        if (!outlet_.output().put(segment.header(), payload, segment.payload_bytes)) [[unlikely]]
            return Framed::absent;
        if (segmenter_->done()) break;
        framed += segment.payload_bytes;
        if (framed >= kPartBytes) {
            outlet_.flush();
            return Framed::part;
        }
        if (!outlet_.make_room(mulpdu_)) return Framed::part;
    }
    if (behind_write_) [[unlikely]] {
        if (!outlet_.make_room(ImmediateData::kUlpduBytes)) return Framed::part;
        outlet_.output().put(*behind_write_);
        behind_write_.reset();
    }
    framing_ = Framing::nothing;
    outlet_.in_flight().framed(outlet_.output().framed());
    fence_if_due();
    flush_unless_more_follows();
    return Framed::whole;
}

// The first message after a receive() leaves at once, unless a row of others is on its way, or was the last time. Of several the others
// leave together, at the next receive() (IW-PERF-07): a stream of short messages would fall apart into calls of one message each, as fast
// as receipts come for single ones. A poller makes that receive(), or else the thread that takes a receipt which is due
// (docs/decisions/0090); the few messages of a program that sleeps do not wait for that. While the socket is full, messages wait in the
// slab.
void Outbound::flush_unless_more_follows() {
    if (outlet_.output().blocked()) return;
    if (in_a_row_ || streams_ || is_row()) {
        if (outlet_.may_keep() && watching_.keep()) return;
        if ((streams_ || is_row()) && expects_receipt()) return;
    }
    in_a_row_ = true;
    outlet_.flush();
    note_left();
}

bool Outbound::is_row() const { return outlet_.in_flight().newest() - outlet_.confirmed() > kRow; }

bool Outbound::expects_receipt() const {
    return left_ > outlet_.confirmed() && !starved_ && stream_.completion() == CompletionProof::receipts &&
           outlet_.keeps_few();
}

void Outbound::note_left() {
    if (outlet_.output().empty() && framing_ == Framing::nothing) left_ = outlet_.in_flight().newest();
}

// ---- Reads ----------------------------------------------------------------------------------------------------------

StartResult Outbound::start_read(const OutboundRequest& request) {
    if (outlet_.outlives_end()) return {Start::done, Status::canceled, {}};  // no answer can come
    InFlight& in_flight = outlet_.in_flight();
    if (in_flight.reads_full() || !outlet_.make_room(ReadRequest::kUlpduBytes)) return kBlocked;  // IW-RDMAP-14
    if (!in_flight.may_read()) [[unlikely]]
        return {Start::done, Status::insufficient_resources, {}};
    const Stag sink = next_sink();
    const std::uint64_t number = in_flight.begin({Opcode::read_request, read_msn_, sink, 0, request.length_bytes, 0});
    put_read_request({sink, 0, request.length_bytes, to_stag(request.remote_token), request.remote_address}, number,
                     false);
    in_flight.framed(outlet_.output().framed());
    flush_unless_more_follows();
    return {Start::in_flight, Status::success, ticket_of(number, true)};
}

void Outbound::put_read_request(const ReadRequest& request, std::uint64_t number, bool fence) {
    outlet_.in_flight().start_read(request.sink, request.size, number, fence);
    outlet_.output().put(request.message(read_msn_++));
}

// IW-RDMAP-39: a Read of no bytes behind all messages so far. Each message has its own fence while fewer than kMostFences are
// open, so that a message that waits for a receive holds up none before it; messages started meanwhile share the next fence.
void Outbound::fence_if_due() {
    InFlight& in_flight = outlet_.in_flight();
    if (stream_.completion() != CompletionProof::fenced || outlet_.outlives_end() || !in_flight.is_uncovered()) return;
    // The program has the rest.
    const std::uint32_t most = std::clamp(stream_.agreement().limits.outbound / 2, 1u, kMostFences);
    if (in_flight.fences_open() >= most) return;
    if (outlet_.sending() >= Sending::sealed || framing_ != Framing::nothing || in_flight.reads_full()) return;
    if (!in_flight.may_read() || !outlet_.output().has_room(ReadRequest::kUlpduBytes)) return;
    put_read_request({next_sink(), 0, 0, kNoSource, 0}, in_flight.newest(), true);
}

// A token for one Read, which names no memory of this side (IW-RDMAP-22, IW-SEC-05).
Stag Outbound::next_sink() {
    do {
        if (++last_sink_ == 0) [[unlikely]]
            last_sink_ = static_cast<std::uint32_t>(random_u64());
    } while (last_sink_ == 0 || memory_.has(static_cast<Stag>(last_sink_)));
    return static_cast<Stag>(last_sink_);
}

// ---- outcomes -------------------------------------------------------------------------------------------------------

bool Outbound::find_outcome(soft::Ticket ticket, Status& status) {
    const std::uint64_t number = static_cast<std::uint64_t>(ticket) & ~kReadTicket;
    const bool read = number != static_cast<std::uint64_t>(ticket);
    status = Status::success;
    if (!read && number <= outlet_.confirmed()) return true;
    if (!looks_closely_.load(std::memory_order_acquire)) return false;
    const Held lock(outlet_.mutex());
    const InFlight& in_flight = outlet_.in_flight();
    // Behind a Read that got no answer, and told by a receipt: canceled would deny it (ND2-QP-ERR-02).
    if (!read && in_flight.is_placed(number)) return true;
    status = in_flight.failure().status;
    return number == in_flight.failure().number;
}

Status Outbound::unfinished() const {
    const Held lock(outlet_.mutex());
    const InFlight& in_flight = outlet_.in_flight();
    const bool failed = framing_ == Framing::request && in_flight.failure().number == in_flight.newest();
    return failed ? in_flight.failure().status : Status::canceled;
}

void Outbound::fail(std::uint64_t message, Status status) {
    outlet_.in_flight().fail(message, status);
    look_closely();
}

void Outbound::fail_read(Status status) {
    if (const std::uint64_t read = outlet_.in_flight().oldest_read(); read != 0) fail(read, status);
}

// ---- the begin and the end of the stream ----------------------------------------------------------------------------

void Outbound::open_stream(bool sent) {
    const Held lock(outlet_.mutex());
    if (!outlet_.make_room(ReadRequest::kUlpduBytes)) return;
    const Rtr rtr = stream_.agreement().rtr;
    if (rtr == Rtr::write) {
        put_opening(outlet_.output(), Rtr::write, stream_.agreement().immediate);
        open_again_in(kFirstPatience);
    } else if (rtr == Rtr::read) {
        put_read_request(kOpeningRead, 0, true);
    }
    if (sent) outlet_.output().skip();
    outlet_.flush();
}

// Some peers overlook an opening right after the handshake, and all octets behind it, until more octets arrive
// (docs/decisions/0016).
void Outbound::open_again_in(std::chrono::milliseconds patience) {
    if (patience > kLastPatience) return;
    opening_timer_ = stream_.loop().schedule(now() + patience, [this, stream = Ref<StreamState>(&stream_), patience] {
        const Held lock(outlet_.mutex());
        if (stream->closed() || stream->taken() != 0) return;
        if (outlet_.sending() < Sending::sealed && framing_ == Framing::nothing &&
            outlet_.make_room(TaggedHeader::kBytes)) {
            put_opening(outlet_.output(), Rtr::write, stream_.agreement().immediate);
            outlet_.flush();
        }
        open_again_in(2 * patience);
    });
}

bool Outbound::finish() {
    const Held lock(outlet_.mutex());
    if (framing_ != Framing::nothing) return false;
    if (outlet_.owes()) outlet_.flush();
    if (outlet_.owes()) return false;
    outlet_.end_sending();
    return true;
}

void Outbound::outlive_end() {
    const Held lock(outlet_.mutex());
    outlet_.outlive_end();
    outlet_.confirm_known();
    fail_read(Status::canceled);
}

void Outbound::close() {
    const Held lock(outlet_.mutex());
    stream_.loop().cancel(std::exchange(opening_timer_, TimerId{}));
}

}  // namespace opennd::iwarp
