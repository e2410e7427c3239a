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
#include "base/status.h"
#include "model/work_request.h"
#include "transport/completion/completion_ring.h"
#include "transport/completion_queue.h"
#include "transport/verbs/device/rdma_core.h"
#include "transport/verbs/queue/hardware_queue.h"
#include "transport/verbs/queue/request_ring.h"

namespace opennd::verbs {

class VerbsCompletionQueue final : public TransportCompletionQueue, public Deferrable, public DeviceUser {
public:
    static Result<Ref<VerbsCompletionQueue>> create(Ref<Device> device, std::uint32_t depth, OverrunRule rule,
                                                    NotifyRule notify_rule, CompletionQueueSink& sink);
    ~VerbsCompletionQueue() override;

    std::size_t poll(std::span<Completion> completions) override EXCLUDES(ring_.lock());
    void arm(NotifyKind kind) override EXCLUDES(ring_.lock());
    void disarm() override EXCLUDES(ring_.lock());
    bool moderate(std::chrono::microseconds interval, std::uint32_t count) override
        EXCLUDES(attach_mutex_, ring_.lock());
    WaitingCompletions count_waiting() override EXCLUDES(ring_.lock());
    Status resize(std::uint32_t depth) override EXCLUDES(ring_.lock());
    void close() override EXCLUDES(ring_.lock());

    // ---- For the queue pairs that complete here.

    // Returns an ibv_cq with room for `depth` results, and makes room for them in the ring. insufficient_resources,
    // no_memory, explained.
    Result<HardwareQueue*> attach(RequestOwner& queue_pair, std::uint32_t depth, ResultsOf results_of)
        EXCLUDES(attach_mutex_, ring_.lock());
    // Detaches a queue pair that closes. Its results stay; the rings are not named any more (ND2-CQ-GET-05).
    void detach(RequestOwner& queue_pair, HardwareQueue& queue, std::uint32_t depth)
        EXCLUDES(attach_mutex_, ring_.lock());

    // Returns an ibv_cq for the receives that `queue_pair` takes out of a shared queue, whose slots `ring` has. All
    // queue pairs that take from that queue and complete here share one room of `depth`. Statuses of attach().
    Result<HardwareQueue*> attach_shared(RequestOwner& queue_pair, const RequestRing& ring, std::uint32_t depth)
        EXCLUDES(attach_mutex_, ring_.lock());
    void detach_shared(RequestOwner& queue_pair, const RequestRing& ring) EXCLUDES(attach_mutex_, ring_.lock());
    // Enlarges the room of a shared queue. Returns false if the hardware has no room for that depth.
    bool deepen_shared(const RequestRing& ring, std::uint32_t depth) EXCLUDES(attach_mutex_, ring_.lock());
    // Results of shared receives name the ibv_qp that took them. `queue_pair` gets those of this number, from
    // add_taker() to remove_taker().
    void add_taker(std::uint32_t number, RequestOwner& queue_pair) EXCLUDES(ring_.lock());
    void remove_taker(std::uint32_t number) EXCLUDES(ring_.lock());

    // Moves the hardware's results into the ring. May be called with the lock of a queue pair held; the caller runs
    // `after` without it.
    void drain(AfterLock& after) EXCLUDES(ring_.lock());
    // Begins and ends a wait of the caller for a result. In between, drain() is called as results come, whether the
    // queue is armed or not. The hardware then makes an event for any result, so that every receive counts as solicited
    // until the queue is armed again. begin_awaiting() drains, by the rules of drain().
    void begin_awaiting(AfterLock& after) EXCLUDES(ring_.lock());
    void end_awaiting() EXCLUDES(ring_.lock());
    // Completes as canceled all that is outstanding or waits in `ring`. The hardware owes none of it any more.
    void cancel(RequestRing& ring, std::uint32_t tail, AfterLock& after) EXCLUDES(ring_.lock());
    // Completes the oldest request in `ring`, which has not gone to the hardware, with `status`.
    void refuse(RequestRing& ring, Status status, AfterLock& after) EXCLUDES(ring_.lock());
    // Sets the use of later results of the hardware for `ring`. ignored: the ring's memory stays for them.
    void set_results(const Ref<RequestRing>& ring, RequestRing::Results results) EXCLUDES(ring_.lock());
    // Lets results of `ring` be counted from now on, and none that waits name it any more. Returns the number before
    // which its requests have retired: those from there on have made no result, and make none.
    std::uint32_t recall(RequestRing& ring) EXCLUDES(ring_.lock());
    // Lets no result that waits name `ring` any more.
    void forget(const RequestRing& ring) EXCLUDES(ring_.lock());
    // Keeps `ring` for results that wait and may outlive its shared queue: their slots are free when they are retrieved
    // (ND2-SRQ-RECV-04).
    void keep(const Ref<RequestRing>& ring) EXCLUDES(ring_.lock());
    // Sets the outcome of the oldest initiator request in `ring` for the case that it is flushed.
    void set_oldest(RequestRing& ring, Status status) EXCLUDES(ring_.lock());
    // Counts the requests of `ring` before `started` that have not retired.
    std::uint32_t count_owed(const RequestRing& ring, std::uint32_t started) EXCLUDES(ring_.lock());
    // Returns true if the queue overran: a queue pair that attaches then is dead like the attached ones.
    bool overrun() EXCLUDES(ring_.lock());

