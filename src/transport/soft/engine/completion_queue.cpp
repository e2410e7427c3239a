// SPDX-License-Identifier: MIT
// SoftCompletionQueue: see completion_queue.h.
#include "transport/soft/engine/completion_queue.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/explanation.h"
#include "base/until_memory.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/queue_pair.h"
#include "transport/soft/engine/room_judge.h"
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
    : ring_only_(rule == OverrunRule::strict || judge != nullptr),
      rule_(rule),
      notify_rule_(notify_rule),
      judge_(judge),
      all_in_ring_(ring_only_.load(std::memory_order_relaxed)),
      depth_(depth),
      unjudged_depth_(judge != nullptr ? 0 : depth),
      sink_(&sink) {}

// Drops the completions that were not retrieved; the shared receive queues, which stay in use, get their slots back.
SoftCompletionQueue::~SoftCompletionQueue() {
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Credit& credit = ring_[(head_ + i) & (capacity_ - 1)].credit;
        if (credit.shared) credit.give();
    }
}

std::size_t SoftCompletionQueue::poll(std::span<Completion> completions) {
    std::span<Completion> room = completions;
    if (count_.load(std::memory_order_acquire) != 0) [[unlikely]] {
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
    if (!room.empty() && count_.load(std::memory_order_acquire) != 0) [[unlikely]]
        room = room.subspan(take(room));
    return completions.size() - room.size();
}

std::size_t SoftCompletionQueue::take(std::span<Completion> completions) {
    const Held lock(lock_);
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    const std::size_t taken = std::min<std::size_t>(completions.size(), count);
    for (std::size_t i = 0; i < taken; ++i) {
        const Entry& entry = ring_[head_++ & (capacity_ - 1)];
        completions[i] = entry.completion;
        if (entry.completion.solicited) --solicited_waiting_;
        if (entry.completion.operation == Operation::remote_invalidation) --invalidations_waiting_;
        entry.credit.give();
    }
    count_.store(count - static_cast<std::uint32_t>(taken), std::memory_order_release);
    return taken;
}

inline void SoftCompletionQueue::visit_attached(Progress& progress) {
    if (crowd_) [[unlikely]]
        return crowd_->visit(progress, armed());
    for (SoftQueuePair* queue_pair : attached_) {
        queue_pair->poll(progress);
        if (progress.full()) break;
    }
}

void SoftCompletionQueue::append(const Entry& entry, Progress& progress) {
    const Completion& completion = entry.completion;
    const Held lock(lock_);
    if (overrun_) return;
    if (!has_room_for(completion)) {
        overrun_ = overrun_due_ = true;
        progress.add_due(*this);
        return;
    }
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    ring_[(head_ + count) & (capacity_ - 1)] = entry;
    if (completion.solicited) ++solicited_waiting_;
    if (completion.operation == Operation::remote_invalidation) ++invalidations_waiting_;
    count_.store(count + 1, std::memory_order_release);
    if (!armed_for_ || !matches(completion, *armed_for_)) return;
    seen_through_ = head_ + count + 1;
    event_due_ = *armed_for_;
    end_arming();
    progress.add_due(*this);
}

void SoftCompletionQueue::end_arming() {
    armed_for_.reset();
    armed_.store(false, std::memory_order_relaxed);
    ring_only_.store(all_in_ring_, std::memory_order_relaxed);
}

// The ring holds all that the queue pairs can have outstanding: only the rule and the judge refuse room, and never to flushed
// requests (ND2-CQ-OVR-04).
bool SoftCompletionQueue::has_room_for(const Completion& completion) {
    if (completion.operation == Operation::remote_invalidation) return true;
    const std::uint32_t results = count_.load(std::memory_order_relaxed) - invalidations_waiting_;
    if (results < unjudged_depth_) return true;
    if (judge_ != nullptr && completion.status != Status::canceled) {
        cause_ = judge_->take_room();
        if (!cause_.empty()) return false;
    }
    if (results < depth_) return true;
    if (rule_ == OverrunRule::strict) return completion.status == Status::canceled;
    if (!depth_exceeded_) {
        depth_exceeded_ = true;
        (void)report(Status::overrun, {.object = "completion queue",
                                       .operation = "adding a result",
                                       .asked = "room for one more result, which is given; would overrun on hardware",
                                       .limit = phrase("{} results", depth_),
                                       .remedy = "create it at least as deep as all queues of its queue pairs together",
                                       .requirement = "ND2-CQ-OVR-03"});
    }
    return true;
}

bool SoftCompletionQueue::matches(const Completion& completion, NotifyKind kind) const {
    if (kind == NotifyKind::any) return true;
    if (kind == NotifyKind::solicited) return completion.solicited;  // failures are
    return notify_rule_ == NotifyRule::events && !ok(completion.status);
}

// Does the ring hold a completion that `kind` asks for?
bool SoftCompletionQueue::find_event(NotifyKind kind) {
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    if (notify_rule_ == NotifyRule::level)
        return kind == NotifyKind::any ? count != 0 : kind == NotifyKind::solicited && solicited_waiting_ != 0;
    // Unsolicited completions make no event of the other kinds; failed ones count as solicited.
    if (kind != NotifyKind::any && solicited_waiting_ == 0) return false;
    const bool some_taken = static_cast<std::int32_t>(seen_through_ - head_) < 0;
    for (std::uint32_t number = some_taken ? head_ : seen_through_; number != head_ + count; ++number) {
        if (!matches(ring_[number & (capacity_ - 1)].completion, kind)) continue;
        seen_through_ = notify_rule_ == NotifyRule::fresh ? head_ + count : number + 1;
        return true;
    }
    return false;
}

void SoftCompletionQueue::reserve(std::size_t room) {
    if (room <= capacity_) return;
    const std::size_t capacity = std::bit_ceil(room);
    auto ring = lazily_committed<Entry>(capacity);
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < count; ++i) ring[(head_ + i) & (capacity - 1)] = ring_[(head_ + i) & (capacity_ - 1)];
    ring_ = std::move(ring);
    capacity_ = capacity;
}

