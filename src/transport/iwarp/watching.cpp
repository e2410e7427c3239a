// SPDX-License-Identifier: MIT
// Watching: see watching.h.
#include "transport/iwarp/watching.h"

#include <algorithm>
#include <utility>

#include "base/until_memory.h"
#include "platform/thread/look_choice.h"

namespace opennd::iwarp {

Watching::Watching(StreamState& stream, Ref<ChannelOwner> owner, Ref<PollerWatch> pollers)
    : stream_(stream), pollers_(std::move(pollers)), owner_(std::move(owner)), watched_in_(&stream.loop()) {
    (void)look_choice();  // now, so that no message waits for it
}

void Watching::begin() {
    const Held lock(mutex_);
    loop_.store(Loop::watches, std::memory_order_relaxed);
    watch_again();
}

void Watching::stop() {
    Ref<ChannelOwner> last;  // released outside the lock
    const Held lock(mutex_);
    if (loop_.exchange(Loop::absent, std::memory_order_relaxed) != Loop::absent) {
        loop().remove(stream_.socket().descriptor(), EventLoop::Known::left);
        for (const Membership& each : memberships_)
            if (each.source) each.source->remove(stream_.socket().descriptor());
    }
    last = std::exchange(owner_, nullptr);
}

Ref<ChannelOwner> Watching::owner() {
    const Held lock(mutex_);
    return owner_;
}

void Watching::tell_owner() {
    if (Ref<ChannelOwner> owner = this->owner()) loop().post([owner = std::move(owner)] { owner->revisit(); });
}

// While attention is `polling`, arrivals wake no thread. Otherwise each wakes the service thread, which serves the queue pair
// even if a poller has done the work already.
soft::Attention Watching::set_attention(soft::Attention attention) {
    const soft::Attention before = attention_.exchange(attention);
    if ((before == soft::Attention::polling) != (attention == soft::Attention::polling)) {
        const Held lock(mutex_);
        watch_again();
    }
    if (needs_watch()) keep_watch();
    return before;
}

// Once the loop watches for arrivals again, it reports an earlier one at once.
void Watching::watch_again() {
    const Loop loop = loop_.load(std::memory_order_relaxed);
    if (loop == Loop::absent) return;
    const bool looked_at = is_polled_alone() || loop == Loop::looks;
    const std::uint32_t events =
        watches_room_.load(std::memory_order_relaxed) ? EventLoop::kFullSocket : EventLoop::kSocket;
    (void)this->loop().modify(stream_.socket().descriptor(), looked_at ? EventLoop::kPeerEnded : events);
}

// In a callback of the loop that has watched so far: nothing that belongs to its turns is in use.
void Watching::move_to(EventLoop& to) {
    EventLoop& from = loop();
    if (!from.on_loop_thread()) return from.post([this, stream = Ref<StreamState>(&stream_), &to] { move_to(to); });
    const Held lock(mutex_);
    const Loop loop = loop_.load(std::memory_order_relaxed);
    if (loop == Loop::absent || &from == &to || !ok(from.move(stream_.socket().descriptor(), to))) return;
    watched_in_.store(&to, std::memory_order_relaxed);
    loop_.store(Loop::watches, std::memory_order_relaxed);
    if (loop == Loop::looks) watch_again();
}

// Most sockets are never full, and to watch for room from the start would report it at once.
void Watching::watch_room() {
    if (watches_room_.load(std::memory_order_relaxed)) return;
    const Held lock(mutex_);
    watches_room_.store(true, std::memory_order_relaxed);
    watch_again();
}

// ---- crowds ---------------------------------------------------------------------------------------------------------

// From here on the loop watches the socket for its end alone: the crowd names arrivals to its poller, or to the service thread.
bool Watching::join(soft::Crowd& crowd, soft::Place place) {
    auto* source = static_cast<SocketSource*>(crowd.find(pollers_.get()));
    if (!source) {
        Ref<SocketSource> made = SocketSource::create(stream_.loop(), pollers_, crowd);
        if (!made) return false;
        source = made.get();
        crowd.add(pollers_.get(), std::move(made));
    }
    const Held lock(mutex_);
    if (loop_.load(std::memory_order_relaxed) == Loop::absent) return true;  // it has ended, and nothing arrives
    Membership& membership = memberships_[memberships_[0].source ? 1 : 0];
    if (!source->add(stream_.socket().descriptor(), place)) return false;
    membership = {Ref<SocketSource>(source), place};
    crowds_.fetch_add(1, std::memory_order_relaxed);
    attention_.store(soft::Attention::polling);
    watch_again();
    return true;
}

void Watching::leave(soft::Crowd& crowd) {
    const soft::ReadySource* const source = crowd.find(pollers_.get());
    const Held lock(mutex_);
    for (Membership& each : memberships_) {
        if (!each.source || each.source.get() != source) continue;
        if (loop_.load(std::memory_order_relaxed) != Loop::absent) each.source->remove(stream_.socket().descriptor());
        each = {};
        if (crowds_.fetch_sub(1, std::memory_order_relaxed) != 1) continue;
        attention_.store(soft::Attention::asleep);
        watch_again();
    }
}

// A thread polls each crowd of the channel.
bool Watching::is_polled_in_crowds() {
    const Held lock(mutex_);
    return std::ranges::all_of(memberships_, [](const Membership& each) {
        return !each.source || each.source->attention() == soft::Attention::polling;
    });
}

bool Watching::keep_in_crowds() {
    const Held lock(mutex_);
    for (const Membership& each : memberships_)
        if (each.source) return each.source->keep(each.place);
    return false;
}

// ---- looks ----------------------------------------------------------------------------------------------------------

// A poller looks itself, and a crowd's source names arrivals.
bool Watching::may_look() const {
    return !in_crowd() && !is_polled_alone() && stream_.ended() == StreamState::End::none && !stream_.broken() &&
           !stream_.closed();
}

bool Watching::has_served() {
    const std::uint32_t taken = one_sided_.load(std::memory_order_relaxed);
    return taken != std::exchange(one_sided_seen_, taken);
}

void Watching::set_looks(bool looks) {
    const Held lock(mutex_);
    if (loop_.load(std::memory_order_relaxed) == Loop::absent) return;
    loop_.store(looks ? Loop::looks : Loop::watches, std::memory_order_relaxed);
    watch_again();
}

void Watching::begin_to_look() {
    EventLoop& here = loop();
    if (!here.on_loop_thread()) return;
    const bool looks = loop_.load(std::memory_order_relaxed) == Loop::looks;
    if (looks || !has_served() || !here.looks().did_work(look_, now())) return;
    if (!look_choice().looks || !may_look()) return;
    Ref<ChannelOwner> owner = this->owner();
    if (owner && here.keep_looking(std::move(owner))) set_looks(true);
}

bool Watching::looks_on() {
    if (!loop().on_loop_thread()) return false;  // it has moved
    LookPacing& pacing = loop().looks();
    const SteadyTime at = now();
    const bool found = has_served();
    if (found) pacing.looked_with_success();
    const bool on = (found ? pacing.did_work(look_, at) : pacing.goes_on(look_, at)) && may_look();
    if (!on) set_looks(false);
    return on;
}

// ---- pollers that stop ----------------------------------------------------------------------------------------------

void Watching::keep_watch() {
    if (kept_watch_.exchange(true)) return;
    until_memory([this] {
        pollers_->add(stream_.loop(), [this, stream = Ref<StreamState>(&stream_)] { return find_idle_poller(); });
    });
}

// The sources of crowds look after their pollers themselves.
bool Watching::needs_watch() const {
    if (in_crowd()) return stream_.left_work();
    return attention_.load() != soft::Attention::asleep || unfinished_.load();
}

// A poller may stop silently; the service thread then takes over its unfinished work. False: PollerWatch forgets the channel.
bool Watching::find_idle_poller() {
    if (stream_.closed()) return false;
    const Ref<ChannelOwner> owner = this->owner();
    if (owner && receives_.load(std::memory_order_relaxed) == receives_seen_ && needs_watch()) {
        const bool was_polling = is_polled_alone();
        const std::uint32_t before = stream_.taken();
        owner->revisit();
        if (was_polling && stream_.taken() != before) owner->poller_left();
    }
    receives_seen_ = receives_.load(std::memory_order_relaxed);
    if (needs_watch()) return true;
    (void)kept_watch_.exchange(false);  // not a store: what a thread did before it found the watch kept is seen below
    return needs_watch() && !kept_watch_.exchange(true);
}

}  // namespace opennd::iwarp
