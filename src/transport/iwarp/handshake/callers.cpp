// SPDX-License-Identifier: MIT
// Callers: see callers.h.
#include "transport/iwarp/handshake/callers.h"

#include <algorithm>
#include <utility>

namespace opennd::iwarp {
namespace {

// Bounds of the callers in all, for any number of descriptors.
constexpr std::size_t kLeastInAll = 64, kMostInAll = 8192;

}  // namespace

Callers::Ceilings Callers::ceilings(std::size_t descriptors) {
    const std::size_t in_all = std::clamp(descriptors / 2, kLeastInAll, kMostInAll);
    return {in_all / 2, in_all};
}

bool Callers::are_few() const {
    const Held lock(mutex_);
    return callers_.size() < ceilings(0).of_one_host;
}

bool Callers::full(const Ceilings& ceilings) const {
    const Held lock(mutex_);
    return callers_.size() >= ceilings.in_all &&
           std::ranges::all_of(callers_, [](const Caller& caller) { return caller.state == State::asked; });
}

// `host`: null for any.
Callers::Iterator Callers::oldest_silent(const Address* host) {
    return std::ranges::find_if(callers_, [&](const Caller& caller) {
        return caller.state == State::silent && (!host || caller.peer.same_host(*host));
    });
}

std::size_t Callers::count_of(const Address* host) const {
    return static_cast<std::size_t>(std::ranges::count_if(callers_, [&](const Caller& caller) {
        return caller.state != State::leaving && (!host || caller.peer.same_host(*host));
    }));
}

Callers::Iterator Callers::who_leaves(const Address& host, const Ceilings& ceilings, SteadyTime at) {
    std::size_t silent = 0, silent_of_host = 0;  // for long
    for (const Caller& caller : callers_) {
        if (caller.state != State::silent || at - caller.since <= kSilence) continue;
        ++silent;
        if (caller.peer.same_host(host)) ++silent_of_host;
    }
    if (count_of(&host) >= ceilings.of_one_host || silent_of_host >= kMostSilentOfOneHost) return oldest_silent(&host);
    const bool crowded = count_of(nullptr) >= ceilings.in_all || silent >= kMostSilent;
    return crowded ? oldest_silent(nullptr) : callers_.end();
}

Callers::Admission Callers::add(const Address& peer, Leave leave, const Ceilings& ceilings, SteadyTime at) {
    Admission admission{Number::none, {}};
    const Held lock(mutex_);
    if (const auto leaving = who_leaves(peer, ceilings, at); leaving != callers_.end()) {
        leaving->state = State::leaving;
        admission.leaves = std::move(leaving->leave);
    }
    if (count_of(&peer) >= ceilings.of_one_host) return admission;
    admission.number = Number{++newest_};
    callers_.push_back({admission.number, peer, at, State::silent, std::move(leave)});
    return admission;
}

void Callers::asked(Number number) {
    const Held lock(mutex_);
    const auto found = std::ranges::find(callers_, number, &Caller::number);
    if (found != callers_.end()) found->state = State::asked;
}

void Callers::remove(Number number) {
    Leave last;  // released outside the lock
    const Held lock(mutex_);
    const auto found = std::ranges::find(callers_, number, &Caller::number);
    if (found == callers_.end()) return;
    last = std::move(found->leave);
    callers_.erase(found);
}

}  // namespace opennd::iwarp
