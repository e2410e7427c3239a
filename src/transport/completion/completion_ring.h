// SPDX-License-Identifier: MIT
// The ring of a completion queue: results between their making and their retrieval, the room for them, the event that the program
// armed, and the overrun. It knows no queue pair: what makes the results is the business of the completion queue that has the ring.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/lock.h"
#include "model/completion.h"
#include "model/overrun_rule.h"
#include "platform/memory/lazy_array.h"
#include "transport/completion/room_judge.h"
#include "transport/completion_queue.h"

namespace opennd {

// More than `depth` results wait, and there is room for them: told once (ND2-CQ-OVR-03).
[[gnu::cold]] void report_exceeded_depth(std::uint32_t depth);
// A result found no room: `depth` results wait, or `cause`, a judge's text, took the room (ND2-CQ-OVR-01).
[[gnu::cold]] void report_overrun(std::uint32_t depth, std::string_view cause);

// The retrieval of a result gives its `Credit` back to the queue of its request: a trivial type, with give() const.
//
// Functions that require lock() leave the choice of its scope to the completion queue, so that hardware can be read under it as well. It is
// taken after a queue pair's lock; the ring calls nothing under it but the judge.
template <typename Credit>
class CompletionRing {
public:
    struct Entry {
        Completion completion;
        Credit credit;
    };
    // kept: the ring has the result; otherwise the queue has overrun, and the credit is the caller's. due: deliver() has work.
    struct Added {
        bool kept = true;
        bool due = false;
    };

    // `judge` outlives the ring; null: the rule alone decides about room.
    CompletionRing(std::uint32_t depth, OverrunRule rule, NotifyRule notify_rule, CompletionQueueSink& sink,
                   RoomJudge* judge = nullptr)
        : ring_only_(rule == OverrunRule::strict || judge != nullptr),
          rule_(rule),
          notify_rule_(notify_rule),
          judge_(judge),
          depth_(depth),
          sink_(&sink) {}
    CompletionRing(const CompletionRing&) = delete;
    CompletionRing& operator=(const CompletionRing&) = delete;

    SpinLock& lock() LOCK_RETURNED(lock_) { return lock_; }

    // ---- With the lock or without it.

    // Returns true if no result waits. Acquire: a thread that finds one sees all that its maker did before.
    bool empty() const { return count_.load(std::memory_order_acquire) == 0; }
    // Returns true if each result has to pass through the ring: for the rule, the judge or an armed event. Otherwise it
    // may go straight to a thread that polls if the ring is empty().
    bool sees_all() const { return ring_only_.load(std::memory_order_relaxed); }
    // Returns true if a thread waits for an event and must be woken for it, though others may poll meanwhile. Relaxed:
    // callers order their own accesses.
    bool armed() const { return armed_.load(std::memory_order_relaxed); }

    // ---- Results.

    // Appends the newest result. Throws std::bad_alloc where add_room() has made no room for it.
    Added append(const Entry& entry) REQUIRES(lock_) {
        const Completion& completion = entry.completion;
        if (overrun_) return {.kept = false};
        if (!has_room_for(completion)) {
            overrun_ = overrun_due_ = true;
            return {.kept = false, .due = true};
        }
        const std::uint32_t count = size();
        if (count == capacity_) [[unlikely]]
            reserve(count + 1);
        at(count) = entry;
        if (completion.solicited()) ++solicited_waiting_;
        if (completion.operation == Operation::remote_invalidation) ++invalidations_waiting_;
        count_.store(count + 1, std::memory_order_release);
        if (!armed_for_ || !matches(completion, *armed_for_)) return {.due = excess_due_};
        fire();
        return {.due = true};
    }
    // Moves the oldest results out, as many as there are and `completions` holds, and gives their credits. Returns how many.
    std::size_t take(std::span<Completion> completions) REQUIRES(lock_) {
        const std::uint32_t count = size();
        const std::size_t taken = std::min<std::size_t>(completions.size(), count);
        for (std::size_t i = 0; i < taken; ++i) {
            const Entry& entry = at(0);
            ++head_;
            completions[i] = entry.completion;
            if (entry.completion.solicited()) --solicited_waiting_;
            if (entry.completion.operation == Operation::remote_invalidation) --invalidations_waiting_;
            entry.credit.give();
        }
        count_.store(count - static_cast<std::uint32_t>(taken), std::memory_order_release);
        return taken;
    }
    WaitingCompletions waiting() REQUIRES(lock_) { return {size(), solicited_waiting_}; }
    // Calls `call(Credit&)` for each result that waits.
    template <typename Call>
    void for_each_credit(Call&& call) REQUIRES(lock_) {
        for (std::uint32_t i = 0; i < size(); ++i) call(at(i).credit);
    }
    // Returns true if a result that waits has a credit for which `condition(const Credit&)` holds.
    template <typename Condition>
    bool has_credit(Condition&& condition) REQUIRES(lock_) {
        for (std::uint32_t i = 0; i < size(); ++i)
            if (condition(std::as_const(at(i).credit))) return true;
        return false;
    }

