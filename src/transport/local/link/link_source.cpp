// SPDX-License-Identifier: MIT
// LinkSource: see link_source.h.
#include "transport/local/link/link_source.h"

#include <bit>
#include <utility>

#include "platform/thread/asymmetric_barrier.h"

namespace opennd::local {
namespace {

// The most names that one poll takes.
constexpr std::uint32_t kTakenInPassing = 64;
// The time that a poller has for a poll after a nudge: one that does not poll in it has stopped.
constexpr std::chrono::milliseconds kPollerPatience{1};

}  // namespace

LinkSource::LinkSource(NamedConnections& link, std::uint32_t number, std::uint64_t taken, soft::Crowd& crowd)
    : link_(link), names_(link.names()), number_(number), taken_(taken), crowd_(&crowd) {}

Names::Crowd& LinkSource::shared() const { return names_.crowds[number_]; }

void LinkSource::add(std::uint32_t connection, soft::Place place, bool asymmetric) {
    if (connection >= places_.size()) places_.resize(std::bit_ceil(connection + 1), kNone);
    joined_.reserve(static_cast<std::size_t>(place) + 1);
    joined_.add(place);
    if (std::exchange(places_[connection], place) == kNone) ++connections_;
    if (asymmetric) return;
    asymmetric_ = false;
    tell(attention());
}

bool LinkSource::remove(std::uint32_t connection) {
    if (connection < places_.size() && std::exchange(places_[connection], kNone) != kNone) --connections_;
    return connections_ == 0;
}

// Takes names. A peer may name any number without end: a call takes no more names than a ring has, and each costs one
// look.
void LinkSource::collect(soft::ReadyList& ready, soft::Asking asking) {
    while (!joined_.empty()) ready.add(joined_.take());
    const std::atomic<std::uint64_t>* const names = names_.rings[number_].names;
    const std::uint32_t most = asking == soft::Asking::in_passing ? kTakenInPassing : kConnections;
    std::uint32_t count = 0;
    for (; count < most; ++count) {
        const std::uint64_t name = names[taken_ % kConnections].load(std::memory_order_acquire);
        if (!Names::is_at(name, taken_)) break;
        ++taken_;
        const auto connection = static_cast<std::uint32_t>(name);
        if (connection < places_.size()) ready.add(places_[connection]);
    }
    if (count == 0) return;
    shared().taken.store(taken_, std::memory_order_release);
    full_barrier();  // before the caller looks at the lanes
}

void LinkSource::set_attention(soft::Attention attention) {
    attention_.store(attention, std::memory_order_relaxed);
    tell(attention);
}

// The peer must always order its stores where there is no asymmetric barrier.
void LinkSource::tell(soft::Attention attention) {
    if (attention == soft::Attention::polling && !asymmetric_) attention = soft::Attention::awake;
    shared().attention.store(static_cast<std::uint32_t>(attention), std::memory_order_release);
}

void LinkSource::nudge() { link_.nudge(); }

// Closes the source; its number may be another crowd's from here on.
void LinkSource::close() {
    tell(soft::Attention::asleep);
    link_.remove_source(number_);
    Ref<soft::Crowd> last;  // released outside the lock
    const Held lock(crowd_mutex_);
    last = std::exchange(crowd_, nullptr);
}

void LinkSource::hear(bool nudged) {
    // A thread that polls meanwhile has stored another attention, and takes the names itself.
    std::uint32_t rung = kAsleepRung;
    const bool was_rung =
        shared().attention.compare_exchange_strong(rung, static_cast<std::uint32_t>(soft::Attention::asleep));
    const Ref<soft::Crowd> crowd = this->crowd();
    if (!crowd) return;
    if (was_rung) crowd->serve();
    if (nudged && attention() != soft::Attention::asleep) look_after_poller(*crowd);
}

// Takes over from a poller that has stopped. A thread that polls goes on undisturbed, however often a peer nudges.
void LinkSource::look_after_poller(const soft::Crowd& crowd) {
    if (looks_.exchange(true, std::memory_order_relaxed)) return;
    link_.later(kPollerPatience, [self = Ref<LinkSource>(this), polls = crowd.polls()] {
        self->looks_.store(false, std::memory_order_relaxed);
        const Ref<soft::Crowd> same = self->crowd();
        if (same && same->polls() == polls) same->take_over();
    });
}

Ref<soft::Crowd> LinkSource::crowd() const {
    const Held lock(crowd_mutex_);
    return crowd_;
}

}  // namespace opennd::local
