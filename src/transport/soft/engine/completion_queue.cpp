// SPDX-License-Identifier: MIT
// SoftCompletionQueue: see completion_queue.h.
#include "transport/soft/engine/completion_queue.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/until_memory.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/queue_pair.h"
#include "transport/soft/engine/shared_receive_queue.h"

namespace opennd::soft {
namespace {

// Up to kAlwaysVisited queue pairs, a poll visits all. More are a crowd, until no more than kFewAgain are left.
constexpr std::size_t kAlwaysVisited = 16;
constexpr std::size_t kFewAgain = 8;
// Queue pairs that the service thread serves for a crowd before the turn of others.
constexpr std::size_t kServedAtOnce = 64;

}  // namespace

struct Progress::Deferred {
    std::vector<Ref<SoftCompletionQueue>> due;
    std::vector<Ref<SoftSharedReceiveQueue>> low;
    std::vector<Ref<SoftQueuePair>> unsettled;
};

void Progress::Delete::operator()(Deferred* deferred) const { delete deferred; }

Progress::Deferred& Progress::deferred() {
    if (!deferred_) deferred_.reset(new Deferred);
    return *deferred_;
}

// A completion that waits for its event has no other way to it.
void Progress::add_due(SoftCompletionQueue& completion_queue) {
    until_memory([&] { deferred().due.emplace_back(&completion_queue); });
}

void Progress::add_due(SoftSharedReceiveQueue& shared_receive_queue) {
    until_memory([&] { deferred().low.emplace_back(&shared_receive_queue); });
}

void Progress::add_unsettled(SoftQueuePair& queue_pair) {
    until_memory([&] { deferred().unsettled.emplace_back(&queue_pair); });
}

void Progress::do_all_deferred() {
    const std::unique_ptr<Deferred, Delete> all = std::move(deferred_);
    for (const Ref<SoftCompletionQueue>& completion_queue : all->due) completion_queue->deliver_event();
    for (const Ref<SoftSharedReceiveQueue>& shared_receive_queue : all->low) shared_receive_queue->deliver_event();
    for (const Ref<SoftQueuePair>& queue_pair : all->unsettled) queue_pair->do_deferred();
}

SoftCompletionQueue::SoftCompletionQueue(std::uint32_t depth, OverrunRule rule, NotifyRule notify_rule,
                                         CompletionQueueSink& sink, RoomJudge* judge)
    : ring_(depth, rule, notify_rule, sink, judge) {}

// Drops the completions that were not retrieved; the shared receive queues, which stay in use, get their slots back.
SoftCompletionQueue::~SoftCompletionQueue() {
    const Held lock(ring_.lock());
    ring_.for_each_credit([](const Credit& credit) {
        if (credit.shared) credit.give();
    });
}

std::size_t SoftCompletionQueue::poll(std::span<Completion> completions) {
    std::span<Completion> room = completions;
    if (!ring_.empty()) [[unlikely]] {
        room = room.subspan(take(room));
        if (room.empty()) return completions.size();
    }
    if (list_lock_.try_lock()) [[likely]] {  // its holder makes the progress
        Progress progress(*this, room);
        visit_attached(progress);
        list_lock_.unlock();
        progress.do_deferred();
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

inline void SoftCompletionQueue::visit_attached(Progress& progress) {
    if (crowd_) [[unlikely]]
        return crowd_->visit(progress, armed());
    for (SoftQueuePair* queue_pair : attached_) {
        queue_pair->poll(progress);
        if (progress.full()) break;
    }
}

void SoftCompletionQueue::append(const Ring::Entry& entry, Progress& progress) {
    const Held lock(ring_.lock());
    if (ring_.append(entry).due) progress.add_due(*this);
}

void SoftCompletionQueue::deliver_event() {
    if (ring_.deliver()) end_after_overrun();
}

void SoftCompletionQueue::end_after_overrun() {
    Progress progress;
    {
        const Held list(list_lock_);
        for (SoftQueuePair* queue_pair : attached_) queue_pair->fail(progress);
        if (crowd_) crowd_->for_each([&progress](SoftQueuePair& queue_pair) { queue_pair.fail(progress); });
    }
    progress.do_deferred();
    ring_.tell_overrun();
}

void SoftCompletionQueue::arm(NotifyKind kind) {
    {
        const Held lock(ring_.lock());
        (void)ring_.arm(kind);
    }
    const bool armed = ring_.armed();
    deliver_event();
    if (!armed) return;
    full_barrier();  // a poller that sets attention sees that this is armed, or sets it before the loop below
    // From here on peers must ring. Then the engine runs once more: it finds all that a peer published before it saw the new
    // attention; a peer that saw it rings (ND2-CQ-NTF-08).
    Progress progress;
    {
        const Held list(list_lock_);
        if (ask_to_be_woken())
            heavy_barrier();
        else
            full_barrier();
        run_attached(progress);
    }
    progress.do_deferred();
}

bool SoftCompletionQueue::ask_to_be_woken() {
    if (crowd_) return crowd_->ask_to_be_woken();
    bool was_polling = false;
    for (SoftQueuePair* queue_pair : attached_) was_polling |= queue_pair->ask_to_be_woken();
    return was_polling;
}

void SoftCompletionQueue::run_attached(Progress& progress) {
    if (crowd_) return crowd_->run(progress);
    for (SoftQueuePair* queue_pair : attached_) queue_pair->run(progress);
}

void SoftCompletionQueue::serve_crowd(SoftCrowd::Poller poller) {
    std::array<Ref<SoftQueuePair>, kServedAtOnce> named;
    Ref<SoftCrowd> crowd;
    std::size_t count = 0;
    {
        const Held list(list_lock_);
        crowd = crowd_;
        if (!crowd) return;
        count = crowd->take_named(named, poller);
    }
    for (std::size_t i = 0; i < count; ++i) {
        Progress progress;
        if (named[i]->run_named(progress)) named[i]->adapter()->service().serve_later(*named[i]);
        progress.do_deferred();
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

void SoftCompletionQueue::attach(SoftQueuePair& queue_pair, std::uint32_t depth) {
    const Held list(list_lock_);
    {
        const Held lock(ring_.lock());
        ring_.add_room(depth);
    }
    if (has(queue_pair)) return;
    try {
        enlist(queue_pair);
    } catch (...) {
        const Held lock(ring_.lock());
        ring_.remove_room(depth);
        throw;
    }
}

bool SoftCompletionQueue::has(const SoftQueuePair& queue_pair) const {
    if (crowd_) return crowd_->has(queue_pair);
    return std::find(attached_.begin(), attached_.end(), &queue_pair) != attached_.end();
}

void SoftCompletionQueue::enlist(SoftQueuePair& queue_pair) {
    if (!crowd_ && attached_.size() >= kAlwaysVisited) begin_crowd();
    if (crowd_)
        crowd_->add(queue_pair);
    else
        attached_.push_back(&queue_pair);
}

void SoftCompletionQueue::begin_crowd() {
    crowded_.store(true, std::memory_order_relaxed);
    full_barrier();  // before it is looked which queue pairs are connected
    crowd_ = make_ref<SoftCrowd>(*this, attached_.front()->adapter()->event_loop());
    try {
        for (SoftQueuePair* const each : attached_) crowd_->add(*each);
        attached_.clear();  // and has room for those that are left of the crowd
    } catch (...) {
        std::exchange(crowd_, nullptr)->end();
        crowded_.store(false, std::memory_order_relaxed);
        throw;
    }
}

void SoftCompletionQueue::connected(SoftQueuePair& queue_pair) {
    if (!crowded_.load(std::memory_order_relaxed)) return;
    const Held list(list_lock_);
    if (crowd_) crowd_->connected(queue_pair);
}

void SoftCompletionQueue::detach(SoftQueuePair& queue_pair, std::uint32_t depth,
                                 const std::atomic<std::uint32_t>& freed) {
    Ref<SoftCrowd> ended;  // released outside the locks
    const auto leave = [&]() REQUIRES(list_lock_) {
        if (!crowd_) return (void)std::erase(attached_, &queue_pair);
        if (!crowd_->has(queue_pair)) return;
        crowd_->remove(queue_pair);
        if (crowd_->size() > kFewAgain) return;
        crowd_->list(attached_);
        crowded_.store(false, std::memory_order_relaxed);
        ended = std::exchange(crowd_, nullptr);
        ended->end();
    };
    {
        const Held list(list_lock_);
        leave();
    }
    const Held lock(ring_.lock());
    ring_.remove_room(depth);
    ring_.for_each_credit([&freed](Credit& credit) {
        if (credit.freed == &freed) credit.freed = nullptr;
    });
}

void SoftCompletionQueue::add_room() {
    const Held lock(ring_.lock());
    ring_.add_room(1);
}

void SoftCompletionQueue::remove_room() {
    const Held lock(ring_.lock());
    ring_.remove_room(1);
}

bool SoftCompletionQueue::overrun() {
    const Held lock(ring_.lock());
    return ring_.overrun();
}

void SoftCompletionQueue::attach_shared(SoftSharedReceiveQueue& queue, std::uint32_t depth) {
    const Held lock(ring_.lock());
    Sharing& sharing = sharing_of(queue);
    deepen(sharing, depth);
    ++sharing.queue_pairs;
}

void SoftCompletionQueue::deepen_shared(SoftSharedReceiveQueue& queue, std::uint32_t depth) {
    const Held lock(ring_.lock());
    deepen(sharing_of(queue), depth);
}

SoftCompletionQueue::Sharing& SoftCompletionQueue::sharing_of(SoftSharedReceiveQueue& queue) {
    for (Sharing& sharing : sharings_)
        if (sharing.queue.get() == &queue) return sharing;
    return sharings_.emplace_back(Sharing{Ref<SoftSharedReceiveQueue>(&queue)});
}

void SoftCompletionQueue::deepen(Sharing& sharing, std::uint32_t depth) {
    if (depth <= sharing.depth) return;
    const std::uint32_t more = depth - sharing.depth;
    ring_.add_room(more);
    sharing.depth = depth;
}

void SoftCompletionQueue::detach_shared(SoftSharedReceiveQueue& queue) {
    std::vector<Ref<SoftSharedReceiveQueue>> unused;  // released without the lock
    const Held lock(ring_.lock());
    unused.reserve(sharings_.size());
    Sharing& left = sharing_of(queue);
    if (--left.queue_pairs != 0) return;
    ring_.remove_room(std::exchange(left.depth, 0));
    for (Sharing& sharing : sharings_) {
        const auto from_it = [&freed = sharing.queue->freed()](const Credit& credit) { return credit.freed == &freed; };
        if (sharing.queue_pairs == 0 && !ring_.has_credit(from_it)) unused.push_back(std::move(sharing.queue));
    }
    std::erase_if(sharings_, [](const Sharing& sharing) { return !sharing.queue; });
}

}  // namespace opennd::soft
