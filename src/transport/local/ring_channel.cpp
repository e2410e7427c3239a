// SPDX-License-Identifier: MIT
// RingChannel: all but sending (ring_start.cpp), receiving (ring_receive.cpp), who is woken (ring_attention.cpp) and the peer in memory of
// this side (ring_access.cpp).
#include "transport/local/ring_channel.h"

#include <utility>

#include "base/explanation.h"
#include "platform/memory/copy_choice.h"
#include "platform/process/clock.h"
#include "transport/local/placing_choice.h"

namespace opennd::local {
namespace {

// The kernel moves a part of a copy (kKernelStride) in a millisecond, if the peer's pages are there or come from a disk.
constexpr std::chrono::nanoseconds kKernelPatience = std::chrono::seconds(2);

}  // namespace

RingChannel::RingChannel(Parts parts)
    : Channel(*this, *this, {}),
      parts_(std::move(parts)),
      places_(parts_.peer_memory->may_copy_by_kernel() && (parts_.places ? *parts_.places : placing_choice().placed)),
      traffic_(std::exchange(parts_.ledger, nullptr), parts_.wire),
      out_(parts_.memory->arena().segment(parts_.number).lanes[parts_.side == Side::active ? 0 : 1]),
      in_(parts_.memory->arena().segment(parts_.number).lanes[parts_.side == Side::active ? 1 : 0]),
      producer_(out_, *parts_.memory, parts_.number),
      consumer_(in_, *parts_.memory, parts_.number) {
    (void)copy_choice();  // now, so that no message waits for it
    watch_next_frame();
    in_.wishes.attention.store(static_cast<std::uint32_t>(soft::Attention::asleep), std::memory_order_relaxed);
}

RingChannel::~RingChannel() {
    if (counts_as_polled_) parts_.line->count_polled(false);
    // The memory stays for a peer that has not said that it ends, and may still read it.
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

// Reports once that the peer ended the connection. None of this side's requests is the cause, and each is canceled: the
// program would not learn from them why.
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

// Reads the peer's counters. Called once a run: a look at each result would cost more.
void RingChannel::read_counters() {
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

// Returns true if the peer ended the connection at this frame or before it, as far as this side knows.
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

// Abandons the start. The access stays marked, since the kernel may still be in it.
bool RingChannel::abandon_start() {
    std::int64_t since = in_kernel_since_.load(std::memory_order_relaxed);
    if (since == kAbandoned) return true;
    if (since == 0 || now().time_since_epoch() < std::chrono::nanoseconds(since) + kKernelPatience) return false;
    return in_kernel_since_.compare_exchange_strong(since, kAbandoned, std::memory_order_relaxed);
}

void RingChannel::describe_connection(QueuePairUse& use) const {
    use.traffic = traffic_.read();
    use.path = bulk_path();
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