    // Calls the sink if an event, or the end of the queue, is due. No lock held.
    void run_deferred() override EXCLUDES(ring_.lock());

private:
    // The room that the retrieval of a result gives back: for `requests` requests in `ring`. Null: for none, or their
    // queue pair is gone.
    struct Credit {
        RequestRing* ring;
        std::uint32_t requests;

        void give() const {
            if (ring) ring->give_back(requests);
        }
    };
    using Ring = CompletionRing<Credit>;

    VerbsCompletionQueue(Ref<Device> device, std::uint32_t depth, OverrunRule rule, NotifyRule notify_rule,
                         CompletionQueueSink& sink);
    Result<std::unique_ptr<HardwareQueue>> make_hardware(std::uint32_t room, ResultsOf results_of);

    void on_completion_event(const ibv_cq* queue) override EXCLUDES(ring_.lock());
    void on_async_event(ibv_event_type type) override EXCLUDES(ring_.lock());

    std::size_t poll_hardware(std::span<Completion> completions, AfterLock& after) REQUIRES(ring_.lock());
    void drain_locked(AfterLock& after) REQUIRES(ring_.lock());
    // Converts one result of the hardware. Returns the number of requests for which it makes room; 0: it makes no
    // completion.
    [[gnu::always_inline]] inline std::uint32_t convert(const ibv_wc& result, Completion& completion, AfterLock& after)
        REQUIRES(ring_.lock());
    std::uint32_t convert_rarely(const ibv_wc& result, Completion& completion, AfterLock& after) REQUIRES(ring_.lock());
    std::uint32_t convert_shared(const ibv_wc& result, Completion& completion, AfterLock& after) REQUIRES(ring_.lock());
    std::uint32_t convert_failed(const ibv_wc& result, Completion& completion, AfterLock& after) REQUIRES(ring_.lock());
    std::uint32_t fail_teller(const ibv_wc& result, AfterLock& after) REQUIRES(ring_.lock());
    bool is_invalidation(const ibv_wc& result) const;
    void note_invalidation(const ibv_wc& result, RequestOwner& queue_pair, Completion& completion, AfterLock& after)
        REQUIRES(ring_.lock());
    void append(Ring::Entry entry, AfterLock& after) REQUIRES(ring_.lock());
    void request_events() REQUIRES(ring_.lock());
    void request_any_events() REQUIRES(ring_.lock());
    void watch_for_failures() REQUIRES(ring_.lock());
    static void free_shared_slot(Credit& credit);
    bool names(const RequestRing& ring) REQUIRES(ring_.lock());
    void forget_locked(const RequestRing& ring) REQUIRES(ring_.lock());
    void end_after_overrun() EXCLUDES(ring_.lock());
    ResultsOf kept_apart(ResultsOf results_of) const;
    bool is_solicited_event(const ibv_cq* queue) REQUIRES(ring_.lock());
    HardwareQueue* find_room(std::uint32_t depth, ResultsOf results_of) REQUIRES(ring_.lock());
    Result<HardwareQueue*> take_room(RequestOwner& queue_pair, std::uint32_t depth, ResultsOf results_of)
        REQUIRES(attach_mutex_) EXCLUDES(ring_.lock());
    void let_go(RequestOwner& queue_pair) REQUIRES(ring_.lock());

    const Ref<Device> device_;
    const OverrunRule rule_;
    const NotifyRule notify_rule_;
    const ProcessorGroup processors_;  // on which the program wants events

    Mutex attach_mutex_;  // held while an ibv_cq is made or moderated; before lock_
    HeldEvents held_ GUARDED_BY(attach_mutex_);

    // The lock of the ring is held across the functions of the device's data path, some of which enter the kernel on
    // soft devices; nothing else is called under it.
    Ring ring_;
    std::vector<std::unique_ptr<HardwareQueue>> hardware_ GUARDED_BY(ring_.lock());
    std::vector<RequestOwner*> attached_ GUARDED_BY(ring_.lock());  // one that completes here twice is in it twice
    // The room of a shared receive queue.
    struct SharedRoom {
        const RequestRing* ring;
        HardwareQueue* queue;
        std::uint32_t depth;
        std::uint32_t queue_pairs;
    };
    std::vector<SharedRoom> shared_rooms_ GUARDED_BY(ring_.lock());
    std::unordered_map<std::uint32_t, RequestOwner*> takers_ GUARDED_BY(ring_.lock());  // by the number of the ibv_qp
    std::vector<Ref<RequestRing>> kept_ GUARDED_BY(ring_.lock());  // of shared queues; results that wait may name them
    std::vector<Ref<RequestRing>> abandoned_ GUARDED_BY(ring_.lock());  // the hardware may still name their slots
    std::uint32_t awaiting_ GUARDED_BY(ring_.lock()) = 0;  // callers between begin_awaiting() and end_awaiting()
    bool closed_ GUARDED_BY(ring_.lock()) = false;         // nobody retrieves results
};

}  // namespace opennd::verbs