    // ---- Room.

    // Makes room for `results` more beside the waiting ones, at any depth (ND2-CQ-OVR-02). Throws std::bad_alloc,
    // without effect.
    void add_room(std::uint32_t results) REQUIRES(lock_) {
        reserve(room_ + results + size());
        room_ += results;
    }
    void remove_room(std::uint32_t results) REQUIRES(lock_) { room_ -= results; }
    // Sets the depth that the rule goes by. overrun: more results wait, invalidations not counted (ND1-CQ-08,
    // ND2-CQ-RSZ-01).
    Status resize(std::uint32_t depth) REQUIRES(lock_) {
        if (results() > depth) return Status::overrun;
        depth_ = depth;
        depth_exceeded_ = false;
        return Status::success;
    }
    // Returns true if the queue has overrun, which is for good (ND2-CQ-OVR-01).
    bool overrun() REQUIRES(lock_) { return overrun_; }
    // Overruns the queue, because the hardware lost a result. Returns false if it has overrun before.
    bool lose_result() REQUIRES(lock_) {
        if (overrun_) return false;
        return overrun_ = overrun_due_ = true;
    }

    // ---- Events.

    // Arms for a result of this kind; a kind that dominates stays armed. Returns true if such a result waits, and its
    // event is due.
    bool arm(NotifyKind kind) REQUIRES(lock_) {
        if (find_event(kind)) {
            event_due_ = std::max(event_due_.value_or(kind), kind);
            return true;
        }
        armed_for_ = std::max(armed_for_.value_or(kind), kind);
        receives_count_ = true;
        armed_.store(true, std::memory_order_relaxed);
        ring_only_.store(true, std::memory_order_relaxed);
        return false;
    }
    void disarm() REQUIRES(lock_) {
        armed_for_.reset();
        receives_count_ = true;
        armed_.store(false, std::memory_order_relaxed);
        ring_only_.store(all_in_ring(), std::memory_order_relaxed);
    }
    std::optional<NotifyKind> armed_for() REQUIRES(lock_) { return armed_for_; }
    // Makes the armed event due, by all results that wait. The queue is armed.
    void fire() REQUIRES(lock_) {
        seen_through_ = head_ + size();
        event_due_ = *armed_for_;
        disarm();
    }
    // Sets whether receives that succeed count as solicited: they do not where the hardware alone knows which of them
    // are. True after each arm().
    void count_receives(bool count) REQUIRES(lock_) { receives_count_ = count; }
    bool receives_count() REQUIRES(lock_) { return receives_count_; }

    // Makes the due reports and calls of the sink. Returns true if the queue has overrun, which is reported; the caller
    // ends its queue pairs, so that a program which is told finds them dead (ND2-OVL-07), then calls tell_overrun(). No
    // lock held.
    [[nodiscard]] bool deliver() EXCLUDES(lock_, sink_mutex_) {
        const Due due = take_due();
        if (due.excess) report_exceeded_depth(due.depth);
        if (due.event) {
            const Held lock(sink_mutex_);
            if (sink_) sink_->on_completion_event(*due.event);
        }
        if (due.overrun) report_overrun(due.depth, due.cause);
        return due.overrun;
    }
    void tell_overrun() EXCLUDES(lock_, sink_mutex_) {
        const Held lock(sink_mutex_);
        if (sink_) sink_->on_overrun();
    }
    // The sink is not called after this returns.
    void close() EXCLUDES(lock_, sink_mutex_) {
        const Held lock(sink_mutex_);
        sink_ = nullptr;
    }

private:
    struct Due {
        std::optional<NotifyKind> event;
        bool excess, overrun;
        std::uint32_t depth;
        std::string_view cause;
    };
    Due take_due() EXCLUDES(lock_) {
        const Held lock(lock_);
        return {std::exchange(event_due_, std::nullopt), std::exchange(excess_due_, false),
                std::exchange(overrun_due_, false), depth_, cause_};
    }
    std::uint32_t size() const REQUIRES(lock_) { return count_.load(std::memory_order_relaxed); }
    Entry& at(std::uint32_t place) REQUIRES(lock_) { return ring_[(head_ + place) & (capacity_ - 1)]; }
    // The results that need room of the depth: all but invalidations (ND1-CQ-08).
    std::uint32_t results() const REQUIRES(lock_) { return size() - invalidations_waiting_; }
    bool all_in_ring() const { return rule_ == OverrunRule::strict || judge_ != nullptr; }

