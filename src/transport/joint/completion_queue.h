// SPDX-License-Identifier: MIT
// A completion queue of a joint adapter: one of each part. Results of one queue pair are in one of them, in order; between two queue pairs
// there is no order to keep. A poll takes from both once a queue pair has used the NIC, and from the other first each time.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "transport/completion_queue.h"

namespace opennd::joint {

// The two parts of a joint adapter.
enum class Part : std::uint8_t {
    host,  // the software RNIC over shared memory, for peers of this host
    nic,   // the device, for all others
};

// A queue pair as its completion queues see it.
class QueueUser {
public:
    // The object that has the count of references.
    virtual const RefCounted& object() const = 0;
    // Fails if this part is in use: a completion queue has overrun. No lock held.
    virtual void fail_part(Part part) = 0;

protected:
    ~QueueUser() = default;
};

class JointCompletionQueue final : public TransportCompletionQueue {
public:
    JointCompletionQueue(std::uint32_t depth, NotifyRule rule, CompletionQueueSink& sink)
        : rule_(rule), sink_(sink), depth_(depth) {}
    // Sets the two queues, which were made with sink_of(); once, before any other call.
    void set(Ref<TransportCompletionQueue> host, Ref<TransportCompletionQueue> nic);
    CompletionQueueSink& sink_of(Part part) { return part == Part::host ? host_events_ : nic_events_; }

    const Ref<TransportCompletionQueue>& of(Part part) const { return part == Part::host ? host_ : nic_; }

    std::size_t poll(std::span<Completion> completions) override;
    void arm(NotifyKind kind) override EXCLUDES(mutex_);
    void disarm() override EXCLUDES(mutex_);
    WaitingCompletions count_waiting() override;
    Status resize(std::uint32_t depth) override EXCLUDES(mutex_);
    std::optional<Poller> poller() const override { return host_->poller(); }
    std::optional<std::size_t> loop() const override { return host_->loop(); }
    void close() override;
    void set_number(std::uint32_t number) override;

    // Lists a queue pair that completes here, from its making to its close. Returns false if the queue has overrun.
    bool attach(QueueUser& user) EXCLUDES(mutex_);
    void detach(const QueueUser& user) EXCLUDES(mutex_);
    // A queue pair begins to use the NIC: polls and events are of both from here on.
    void use_nic() EXCLUDES(mutex_);

private:
    // The sink of one part.
    class Events final : public CompletionQueueSink {
    public:
        Events(JointCompletionQueue& queue, Part part) : queue_(queue), part_(part) {}
        void on_completion_event(NotifyKind kind) override { queue_.on_event(part_, kind); }
        void on_overrun() override { queue_.on_overrun(part_); }
        ProcessorGroup processors() const override { return queue_.sink_.processors(); }

    private:
        JointCompletionQueue& queue_;
        const Part part_;
    };

    void on_event(Part part, NotifyKind kind) EXCLUDES(mutex_);
    void on_overrun(Part part) EXCLUDES(mutex_);

    // Constant after set().
    const NotifyRule rule_;
    CompletionQueueSink& sink_;
    Events host_events_{*this, Part::host}, nic_events_{*this, Part::nic};
    Ref<TransportCompletionQueue> host_, nic_;

    std::atomic<bool> uses_nic_{false};   // for good; relaxed: a poll that is early finds the results the next time
    std::atomic<bool> nic_first_{false};  // at the next poll; relaxed: two polls at once may begin alike

    // This mutex is held while a part is disarmed; no sink is called under it, nor anything of a part that calls one.
    Mutex mutex_;
    std::optional<NotifyKind> armed_for_ GUARDED_BY(mutex_);  // by the program
    // An event of a part that came when the program had one of the other part already. By a rule that counts a result once, the next arm()
    // tells of it.
    std::optional<NotifyKind> missed_ GUARDED_BY(mutex_);
    std::vector<QueueUser*> users_ GUARDED_BY(mutex_);  // one that completes here twice is in it twice
    bool overrun_ GUARDED_BY(mutex_) = false;           // for good
    std::uint32_t depth_ GUARDED_BY(mutex_);            // of both parts
};

}  // namespace opennd::joint
