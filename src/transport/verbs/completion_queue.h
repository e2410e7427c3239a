// SPDX-License-Identifier: MIT
// A completion queue over hardware: a list of ibv_cqs and a ring. A poll takes results straight from the hardware, unless
// something must see them first; then they pass through the ring. The ring gives what an ibv_cq has not: events for what waits
// already, the three rules of notification, results that OpenND itself makes, and room for all attached queue pairs without
// ibv_resize_cq. Read request_ring.h first.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/lock.h"
#include "model/overrun_rule.h"
#include "platform/memory/lazy_array.h"
#include "transport/completion_queue.h"
#include "transport/verbs/after_lock.h"
#include "transport/verbs/hardware_queue.h"
#include "transport/verbs/region_map.h"
#include "transport/verbs/request_ring.h"

namespace opennd::verbs {

class VerbsCompletionQueue final : public TransportCompletionQueue, public DeviceUser {
public:
    static Result<Ref<VerbsCompletionQueue>> create(Ref<Device> device, std::uint32_t depth, OverrunRule rule,
                                                    NotifyRule notify_rule, CompletionQueueSink& sink);
    ~VerbsCompletionQueue() override;

    std::size_t poll(std::span<Completion> completions) override EXCLUDES(lock_);
    void arm(NotifyKind kind) override EXCLUDES(lock_);
    void disarm() override EXCLUDES(lock_);
    WaitingCompletions count_waiting() override EXCLUDES(lock_);
    Status resize(std::uint32_t depth) override EXCLUDES(lock_);
    void close() override EXCLUDES(lock_);

    // ---- For the queue pairs that complete here.

    // An ibv_cq with room for `depth` results, and room for them in the ring. insufficient_resources, no_memory, explained.
    Result<HardwareQueue*> attach(HardwareQueuePair& queue_pair, std::uint32_t depth, ResultsOf results_of)
        EXCLUDES(attach_mutex_, lock_);
    // The queue pair closes. Its results stay; the rings are not named any more (ND2-CQ-GET-05).
    void detach(HardwareQueuePair& queue_pair, HardwareQueue& queue, std::uint32_t depth)
        EXCLUDES(attach_mutex_, lock_);

    // The same for the receives that `queue_pair` takes out of a shared queue: one room of `depth` for all queue pairs that take from
    // that queue and complete here. `ring` has its slots.
    Result<HardwareQueue*> attach_shared(HardwareQueuePair& queue_pair, const RequestRing& ring, std::uint32_t depth)
        EXCLUDES(attach_mutex_, lock_);
    void detach_shared(HardwareQueuePair& queue_pair, const RequestRing& ring) EXCLUDES(attach_mutex_, lock_);
    // False: the hardware has no room for that depth.
    bool deepen_shared(const RequestRing& ring, std::uint32_t depth) EXCLUDES(attach_mutex_, lock_);
    // Results of shared receives name the ibv_qp that took them. Between the two, `queue_pair` gets those of this number.
    void add_taker(std::uint32_t number, HardwareQueuePair& queue_pair) EXCLUDES(lock_);
    void remove_taker(std::uint32_t number) EXCLUDES(lock_);

    // Moves the hardware's results into the ring. May be called with the lock of a queue pair held; the caller runs
    // `after` without it.
    void drain(AfterLock& after) EXCLUDES(lock_);
    // For a caller that waits for a result: in between, drain() is called as results come, whether the queue is armed or not. The
    // hardware's event is of any result then, so that every receive counts as solicited until the queue is armed again. The first
    // call drains. As drain().
    void begin_awaiting(AfterLock& after) EXCLUDES(lock_);
    void end_awaiting() EXCLUDES(lock_);
    // All that is outstanding or waits in `ring`, which the hardware owes nothing of any more, completes as canceled.
    void cancel(RequestRing& ring, std::uint32_t tail, AfterLock& after) EXCLUDES(lock_);
    // The oldest request in `ring` has not gone to the hardware: it completes with `status`.
    void refuse(RequestRing& ring, Status status, AfterLock& after) EXCLUDES(lock_);
    // The use of later results of the hardware for `ring`. ignored: the ring's memory stays for them.
    void set_results(const Ref<RequestRing>& ring, RequestRing::Results results) EXCLUDES(lock_);
    // Results of `ring` are counted from now on, and none that waits names it any more. Returns how far it has retired: the requests
    // from there on have made no result, and make none.
    std::uint32_t recall(RequestRing& ring) EXCLUDES(lock_);
    // No result that waits names `ring` any more.
    void forget(const RequestRing& ring) EXCLUDES(lock_);
    // Results that wait may outlive the shared queue of `ring`: their slots are free when they are retrieved (ND2-SRQ-RECV-04).
    void keep(const Ref<RequestRing>& ring) EXCLUDES(lock_);
    // The outcome of the oldest initiator request in `ring` when it is flushed.
    void set_oldest(RequestRing& ring, Status status) EXCLUDES(lock_);
    // The requests of `ring` before `started` that have not retired.
    std::uint32_t count_owed(const RequestRing& ring, std::uint32_t started) EXCLUDES(lock_);
    // It overran: a queue pair that attaches now is dead like the attached ones.
    bool overrun() EXCLUDES(lock_);

    void deliver_event() EXCLUDES(lock_);

private:
    struct Entry {
        Completion completion;
        RequestRing* ring;  // null once its queue pair is gone
        std::uint32_t credit;
    };

    VerbsCompletionQueue(Ref<Device> device, std::uint32_t depth, OverrunRule rule, NotifyRule notify_rule,
                         CompletionQueueSink& sink);

    void on_completion_event(const ibv_cq* queue) override EXCLUDES(lock_);
    void on_async_event(ibv_event_type type) override EXCLUDES(lock_);

