// SPDX-License-Identifier: MIT
// See late_results.h.
#include "transport/faults/late_results.h"

#include <algorithm>

namespace opennd::faults {
namespace {

// Marks the ticket of a request that had none. No wire's ticket has this bit.
constexpr std::uint64_t kDoneTicket = std::uint64_t{1} << 62;

}  // namespace

soft::StartResult LateResults::hide(const soft::StartResult& result, SteadyTime due, std::uint64_t plan) {
    const Held lock(mutex_);
    if (revealed_) return result;
    const bool done = result.start == soft::Start::done;
    const auto ticket = done ? static_cast<soft::Ticket>(kDoneTicket | ++hidden_) : result.ticket;
    late_.push_back({ticket, due, plan, done});
    note_next();
    return {soft::Start::in_flight, Status::success, ticket};
}

LateResults::Found LateResults::find(soft::Ticket ticket, std::uint64_t plan) {
    const Held lock(mutex_);
    const auto found = std::ranges::find(late_, ticket, &Late::ticket);
    if (found == late_.end()) return Found::of_wire;
    if (!revealed_ && plan == found->plan && now() < found->due) return Found::late;
    const bool done = found->done;
    late_.erase(found);
    note_next();
    return done ? Found::done : Found::of_wire;
}

void LateResults::reveal() {
    const Held lock(mutex_);
    revealed_ = true;
    note_next();
}

void LateResults::note_next() {
    next_.store(late_.empty() || revealed_ ? kNone : late_.front().due, std::memory_order_relaxed);
}

std::optional<SteadyTime> LateResults::next() const {
    const SteadyTime next = next_.load(std::memory_order_relaxed);
    return next == kNone ? std::nullopt : std::optional(next);
}

}  // namespace opennd::faults