void SoftCompletionQueue::deliver_event() {
    std::optional<NotifyKind> event;
    bool overrun = false;
    {
        const Held lock(lock_);
        event.swap(event_due_);
        overrun = std::exchange(overrun_due_, false);
    }
    if (event) {
        const Held lock(sink_mutex_);
        if (sink_) sink_->on_completion_event(*event);
    }
    if (overrun) end_after_overrun();
}

// The queue pairs first: a program that is told of the overrun finds them dead (ND2-OVL-07).
void SoftCompletionQueue::end_after_overrun() {
    std::uint32_t depth = 0;
    std::string_view cause;
    {
        const Held lock(lock_);
        depth = depth_;
        cause = cause_;
    }
    const bool judged = !cause.empty();
    (void)report(Status::overrun,
                 {.object = "completion queue",
                  .operation = "adding a result",
                  .asked = "room for one more result",
                  .limit = judged ? phrase("{}; it and the queue pairs that use it are dead", cause)
                                  : phrase("{} results; it and the queue pairs that use it are dead", depth),
                  .remedy = judged ? "see OPENND_FAULTS, or opennd_faults_set"
                                   : "create it with room for all requests of its queue pairs, or take results first",
                  .requirement = "ND2-CQ-OVR-01"});
    Progress progress;
    {
        const Held list(list_lock_);
        for (SoftQueuePair* queue_pair : attached_) queue_pair->fail(progress);
        if (crowd_) crowd_->for_each([&progress](SoftQueuePair& queue_pair) { queue_pair.fail(progress); });
    }
    progress.do_deferred();
    const Held lock(sink_mutex_);
    if (sink_) sink_->on_overrun();
}