    // Returns true if there is room for the result. Only the rule and the judge refuse room, and never to flushed
    // requests (ND2-CQ-OVR-04).
    bool has_room_for(const Completion& completion) REQUIRES(lock_) {
        if (completion.operation == Operation::remote_invalidation) return true;
        if (judge_ != nullptr && completion.status != Status::canceled) {
            cause_ = judge_->take_room();
            if (!cause_.empty()) return false;
        }
        if (results() < depth_) return true;
        if (rule_ == OverrunRule::strict) return completion.status == Status::canceled;
        if (!std::exchange(depth_exceeded_, true)) excess_due_ = true;
        return true;
    }
    bool matches(const Completion& completion, NotifyKind kind) const REQUIRES(lock_) {
        if (kind == NotifyKind::any) return true;
        const bool failed = !ok(completion.status);
        if (kind == NotifyKind::solicited)
            return completion.solicited() && (receives_count_ || failed);  // failures are
        return notify_rule_ == NotifyRule::events && failed;
    }
    // Returns true if the ring holds a result that `kind` asks for.
    bool find_event(NotifyKind kind) REQUIRES(lock_) {
        const std::uint32_t end = head_ + size();
        if (notify_rule_ == NotifyRule::level)
            return kind == NotifyKind::any ? end != head_ : kind == NotifyKind::solicited && solicited_waiting_ != 0;
        if (kind != NotifyKind::any && solicited_waiting_ == 0) return false;
        const bool some_taken = static_cast<std::int32_t>(seen_through_ - head_) < 0;
        for (std::uint32_t number = some_taken ? head_ : seen_through_; number != end; ++number) {
            if (!matches(at(number - head_).completion, kind)) continue;
            seen_through_ = notify_rule_ == NotifyRule::fresh ? end : number + 1;
            return true;
        }
        return false;
    }
    void reserve(std::uint64_t results) REQUIRES(lock_) {
        if (results <= capacity_) return;
        const std::size_t capacity = std::bit_ceil(results);
        auto ring = lazily_committed<Entry>(capacity);
        for (std::uint32_t i = 0; i < size(); ++i) ring[(head_ + i) & (capacity - 1)] = at(i);
        ring_ = std::move(ring);
        capacity_ = capacity;
    }

    // Results in the ring. Written under lock_, also read without it: see empty().
    std::atomic<std::uint32_t> count_{0};
    // The queue is armed, its rule is strict, or there is a judge. Written under lock_, also read without it: see sees_all().
    std::atomic<bool> ring_only_;
    std::atomic<bool> armed_{false};  // armed_for_ has a value; written under lock_, also read without it

    const OverrunRule rule_;
    const NotifyRule notify_rule_;
    RoomJudge* const judge_;

    SpinLock lock_;
    LazyArray<Entry> ring_ GUARDED_BY(lock_);
    std::size_t capacity_ GUARDED_BY(lock_) = 0;  // a power of two
    std::uint32_t head_ GUARDED_BY(lock_) = 0;
    std::uint32_t depth_ GUARDED_BY(lock_);
    std::uint64_t room_ GUARDED_BY(lock_) = 0;  // for all requests that can be outstanding and have results here
    std::uint32_t solicited_waiting_ GUARDED_BY(lock_) = 0;
    std::uint32_t invalidations_waiting_ GUARDED_BY(lock_) = 0;
    // The number before which results have made their event, with NotifyRule::events or fresh. Numbered as head_ is.
    std::uint32_t seen_through_ GUARDED_BY(lock_) = 0;
    std::optional<NotifyKind> armed_for_ GUARDED_BY(lock_);
    std::optional<NotifyKind> event_due_ GUARDED_BY(lock_);
    bool receives_count_ GUARDED_BY(lock_) = true;
    bool depth_exceeded_ GUARDED_BY(lock_) = false;  // reported once
    bool overrun_ GUARDED_BY(lock_) = false;         // for good
    bool excess_due_ GUARDED_BY(lock_) = false;      // deliver() has not reported the exceeded depth yet
    bool overrun_due_ GUARDED_BY(lock_) = false;     // deliver() has not reported the overrun yet
    std::string_view cause_ GUARDED_BY(lock_) = {};  // the judge's, of the overrun; empty: the depth was exceeded

    Mutex sink_mutex_;  // held while the sink runs, so that close() returns after it
    CompletionQueueSink* sink_ GUARDED_BY(sink_mutex_);
};

}  // namespace opennd
