// SPDX-License-Identifier: MIT
// LaneState: see lane_state.h.
#include "transport/local/lane_state.h"

#include <utility>

#include "platform/memory/copy_choice.h"
#include "transport/local/placing_choice.h"

namespace opennd::local {
namespace {

// The longest message that is placed: a longer one leaves the caches, and two processors that stream are quicker than
// the kernel (docs/decisions/0045).
constexpr std::uint32_t kMostPlacedBytes = std::uint32_t{1} << 20;

}  // namespace

LaneState::LaneState(soft::PeerAttention& peer, soft::PeerAccess& access, Parts&& parts)
    : Channel(peer, access, {}),
      parts_(std::move(parts)),
      places_(parts_.peer_memory->may_copy_by_kernel() && (parts_.places ? *parts_.places : placing_choice().placed)),
      traffic_(std::exchange(parts_.ledger, nullptr), parts_.wire),
      out_(parts_.memory->arena().segment(parts_.number).lanes[parts_.side == Side::active ? 0 : 1]),
      in_(parts_.memory->arena().segment(parts_.number).lanes[parts_.side == Side::active ? 1 : 0]),
      producer_(out_, *parts_.memory, parts_.number),
      consumer_(in_, *parts_.memory, parts_.number),
      bell_(out_, parts_.link_end.get()) {
    (void)copy_choice();  // now, so that no message waits for it
    watch_next_frame();
    in_.wishes.attention.store(kAsleep, std::memory_order_relaxed);
}

std::string_view LaneState::bulk_path() const {
    switch (parts_.peer_memory->reach()) {
        case PeerMemory::Reach::same_process: return "same process";
        case PeerMemory::Reach::process_vm: return "mapping, process_vm";
        case PeerMemory::Reach::mapping_only: return "mapping, ring";
        case PeerMemory::Reach::untried: break;  // no more
    }
    return "";
}

// ---- frames going out -----------------------------------------------------------------------------------------------

LaneState::Put LaneState::put_locked(const Producer::Header& header, soft::SgeCursor& from, std::uint32_t& number) {
    std::byte* const payload = producer_.reserve(header.length);
    if (!payload) return Put::no_room;
    if (!soft::gather(from, payload, header.length)) return Put::absent;
    number = producer_.publish(header, consumer_.next());
    return Put::sent;
}

LaneState::Put LaneState::put(const Producer::Header& header, soft::SgeCursor& from, std::uint32_t& number) {
    const Held lock(tx_lock_);
    return put_locked(header, from, number);
}

void LaneState::give_back() {
    const Held lock(tx_lock_);
    producer_.give_back();
}

bool LaneState::is_refused(std::uint32_t number, Status& status) const {
    std::uint32_t refused = 0, reason = 0;
    if (!producer_.refusal(refused, reason) || Producer::is_before(number, refused)) return false;
    const auto told = static_cast<Status>(reason);
    const bool credible = told == Status::canceled || told == Status::timed_out || told == Status::remote_data_error ||
                          told == Status::access_violation || told == Status::remote_access_violation ||
                          told == Status::malformed_request;
    status = credible ? told : Status::internal_error;
    return true;
}

bool LaneState::refused() const {
    Status reason = Status::success;
    return is_refused(producer_.next(), reason);
}

// ---- receives that one side shows to the other ----------------------------------------------------------------------

bool LaneState::find_shown(std::uint32_t length_bytes, ShownReceive& shown) {
    if (!places_ || length_bytes > kMostPlacedBytes) return false;
    const Held lock(tx_lock_);
    shown = shown_;
    return length_bytes <= shown.length && shown.message == producer_.next() - shown_made_;
}

void LaneState::take_shown(const ShownReceive& shown) {
    const Held lock(tx_lock_);
    shown_ = shown;
    ++shown_taken_;
}

void LaneState::show(std::uint64_t address, std::uint32_t length, Token token) {
    {
        const Held lock(tx_lock_);
        // The frame at the front is the last one before the message.
        ShownReceive shown{address, length, value(token), consumer_.next() + 1 - shown_taken_, 0};
        const Sge entry{reinterpret_cast<std::byte*>(&shown), sizeof shown, Token::none};
        soft::SgeCursor from({&entry, 1});
        std::uint32_t number = 0;
        if (put_locked({FrameKind::receive_shown, kFirst | kLast, sizeof shown, sizeof shown}, from, number) !=
            Put::sent)
            return;
        ++shown_made_;
    }
    ring_peer();
}

// ---- the words of the channel ---------------------------------------------------------------------------------------

void LaneState::show_arrival() {
    stand_in_.store(expected_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    arrival_.store(&stand_in_, std::memory_order_relaxed);
}

}  // namespace opennd::local