void SoftCompletionQueue::arm(NotifyKind kind) {
    bool armed = false;
    {
        const Held lock(lock_);
        if (find_event(kind)) {
            event_due_ = std::max(event_due_.value_or(kind), kind);
        } else {
            armed_for_ = std::max(armed_for_.value_or(kind), kind);
            armed_.store(true, std::memory_order_relaxed);
            ring_only_.store(true, std::memory_order_relaxed);
        }
        armed = armed_for_.has_value();
    }
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
    const Held lock(lock_);
    end_arming();
}

WaitingCompletions SoftCompletionQueue::count_waiting() {
    const Held lock(lock_);
    return {count_.load(std::memory_order_relaxed), solicited_waiting_};
}

Status SoftCompletionQueue::resize(std::uint32_t depth) {
    const Held lock(lock_);
    if (count_.load(std::memory_order_relaxed) - invalidations_waiting_ > depth) return Status::overrun;  // ND1-CQ-08
    depth_ = depth;
    unjudged_depth_ = judge_ != nullptr ? 0 : depth;
    depth_exceeded_ = false;
    return Status::success;
}

void SoftCompletionQueue::close() {
    const Held lock(sink_mutex_);
    sink_ = nullptr;
}

void SoftCompletionQueue::attach(SoftQueuePair& queue_pair, std::uint32_t depth) {
    const Held list(list_lock_);
    {
        const Held lock(lock_);
        reserve(attached_depth_ + depth + count_.load(std::memory_order_relaxed));
        attached_depth_ += depth;
    }
    if (has(queue_pair)) return;
    try {
        enlist(queue_pair);
    } catch (...) {
        const Held lock(lock_);
        attached_depth_ -= depth;
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
    const Held lock(lock_);
    attached_depth_ -= depth;
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < count; ++i) {
        Credit& credit = ring_[(head_ + i) & (capacity_ - 1)].credit;
        if (credit.freed == &freed) credit.freed = nullptr;
    }
}

void SoftCompletionQueue::add_room() {
    const Held lock(lock_);
    reserve(attached_depth_ + 1 + count_.load(std::memory_order_relaxed));
    ++attached_depth_;
}

void SoftCompletionQueue::remove_room() {
    const Held lock(lock_);
    --attached_depth_;
}

bool SoftCompletionQueue::overrun() {
    const Held lock(lock_);
    return overrun_;
}

void SoftCompletionQueue::attach_shared(SoftSharedReceiveQueue& queue, std::uint32_t depth) {
    const Held lock(lock_);
    Sharing& sharing = sharing_of(queue);
    deepen(sharing, depth);
    ++sharing.queue_pairs;
}

void SoftCompletionQueue::deepen_shared(SoftSharedReceiveQueue& queue, std::uint32_t depth) {
    const Held lock(lock_);
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
    reserve(attached_depth_ + more + count_.load(std::memory_order_relaxed));
    attached_depth_ += more;
    sharing.depth = depth;
}

void SoftCompletionQueue::detach_shared(SoftSharedReceiveQueue& queue) {
    std::vector<Ref<SoftSharedReceiveQueue>> unused;  // released without the lock
    const Held lock(lock_);
    unused.reserve(sharings_.size());
    Sharing& left = sharing_of(queue);
    if (--left.queue_pairs != 0) return;
    attached_depth_ -= std::exchange(left.depth, 0);
    for (Sharing& sharing : sharings_)
        if (sharing.queue_pairs == 0 && !holds_credit_of(*sharing.queue)) unused.push_back(std::move(sharing.queue));
    std::erase_if(sharings_, [](const Sharing& sharing) { return !sharing.queue; });
}

bool SoftCompletionQueue::holds_credit_of(SoftSharedReceiveQueue& queue) {
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < count; ++i)
        if (ring_[(head_ + i) & (capacity_ - 1)].credit.freed == &queue.freed()) return true;
    return false;
}

}  // namespace opennd::soft
