// SPDX-License-Identifier: MIT
// SoftCompletionQueue: see completion_queue.h.
#include "transport/soft/progress/completion_queue.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/progress/polled_queue_pair.h"

namespace opennd::soft {
namespace {

// A poll visits all queue pairs while they are few: no more than kAlwaysVisited, and no more than kAlwaysAsked where a look is a system
// call. More are a crowd, until no more than kFewAgain and kFewAskedAgain are left.
constexpr std::size_t kAlwaysVisited = 16, kAlwaysAsked = 2;
constexpr std::size_t kFewAgain = 8, kFewAskedAgain = 1;
// The number of queue pairs that the service thread serves for a crowd before the turn of others.
constexpr std::size_t kServedAtOnce = 64;
// A queue gets a loop of its own, if there may be more of them, once a loop has served it kServedOften times within kShortly.
constexpr std::uint32_t kServedOften = 64;
constexpr std::chrono::milliseconds kShortly{100};

}  // namespace

template <typename Function>
void SoftCompletionQueue::for_each(Function function) const {
    for (PolledQueuePair* const each : attached_) function(*each);
    if (crowd_) crowd_->for_each(function);
}

SoftCompletionQueue::SoftCompletionQueue(std::uint32_t depth, OverrunRule rule, NotifyRule notify_rule,
                                         CompletionQueueSink& sink, RoomJudge* judge)
    : ring_(*this, depth, rule, notify_rule, sink, judge) {}

std::size_t SoftCompletionQueue::poll(std::span<Completion> completions) {
    std::span<Completion> room = completions;
    if (!ring_.empty()) [[unlikely]] {
        room = room.subspan(take(room));
        if (room.empty()) return completions.size();
    }
    if (list_lock_.try_lock()) [[likely]] {  // its holder makes the progress
        Progress progress(ring_, room);
        poll_attached(progress);
        list_lock_.unlock();
        progress.after.run();
        room = room.subspan(progress.used);
    }
    if (!room.empty() && !ring_.empty()) [[unlikely]]
        room = room.subspan(take(room));
    return completions.size() - room.size();
}

std::size_t SoftCompletionQueue::take(std::span<Completion> completions) {
    const Held lock(ring_.lock());
    return ring_.take(completions);
}

inline void SoftCompletionQueue::poll_attached(Progress& progress) {
    if (crowd_) [[unlikely]]
        return crowd_->visit(progress, ring_.armed());
    for (PolledQueuePair* queue_pair : attached_) {
        queue_pair->poll(progress);
        if (progress.full()) break;
    }
}

void SoftCompletionQueue::run_deferred() {
    if (ring_.deliver()) end_after_overrun();
}

void SoftCompletionQueue::end_after_overrun() {
    Progress progress;
    {
        const Held list(list_lock_);
        for_each([&progress](PolledQueuePair& queue_pair) { queue_pair.fail(progress); });
    }
    progress.after.run();
    ring_.tell_overrun();
}

void SoftCompletionQueue::arm(NotifyKind kind) {
    {
        const Held lock(ring_.lock());
        (void)ring_.arm(kind);
    }
    const bool armed = ring_.armed();
    run_deferred();
    if (!armed) return;
    full_barrier();  // a poller that sets attention sees that this is armed, or sets it before the loop below
    // Peers must ring from here on. Then the engine runs once more: it finds all that a peer published before it saw
    // the new attention; a peer that saw it rings (ND2-CQ-NTF-08).
    Progress progress;
    {
        const Held list(list_lock_);
        follow_thread();
        if (ask_to_be_woken())
            heavy_barrier();
        else
            full_barrier();
        run_attached(progress);
    }
    progress.after.run();
}

bool SoftCompletionQueue::ask_to_be_woken() {
    if (crowd_) return crowd_->ask_to_be_woken();
    bool was_polling = false;
    for (PolledQueuePair* queue_pair : attached_) was_polling |= queue_pair->ask_to_be_woken();
    return was_polling;
}

void SoftCompletionQueue::run_attached(Progress& progress) {
    if (crowd_) return crowd_->run(progress);
    for (PolledQueuePair* queue_pair : attached_) queue_pair->run(progress);
}

void SoftCompletionQueue::serve_crowd(SoftCrowd::Poller poller) {
    std::array<Ref<PolledQueuePair>, kServedAtOnce> named;
    Ref<SoftCrowd> crowd;
    std::size_t count = 0;
    {
        const Held list(list_lock_);
        crowd = crowd_;
        if (!crowd) return;
        count = crowd->take_named(named, poller);
    }
    for (std::size_t i = 0; i < count; ++i) {
        named[i]->run();
        note_served();
    }
    if (count == named.size()) crowd->serve_later();
}

void SoftCompletionQueue::disarm() {
    const Held lock(ring_.lock());
    ring_.disarm();
}

WaitingCompletions SoftCompletionQueue::count_waiting() {
    const Held lock(ring_.lock());
    return ring_.waiting();
}

Status SoftCompletionQueue::resize(std::uint32_t depth) {
    const Held lock(ring_.lock());
    return ring_.resize(depth);
}

void SoftCompletionQueue::close() { ring_.close(); }

std::optional<std::size_t> SoftCompletionQueue::loop() const {
    const Service* const service = service_.load(std::memory_order_relaxed);
    if (!service) return std::nullopt;
    return service->loop().number();
}

void SoftCompletionQueue::attach(PolledQueuePair& queue_pair, std::uint32_t depth) {
    const Held list(list_lock_);
    ring_.make_room(depth);
    if (has(queue_pair)) return;
    try {
        enlist(queue_pair);
    } catch (...) {
        ring_.give_room(depth);
        throw;
    }
}

bool SoftCompletionQueue::has(const PolledQueuePair& queue_pair) const {
    if (crowd_) return crowd_->has(queue_pair);
    return std::find(attached_.begin(), attached_.end(), &queue_pair) != attached_.end();
}

void SoftCompletionQueue::enlist(PolledQueuePair& queue_pair) {
    if (!crowd_ && attached_.size() >= kAlwaysVisited) begin_crowd();
    if (crowd_)
        crowd_->add(queue_pair);
    else
        attached_.push_back(&queue_pair);
    size_.store(size_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::size_t SoftCompletionQueue::count_asked() const {
    std::size_t count = 0;
    const auto add = [&count](const PolledQueuePair& queue_pair) { count += queue_pair.looks_by_call() ? 1 : 0; };
    for_each(add);
    return count;
}

// ---- loops

// The first queue pair over a socket stays where it is.
void SoftCompletionQueue::place(PolledQueuePair& queue_pair) {
    if (!queue_pair.receives_in(*this)) return;
    Service* placed = service_.load(std::memory_order_relaxed);
    if (!placed) {
        placed = &queue_pair.service();
        service_.store(placed, std::memory_order_relaxed);
        services_ = &queue_pair.adapter()->services();
    }
    if (placed != &queue_pair.service()) queue_pair.move_to(*placed);
}

// The thread that arms the queue is likely to wait for it. It helps a loop meanwhile: no other thread has to wake for an arrival if that
// is the loop of the queue.
void SoftCompletionQueue::follow_thread() {
    if (!services_ || !services_->has_others() || EventLoop::in_callback()) return;
    Service& own = services_->of_thread();
    is_placed_ = true;
    if (&own == service_.load(std::memory_order_relaxed)) {
        strange_arms_ = 0;
    } else if (++strange_arms_ >= patience_) {
        strange_arms_ = 0;
        patience_ = std::min(2 * patience_, services_->most_patience());
        move_to(own);
    }
}

// A program that neither polls nor waits leaves all work to the loop.
void SoftCompletionQueue::note_served() {
    const std::uint32_t served = served_.load(std::memory_order_relaxed) + 1;
    served_.store(served % kServedOften, std::memory_order_relaxed);
    if (served == 1) served_since_.store(now(), std::memory_order_relaxed);
    if (served != kServedOften || now() - served_since_.load(std::memory_order_relaxed) > kShortly) return;
    const Held list(list_lock_);
    if (!services_ || is_placed_ || !services_->has_others()) return;
    is_placed_ = true;
    move_to(services_->next());
}

void SoftCompletionQueue::move_to(Service& to) {
    if (service_.load(std::memory_order_relaxed) == &to) return;
    service_.store(&to, std::memory_order_relaxed);
    for_each([&](PolledQueuePair& each) {
        if (each.looks_by_call() && each.receives_in(*this)) each.move_to(to);
    });
    if (crowd_) crowd_->move_to(to);
}

void SoftCompletionQueue::begin_crowd() {
    crowded_.store(true, std::memory_order_relaxed);
    full_barrier();  // before it is looked which queue pairs are connected
    try {
        const Service* const placed = service_.load(std::memory_order_relaxed);
        crowd_ = make_ref<SoftCrowd>(*this, (placed ? *placed : attached_.front()->service()).loop());
        for (PolledQueuePair* const each : attached_) crowd_->add(*each);
        attached_.reserve(kFewAgain);  // for those that are left of the crowd: detach() must not fail
        attached_.clear();
    } catch (...) {
        if (const Ref<SoftCrowd> begun = std::exchange(crowd_, nullptr)) begun->end();
        crowded_.store(false, std::memory_order_relaxed);
        throw;
    }
}

// If there is no memory for a crowd, a poll goes on to ask each socket.
void SoftCompletionQueue::connected(PolledQueuePair& queue_pair) {
    const bool is_asked = queue_pair.looks_by_call();
    if (!is_asked && !crowded_.load(std::memory_order_relaxed)) return;
    const Held list(list_lock_);
    if (!has(queue_pair)) return;  // closed meanwhile
    if (is_asked) place(queue_pair);
    try {
        if (!crowd_ && count_asked() > kAlwaysAsked) begin_crowd();
    } catch (const std::bad_alloc&) {
    }
    if (crowd_) crowd_->connected(queue_pair);
}

void SoftCompletionQueue::detach(PolledQueuePair& queue_pair, std::uint32_t depth) {
    Ref<SoftCrowd> ended;  // released outside the locks
    const auto leave = [&]() REQUIRES(list_lock_) {
        if (!has(queue_pair)) return;
        size_.store(size_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
        if (!crowd_) return (void)std::erase(attached_, &queue_pair);
        crowd_->remove(queue_pair);
        if (crowd_->size() > kFewAgain || count_asked() > kFewAskedAgain) return;
        crowd_->list(attached_);
        crowded_.store(false, std::memory_order_relaxed);
        ended = std::exchange(crowd_, nullptr);
        ended->end();
    };
    {
        const Held list(list_lock_);
        leave();
    }
    ring_.give_room(depth);
}

}  // namespace opennd::soft
