// SPDX-License-Identifier: MIT
// RingChannel: all but sending (ring_start.cpp), receiving (ring_receive.cpp) and who is woken (ring_attention.cpp).
#include "transport/local/ring_channel.h"

#include <thread>
#include <utility>

#include "base/explanation.h"
#include "platform/memory/copy_choice.h"
#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/placing_choice.h"

namespace opennd::local {
namespace {

// A peer can be stopped in the middle of a message: the wait for it has a limit.
constexpr std::chrono::seconds kTakingPatience{2};
// The kernel moves a part of a copy (kKernelStride) in a millisecond, if the peer's pages are there or come from a disk.
constexpr std::chrono::nanoseconds kKernelPatience = std::chrono::seconds(2);
// Yields in hold_back() before it leaves the wait to its caller. A running peer is mostly done after a few.
constexpr int kYieldsForTaking = 64;

}  // namespace

RingChannel::RingChannel(Parts parts)
    : parts_(std::move(parts)),
      places_(parts_.peer_memory->may_copy_by_kernel() && (parts_.places ? *parts_.places : placing_choice().placed)),
      traffic_(std::exchange(parts_.ledger, nullptr), parts_.wire),
      out_(parts_.memory->arena().segment(parts_.number).lanes[parts_.side == Side::active ? 0 : 1]),
      in_(parts_.memory->arena().segment(parts_.number).lanes[parts_.side == Side::active ? 1 : 0]),
      producer_(out_, *parts_.memory, parts_.number),
      consumer_(in_, *parts_.memory, parts_.number) {
    (void)copy_choice();  // now, so that no message waits for it
    watch_next_frame();
    in_.wishes.attention.store(static_cast<std::uint32_t>(Attention::asleep), std::memory_order_relaxed);
}

RingChannel::~RingChannel() {
    if (counts_as_polled_) parts_.line->count_polled(false);
    // A peer that has not said that it ends may still read.
    if (parts_.line && !peer_ended_.load(std::memory_order_acquire)) parts_.line->keep(producer_.take_holdings());
}

bool RingChannel::find_outcome(soft::Ticket ticket, Status& status) {
    const auto number = static_cast<std::uint32_t>(ticket);
    const bool answered_by_frames =
        (static_cast<std::uint64_t>(ticket) & kReadTicket) != 0;  // then ReceiveTurn::read_done has the outcome
    status = Status::success;
    if (!answered_by_frames && producer_.consumed(number)) return true;
    if (!is_refused(number, status)) return false;
    if (status == Status::canceled) [[unlikely]]
        tell_given_up();
    return true;
}

// Of this side's requests none is the cause, and each is canceled: the program would not learn from them why.
void RingChannel::tell_given_up() {
    if (told_given_up_.exchange(true, std::memory_order_relaxed)) return;
    (void)report(Status::canceled, {.object = "connection",
                                    .operation = "the peer's end of it",
                                    .asked = "requests that the peer has not taken",
                                    .limit = "a peer without a failure of its own; one of its Reads lost its memory",
                                    .remedy = "look for the failure in the peer's results and log",
                                    .requirement = "ND2-QP-RDMA-04",
                                    .cause = LogCause::peer});
}

// Called once a run: a look at each result would cost more.
void RingChannel::read_peer_counters() {
    producer_.refresh();
    if (producer_.can_give_back()) give_back();
}

void RingChannel::give_back() {
    const Held lock(tx_lock_);
    producer_.give_back();
}

Status RingChannel::unfinished() const {
    Status status = Status::canceled;
    if (streamed_ == 0 || !is_refused(producer_.next(), status)) return Status::canceled;
    return status;
}

bool RingChannel::refused() const {
    Status reason = Status::success;
    return is_refused(producer_.next(), reason);
}

// The peer ended the connection at this frame or before it, as far as this side knows.
bool RingChannel::is_refused(std::uint32_t number, Status& status) const {
    std::uint32_t refused = 0, reason = 0;
    if (!producer_.refusal(refused, reason) || Producer::is_before(number, refused)) return false;
    const auto told = static_cast<Status>(reason);
    const bool credible = told == Status::canceled || told == Status::timed_out || told == Status::remote_data_error ||
                          told == Status::access_violation || told == Status::remote_access_violation ||
                          told == Status::malformed_request;
    status = credible ? told : Status::internal_error;
    return true;
}

void RingChannel::refuse(Status reason) { refuse_at(consumer_.next(), reason); }

void RingChannel::refuse_at(std::uint32_t frame, Status reason) {
    if (taking_ == Taking::nothing) return;
    taking_ = Taking::nothing;
    publish_consumed();
    consumer_.refuse(frame, static_cast<std::uint32_t>(reason));
    wake_peer();
}

void RingChannel::publish_consumed() {
    if (consumer_.unpublished() == 0) return;
    consumer_.publish();
    wake_peer();
}

bool RingChannel::peer_accesses(Token token) const {
    if (is_past_waiting()) return false;
    return in_.access.token.load(std::memory_order_acquire) == value(token) ||
           in_.access.fetching.load(std::memory_order_acquire) == value(token);
}

// The peer marks an access and then checks whether the lane is closed; here the heavy barrier stands between the store of the
// latter and the load of the former.
bool RingChannel::exclude_peer() {
    in_.wishes.closed.store(1, std::memory_order_relaxed);
    if (is_past_waiting()) return true;
    heavy_barrier();
    return is_past_waiting() || (in_.access.token.load(std::memory_order_acquire) == 0 &&
                                 in_.access.fetching.load(std::memory_order_acquire) == 0);
}

// First the frames leave the peer's sight. A peer in the middle of one marked that before it read the frame: with a plain
// store, which the heavy barrier makes visible. Once the mark is gone, the peer's count of consumed frames is final.
bool RingChannel::hold_back_requests() {
    if (holding_ == Holding::nothing) {
        holding_ = producer_.all_consumed() || refused() ? Holding::ended : Holding::hidden;
        if (holding_ == Holding::ended) return true;
        producer_.hide_unconsumed();
        heavy_barrier();
        taken_by_ = now() + kTakingPatience;
        for (int yields = 0; yields < kYieldsForTaking && peer_takes(); ++yields) std::this_thread::yield();
    }
    if (holding_ != Holding::hidden) return true;
    if (peer_takes()) {
        // A peer in this process is never stopped for long: no limit.
        if (parts_.peer_memory->same_process() || now() <= taken_by_) return false;
        holding_ = Holding::ended;
        give_up_waiting("taking a message of this side");
        return true;
    }
    producer_.refresh();
    holding_ = Holding::rest;
    return true;
}

bool RingChannel::hold_back() {
    const bool left = close_receives();
    return hold_back_requests() && left;
}

// As for requests: the peer marks that it places a message before it reads the word that forbids it.
bool RingChannel::close_receives() {
    if (shown_made_ == 0) return true;
    if (!receives_closed_) {
        receives_closed_ = true;
        in_.wishes.receives_closed.store(1, std::memory_order_relaxed);
        heavy_barrier();
        placed_by_ = now() + kTakingPatience;
    }
    if (is_past_waiting() || in_.access.placing.load(std::memory_order_acquire) == 0) return true;
    if (now() <= placed_by_) return false;
    give_up_waiting("placing a message into a receive of this side");
    return true;
}

bool RingChannel::peer_takes() const {
    return !is_past_waiting() && in_.access.taking.load(std::memory_order_acquire) != 0;
}

void RingChannel::give_up_waiting(std::string_view operation) {
    disbelieve_peer();
    (void)report(
        Status::canceled,
        {.object = "queue pair",
         .operation = "Flush",
         .asked = phrase("the end of the peer's {}", operation),
         .limit = phrase("{} s of waiting", kTakingPatience.count()),
         .remedy = "see whether the peer's process was stopped; do not reuse the message's memory while it exists",
         .requirement = "ND2-QP-FLUSH-05",
         .cause = LogCause::peer});
}

// The access stays marked, since the kernel may still be in it.
bool RingChannel::abandon_start() {
    std::int64_t since = in_kernel_since_.load(std::memory_order_relaxed);
    if (since == kAbandoned) return true;
    if (since == 0 || now().time_since_epoch() < std::chrono::nanoseconds(since) + kKernelPatience) return false;
    return in_kernel_since_.compare_exchange_strong(since, kAbandoned, std::memory_order_relaxed);
}

void RingChannel::withdraw() {
    if (std::exchange(holding_, Holding::ended) != Holding::rest) return;
    producer_.show_unconsumed();
    wake_peer();
}

std::string_view RingChannel::bulk_path() const {
    switch (parts_.peer_memory->reach()) {
        case PeerMemory::Reach::same_process: return "same process";
        case PeerMemory::Reach::process_vm: return "mapping, process_vm";
        case PeerMemory::Reach::mapping_only: return "mapping, ring";
        case PeerMemory::Reach::untried: break;  // no more
    }
    return "";
}

}  // namespace opennd::local
