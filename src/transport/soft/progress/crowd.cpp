// SPDX-License-Identifier: MIT
// SoftCrowd: see crowd.h.
#include "transport/soft/progress/crowd.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <new>
#include <optional>
#include <utility>

#include "base/until_memory.h"
#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/progress/completion_queue.h"
#include "transport/soft/progress/polled_queue_pair.h"

namespace opennd::soft {
namespace {

// The most visits of one poll, so that its results are not kept from the program.
constexpr std::size_t kMostVisits = 64;
// The number of polls after which one poll visits the queue pairs that wait for their names or turns before the busy
// ones.
constexpr std::uint32_t kPollsUntilOthers = 16;
// The clock is read every kPollsUntilClock idle polls.
constexpr std::uint32_t kPollsUntilClock = 16;

}  // namespace

SoftCrowd::SoftCrowd(SoftCompletionQueue& queue, EventLoop& loop) : loop_(&loop), queue_(&queue) {}
SoftCrowd::~SoftCrowd() = default;

Ref<SoftCompletionQueue> SoftCrowd::queue() const {
    const Held lock(queue_mutex_);
    return queue_;
}

// ---- the queue pairs

Place SoftCrowd::free_place() {
    if (free_places_.empty()) {
        const std::size_t count = members_.size() + 1;
        ready_.reserve(count);
        turns_.reserve(std::bit_ceil(count));
        free_places_.reserve(std::bit_ceil(count));  // remove() must not fail
        members_.emplace_back();
        return static_cast<Place>(count - 1);
    }
    const Place place = free_places_.back();
    free_places_.pop_back();
    return place;
}

void SoftCrowd::add(PolledQueuePair& queue_pair) {
    const Place place = free_place();
    try {
        places_.emplace(&queue_pair, place);
    } catch (...) {
        free_places_.push_back(place);
        throw;
    }
    members_[static_cast<std::size_t>(place)] = {&queue_pair, Visits::none};
    connected(queue_pair);
}

void SoftCrowd::connected(PolledQueuePair& queue_pair) {
    const auto found = places_.find(&queue_pair);
    if (found == places_.end()) return;  // closed meanwhile
    Member& member = members_[static_cast<std::size_t>(found->second)];
    if (member.visits != Visits::none || !queue_pair.channel()) return;
    member.visits = Visits::in_turn;
    try {
        if (queue_pair.join(*this, found->second)) member.visits = Visits::when_named;
    } catch (const std::bad_alloc&) {
    }
    if (member.visits == Visits::in_turn) turns_.add(queue_pair);
}

void SoftCrowd::leave(Member& member) {
    if (member.visits == Visits::when_named) member.queue_pair->leave(*this);
    if (member.visits == Visits::in_turn) turns_.remove(*member.queue_pair);
    member = {};
}

void SoftCrowd::remove(PolledQueuePair& queue_pair) {
    const auto found = places_.find(&queue_pair);
    const Place place = found->second;
    places_.erase(found);
    leave(members_[static_cast<std::size_t>(place)]);
    busy_.forget(place);
    free_places_.push_back(place);
}

void SoftCrowd::move_to(Service& service) {
    loop_.store(&service.loop(), std::memory_order_relaxed);
    for (Source& each : sources_) each.source->move_to(service.loop());
}

void SoftCrowd::end() {
    collect(Asking::thoroughly);
    for (; !ready_.empty();)
        if (PolledQueuePair* const queue_pair = at(ready_.take())) queue_pair->service().serve_later(*queue_pair);
    for (const Member& member : members_)
        if (member.visits == Visits::when_named) member.queue_pair->leave(*this);
    heavy_barrier();  // peers that saw their channels in the crowd have stored before it
    for (const Member& member : members_)
        if (member.visits == Visits::when_named && member.queue_pair->shows_news())
            member.queue_pair->service().serve_later(*member.queue_pair);
    members_.clear();
    places_.clear();
    for (Source& each : sources_) each.source->close();
    Ref<SoftCompletionQueue> last;  // released outside the lock
    const Held lock(queue_mutex_);
    last = std::exchange(queue_, nullptr);
}

// ---- the sources

ReadySource* SoftCrowd::find(const void* wire) const {
    for (const Source& each : sources_)
        if (each.wire == wire) return each.source.get();
    return nullptr;
}

void SoftCrowd::add(const void* wire, Ref<ReadySource> source) {
    source->move_to(*loop_.load(std::memory_order_relaxed));
    source->set_attention(attention_);
    sources_.push_back({wire, std::move(source)});
}

void SoftCrowd::remove(const void* wire) {
    const auto left =
        std::find_if(sources_.begin(), sources_.end(), [wire](const Source& each) { return each.wire == wire; });
    left->source->close();
    sources_.erase(left);
}

void SoftCrowd::set_attention(Attention attention) {
    attention_ = attention;
    for (Source& each : sources_) each.source->set_attention(attention);
}

void SoftCrowd::collect(Asking asking) {
    for (Source& each : sources_) each.source->collect(ready_, asking);
}

// ---- pollers

void SoftCrowd::visit(Progress& progress, bool armed) {
    polls_.store(polls_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (!armed && trust_.counts()) [[unlikely]]
        count_poll();
    // Queue pairs that have something at each poll must not fill all arrays of results.
    const bool others_first = polls() % kPollsUntilOthers == 0;
    if (others_first) turns_.visit(progress);
    bool moved = !others_first && visit_busy(progress);
    moved |= visit_named(progress);
    if (!others_first && !progress.full()) turns_.visit(progress);
    if (!moved)
        count_idle_poll();
    else
        idle_polls_ = 0, nudges_.restart();
    // No source will name the rest again, and this poll may be the last before an event.
    if (!ready_.empty() && attention_ == Attention::asleep) [[unlikely]]
        serve_later();
}

bool SoftCrowd::visit_busy(Progress& progress) {
    bool moved = false;
    const auto look = [&](Place place, bool followed) {
        if (progress.full()) return false;
        const bool had =
            followed ? visit_followed(place, progress) : at(place)->shows_arrival() && visit(place, progress);
        moved |= had;
        return had;
    };
    busy_.visit_all(look, [this](Place place) {
        unfollow(place);
        heavy_barrier();
        ready_.add(place);
    });
    return moved;
}

// Visits a followed queue pair, which is polled as one outside crowds. Returns true if something moved.
bool SoftCrowd::visit_followed(Place place, Progress& progress) {
    const std::uint32_t before = at(place)->moves();
    at(place)->poll(progress);
    return at(place)->moves() != before;
}

void SoftCrowd::unfollow(Place place) { (void)at(place)->follow(false); }

bool SoftCrowd::visit_named(Progress& progress) {
    if (progress.full()) return false;
    collect(Asking::in_passing);
    bool moved = false;
    for (std::size_t left = std::min(ready_.size(), kMostVisits); left > 0 && !progress.full(); --left) {
        const Place place = ready_.take();
        const bool had = visit(place, progress);
        moved |= had;
        if (had || busy_.knows(place)) note_busy(place);  // a visit before its name took what it had
    }
    return moved;
}

void SoftCrowd::note_busy(Place place) {
    const bool follows = busy_.note(place) && attention_ == Attention::polling && at(place) && at(place)->follow(true);
    if (follows) busy_.follow(place);
}

// Visits one queue pair. Returns true if something moved.
bool SoftCrowd::visit(Place place, Progress& progress) {
    PolledQueuePair* const queue_pair = at(place);
    if (!queue_pair) return false;
    const PolledQueuePair::Visited visited = queue_pair->visit(progress);
    if (visited.left) ready_.add(place);
    return visited.moved;
}

// Counts a poll, as PolledQueuePair does: the peers may rely on a poller only while the queue is not armed. A thread
// that arms it waits for the list lock, and then sets attention itself: no barrier is due here.
void SoftCrowd::count_poll() {
    if (const std::optional<Attention> attention = trust_.count()) set_attention(*attention);
}

void SoftCrowd::count_idle_poll() {
    if (++idle_polls_ % kPollsUntilClock != 0) return;
    if (idle_polls_ == kPollsUntilClock) idle_since_ = now();
    if (!nudges_.is_due(idle_polls_, now() - idle_since_)) return;
    idle_polls_ = 0;
    for (Source& each : sources_) each.source->nudge();
}

// ---- other threads

bool SoftCrowd::fall_asleep() {
    const bool was_polling = std::exchange(attention_, Attention::asleep) == Attention::polling;
    trust_.restart();
    set_attention(Attention::asleep);
    busy_.visit_followed([this](Place place) { unfollow(place); });
    return was_polling;
}

// Lists the followed queue pairs that have news, and follows none any more. Called after fall_asleep() and the barrier
// that is due.
void SoftCrowd::look_at_followed() {
    busy_.let_go([this](Place place) {
        if (at(place)->shows_news()) ready_.add(place);
    });
}

bool SoftCrowd::ask_to_be_woken() {
    trust_.trust_anew();
    const bool was_polling = fall_asleep();
    for (Source& each : sources_) each.source->nudge();
    return turns_.ask_to_be_woken() || was_polling;
}

void SoftCrowd::run(Progress& progress) {
    look_at_followed();
    collect(Asking::thoroughly);
    while (!ready_.empty()) {
        PolledQueuePair* const queue_pair = at(ready_.take());
        if (queue_pair) queue_pair->run(progress);
    }
    turns_.run(progress);
}

std::size_t SoftCrowd::take_named(std::span<Ref<PolledQueuePair>> named, Poller poller) {
    const bool takes_over = poller == Poller::may_have_left;
    const bool was_polling = takes_over && fall_asleep();
    if (was_polling)
        heavy_barrier();
    else
        full_barrier();
    if (takes_over) look_at_followed();
    collect(Asking::thoroughly);
    if (was_polling && !ready_.empty()) trust_.trust_less();
    std::size_t count = 0;
    while (count < named.size() && !ready_.empty())
        if (PolledQueuePair* const queue_pair = at(ready_.take())) named[count++] = Ref<PolledQueuePair>(queue_pair);
    return count;
}

void SoftCrowd::serve() {
    serve_due_.store(false, std::memory_order_relaxed);
    if (const Ref<SoftCompletionQueue> queue = this->queue()) queue->serve_crowd(Poller::may_be_there);
}

void SoftCrowd::take_over() {
    if (const Ref<SoftCompletionQueue> queue = this->queue()) queue->serve_crowd(Poller::may_have_left);
}

void SoftCrowd::serve_later() {
    if (serve_due_.exchange(true, std::memory_order_relaxed)) return;
    until_memory(
        [&] { loop_.load(std::memory_order_relaxed)->post([self = Ref<SoftCrowd>(this)] { self->serve(); }); });
}

}  // namespace opennd::soft
