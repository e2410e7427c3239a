// SPDX-License-Identifier: MIT
// Outlet: see outlet.h.
#include "transport/iwarp/outlet.h"

#include <algorithm>
#include <new>
#include <utility>

#include "platform/process/clock.h"
#include "transport/iwarp/closing_socket.h"
#include "transport/iwarp/wire/crc_choice.h"

namespace opennd::iwarp {
namespace {

using End = StreamState::End;

// The most octets that a poller may leave in the slab until its next call.
constexpr std::size_t kKeptBytes = 16 * 1024;

}  // namespace

// An RTR may be a Read even without agreed Reads (IW-CM-22).
Outlet::Outlet(StreamState& stream, Watching& watching, SocketBuffers& buffers, bool open,
               std::chrono::milliseconds dead_after)
    : stream_(stream),
      watching_(watching),
      output_(stream.agreement().crc, stream.agreement().markers, buffers),
      in_flight_(std::max(stream.agreement().limits.outbound, 1u)),
      silence_(dead_after),
      probes_(!open),
      sending_(open ? Sending::open : Sending::waits) {
    if (stream.agreement().crc == Crc::on) (void)crc_choice();  // now, so that no message waits for it
}

Outlet::Sending Outlet::seal() {
    const Sending before = sending();
    if (before < Sending::sealed) sending_.store(Sending::sealed, std::memory_order_relaxed);
    return before;
}

// ---- octets that leave ----------------------------------------------------------------------------------------------

bool Outlet::make_room(std::size_t ulpdu_bytes) {
    if (output_.has_room(ulpdu_bytes)) return true;
    if (!output_.has_slab()) [[unlikely]] {
        lose(Status::no_memory);
        return false;
    }
    flush();
    return output_.has_room(ulpdu_bytes);
}

void Outlet::flush() {
    if (owes_receipt()) put_receipt();
    const Status status = output_.flush(stream_.socket());
    if (silence_timer_ == TimerId{}) await_acknowledgement();
    if (status == Status::would_block)
        watching_.watch_room();
    else if (!ok(status)) [[unlikely]]
        lose(status);
    stream_.traffic().started.set_out(output_.framed(), output_.fpdus());
    if (completes_locally()) confirm_known();
}

bool Outlet::keeps_few() const { return output_.unsent().size() <= kKeptBytes; }

bool Outlet::may_keep() { return keeps_few() && watching_.is_polled(); }

void Outlet::flush_kept() {
    const Held lock(mutex_);
    if (owes()) flush();
}

// A caller with results posts or polls again soon: short answers and receipts of this side wait for that, and leave in the same call.
Outlet::Rest Outlet::settle(bool gave_results) {
    const std::uint64_t placed = placed_.load(std::memory_order_relaxed);
    if (output_.empty() && owed_receipts_.owed(placed) == 0) [[likely]] {
        (void)owed_receipts_.may_wait(placed, false, gave_results);
        return {false, true, output_.blocked()};
    }
    const bool polled = may_keep();
    const bool receipt_waits = owed_receipts_.may_wait(placed, polled, gave_results);
    bool kept = (output_.empty() || (gave_results && polled)) && (receipt_waits || !owes_receipt());
    if (owes()) {
        if (leave_to_waiter()) return {false, true, false};
        kept = kept && watching_.keep();
        if (!kept) flush();
    }
    return {owes(), kept, output_.blocked()};
}

// A thread that waited for the message is likely to answer it, and the answer carries the receipt.
bool Outlet::leave_to_waiter() {
    return output_.empty() &&
           owed_receipts_.owed(placed_.load(std::memory_order_relaxed)) < OwedReceipts::kMostWaiting &&
           watching_.loop().put_off(Ref<RefCounted>(&stream_), *this);
}

void Outlet::before_sleep() {
    if (!stream_.closed()) flush_kept();
}

void Outlet::confirm_known() {
    confirm(in_flight_.ended_by(completes_locally() ? output_.sent() : in_flight_.octets_placed()));
}

void Outlet::confirm(std::uint64_t through) {
    in_flight_.confirm(through);
    if (through > confirmed()) confirmed_.store(through, std::memory_order_relaxed);
}

std::uint64_t Outlet::sent() const {
    const Held lock(mutex_);
    return output_.sent();
}

std::uint64_t Outlet::delivered() const {
    const Held lock(mutex_);
    return output_.sent() - stream_.socket().unacknowledged_bytes();
}

std::optional<StreamUse> Outlet::use() const {
    const Held lock(mutex_);  // close() takes the socket away under it
    return stream_.socket().use();
}

// ---- receipts for the peer's messages -------------------------------------------------------------------------------

bool Outlet::owes_receipt() const {
    return stream_.completion() == CompletionProof::receipts && sending() < Sending::sealed &&
           owed_receipts_.owed(placed_.load(std::memory_order_acquire)) != 0;
}

// A receipt by itself may stand between any two FPDUs. Without room it stays owed, and receive() tells that to PollerWatch.
void Outlet::put_receipt() {
    if (!output_.has_room(TaggedHeader::kBytes)) return;
    const Receipt receipt{placed_.load(std::memory_order_acquire)};
    output_.put(receipt.message());
    owed_receipts_.tell(receipt.placed);
}

// The receipt in a Send's first segment is stamped when that is framed: receipts never go back.
void Outlet::stamp(OutboundSegment& segment) {
    if (segment.message_offset != 0 || segment.immediate || stream_.completion() != CompletionProof::receipts ||
        !carries_receipt(in_flight_.opcode_of(in_flight_.newest())))
        return;
    const Receipt receipt{placed_.load(std::memory_order_acquire)};
    segment.stamp(receipt);
    owed_receipts_.tell(receipt.placed);
}

// ---- a peer that is silent, a stream that broke ---------------------------------------------------------------------

// No event tells of a peer that acknowledges nothing. Where a look finds all acknowledged, the next octets begin again. Without memory
// for a timer they do, too.
void Outlet::await_acknowledgement() {
    if (!stream_.finds_silence()) return probe_when_idle();
    silence_.begin(now());
    look_at_silence();
}

// The probes take four system calls, which a short connection is spared.
void Outlet::probe_when_idle() {
    if (!std::exchange(probes_, true)) stream_.socket().probe_when_idle({silence_.limit()});
}

void Outlet::look_at_silence() try {
    silence_timer_ = stream_.loop().schedule(now() + silence_.distance(), [this, stream = Ref<StreamState>(&stream_)] {
        const Held lock(mutex_);
        silence_timer_ = TimerId{};
        TcpSocket& socket = stream->socket();
        if (stream->closed() || stream->ended() != End::none) return;
        probe_when_idle();
        if (socket.unacknowledged_bytes() == 0) return;
        const auto answers = socket.answers();
        if (answers && silence_.is_over(now(), *answers)) return lose(Status::timed_out);
        look_at_silence();
    });
} catch (const std::bad_alloc&) {
    silence_timer_ = TimerId{};
    probe_when_idle();
}

// No output leaves any more. A side that still reads finds the end in its next read: the peer's end, or the one made here,
// because no event reports when to try again. A side that outlives the peer's end reads no more.
void Outlet::lose(Status why) {
    if (!outlives_end_ && why == Status::disconnected) return;
    note_break(why);
    if (!outlives_end_) return stream_.socket().end_receiving();
    stream_.end(break_);
    watching_.tell_owner();
}

// Only this side may take the stream for lost: the reset reports it to the peer.
void Outlet::note_break(Status why) {
    stream_.reset_when_closed();
    break_ = why == Status::timed_out ? End::lost : why == Status::connection_aborted ? End::reset : End::abnormal;
}

// The end of the stream is in order between two messages alone (IW-ERR-13).
StreamState::End Outlet::find_end(Status received, bool whole) {
    const Held lock(mutex_);  // lose() may have found the stream broken
    if (!ok(received)) note_break(received);
    if (break_ != End::none) return break_;
    return whole && !stream_.resets() && !in_flight_.in_response() ? End::in_order : End::abnormal;
}

void Outlet::look_for_break() {
    const Held lock(mutex_);
    if (const Status why = stream_.socket().take_failure(); !ok(why)) note_break(why);
    if (break_ != End::none) stream_.end(break_);
}

// ---- ends of this side ----------------------------------------------------------------------------------------------

void Outlet::set_last_words(const Terminate& message) {
    const Held lock(mutex_);
    last_words_ = message;
}

void Outlet::say_last_words() {
    const Held lock(mutex_);
    say(*last_words_);
}

void Outlet::terminate(const Terminate& message) {
    const Held lock(mutex_);
    say(message);
}

bool Outlet::terminate_unless_broken(const Terminate& message) {
    const Held lock(mutex_);
    if (break_ != End::none) return false;
    say(message);
    return true;
}

// At most one goes out, as the last FPDU, and none before the responder's direction is open (IW-ERR-01, -04).
void Outlet::say(const Terminate& message) {
    const Terminate& said = last_words_ ? *last_words_ : message;
    stream_.note(said.cause());
    if (owes_receipt()) put_receipt();  // messages that were placed before the fault count
    const Sending before = seal();
    if (before >= Sending::sealed) return;
    if (before == Sending::waits || !output_.has_slab()) {
        stream_.reset_when_closed();
        return;
    }
    output_.put(said.ulpdu());
    flush();
}

void Outlet::end_sending() {
    sending_.store(Sending::ended, std::memory_order_relaxed);
    stream_.socket().end_sending();
    if (silence_timer_ == TimerId{}) await_acknowledgement();
}

void Outlet::close() {
    const Held lock(mutex_);
    stream_.loop().cancel(std::exchange(silence_timer_, TimerId{}));
    if (owes_receipt()) put_receipt();
    if (stream_.resets())
        stream_.socket().reset();
    else
        ClosingSocket::close(stream_.loop(), std::move(stream_.socket()), output_.unsent());
}

}  // namespace opennd::iwarp