    std::size_t poll_hardware(std::span<Completion> completions, AfterLock& after) REQUIRES(lock_);
    void drain_locked(AfterLock& after) REQUIRES(lock_);
    std::size_t take(std::span<Completion> completions) REQUIRES(lock_);
    // One result of the hardware. The requests for which it makes room, or 0: it makes no completion.
    [[gnu::always_inline]] inline std::uint32_t convert(const ibv_wc& result, Completion& completion, AfterLock& after)
        REQUIRES(lock_);
    std::uint32_t convert_rarely(const ibv_wc& result, Completion& completion, AfterLock& after) REQUIRES(lock_);
    std::uint32_t convert_shared(const ibv_wc& result, Completion& completion, AfterLock& after) REQUIRES(lock_);
    std::uint32_t convert_failed(const ibv_wc& result, Completion& completion, AfterLock& after) REQUIRES(lock_);
    bool is_invalidation(const ibv_wc& result) const;
    void note_invalidation(const ibv_wc& result, HardwareQueuePair& queue_pair, Completion& completion,
                           AfterLock& after) REQUIRES(lock_);
    void append(Entry entry, AfterLock& after) REQUIRES(lock_);
    void request_events() REQUIRES(lock_);
    void request_any_events() REQUIRES(lock_);
    void watch_for_failures() REQUIRES(lock_);
    void end_arming() REQUIRES(lock_);
    bool has_room_for(const Completion& completion) REQUIRES(lock_);
    bool matches(const Completion& completion, NotifyKind kind) const REQUIRES(lock_);
    bool find_event(NotifyKind kind) REQUIRES(lock_);
    void reserve(std::size_t room) REQUIRES(lock_);
    static void free_shared_slot(Entry& entry);
    bool names(const RequestRing& ring) REQUIRES(lock_);
    void forget_locked(const RequestRing& ring) REQUIRES(lock_);
    void end_after_overrun() EXCLUDES(lock_);
    ResultsOf kept_apart(ResultsOf results_of) const;
    bool is_solicited_event(const ibv_cq* queue) REQUIRES(lock_);
    HardwareQueue* find_room(std::uint32_t depth, ResultsOf results_of) REQUIRES(lock_);
    Result<HardwareQueue*> take_room(HardwareQueuePair& queue_pair, std::uint32_t depth, ResultsOf results_of)
        REQUIRES(attach_mutex_) EXCLUDES(lock_);
    void let_go(HardwareQueuePair& queue_pair) REQUIRES(lock_);

    const Ref<Device> device_;
    const OverrunRule rule_;
    const NotifyRule notify_rule_;

    Mutex attach_mutex_;  // held while an ibv_cq is made; before lock_

    // After a queue pair's lock. Held across the functions of the device's data path, some of which enter the kernel on soft
    // devices; nothing else is called under it.
    SpinLock lock_;
    std::vector<std::unique_ptr<HardwareQueue>> hardware_ GUARDED_BY(lock_);
    std::vector<HardwareQueuePair*> attached_ GUARDED_BY(lock_);  // one that completes here twice is in it twice
    // The room of a shared receive queue.
    struct SharedRoom {
        const RequestRing* ring;
        HardwareQueue* queue;
        std::uint32_t depth;
        std::uint32_t queue_pairs;
    };
    std::vector<SharedRoom> shared_rooms_ GUARDED_BY(lock_);
    std::unordered_map<std::uint32_t, HardwareQueuePair*> takers_ GUARDED_BY(lock_);  // by the number of the ibv_qp
    std::vector<Ref<RequestRing>> kept_ GUARDED_BY(lock_);       // of shared queues; results that wait may name them
    std::vector<Ref<RequestRing>> abandoned_ GUARDED_BY(lock_);  // the hardware may still name their slots
    LazyArray<Entry> ring_ GUARDED_BY(lock_);
    std::size_t capacity_ GUARDED_BY(lock_) = 0;  // a power of two
    std::uint32_t head_ GUARDED_BY(lock_) = 0;
    std::uint32_t count_ GUARDED_BY(lock_) = 0;
    std::uint64_t attached_depth_ GUARDED_BY(lock_) = 0;
    std::uint32_t depth_ GUARDED_BY(lock_);
    std::uint32_t solicited_waiting_ GUARDED_BY(lock_) = 0;
    std::uint32_t invalidations_waiting_ GUARDED_BY(lock_) = 0;  // they need no room of the depth (ND1-CQ-08)
    // With NotifyRule::events or fresh: completions before this number have made their event. Numbered as head_ is.
    std::uint32_t seen_through_ GUARDED_BY(lock_) = 0;
    std::optional<NotifyKind> armed_for_ GUARDED_BY(lock_);
    // The hardware alone knows which receives are solicited: its event counts, not the receives in the ring.
    bool filtered_ GUARDED_BY(lock_) = false;
    bool ring_only_ GUARDED_BY(lock_);              // armed, or strict: every completion passes through the ring
    std::uint32_t awaiting_ GUARDED_BY(lock_) = 0;  // callers between begin_awaiting() and end_awaiting()
    std::optional<NotifyKind> event_due_ GUARDED_BY(lock_);
    bool depth_exceeded_ GUARDED_BY(lock_) = false;  // logged once (ND2-CQ-OVR-03)
    bool closed_ GUARDED_BY(lock_) = false;          // nobody retrieves results
    bool overrun_ GUARDED_BY(lock_) = false;         // for good (ND2-CQ-OVR-01)
    bool overrun_due_ GUARDED_BY(lock_) = false;     // deliver_event() has not told the sink yet

    Mutex sink_mutex_;  // held while the sink runs, so that close() returns after it
    CompletionQueueSink* sink_ GUARDED_BY(sink_mutex_);
};

}  // namespace opennd::verbs
