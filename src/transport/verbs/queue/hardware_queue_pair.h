// SPDX-License-Identifier: MIT
// A queue pair over hardware: the state, the connection and the ends of three parts, the ibv_qp, the send queue and the receive queue.
// hardware_queue_pair_end.cpp has its failure and its ends, hardware_queue_pair_watch.cpp the watch of messages that wait for a receive. Read request_ring.h and completion_queue.h first.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/lock.h"
#include "transport/verbs/queue/device_queue_pair.h"
#include "transport/verbs/queue/message_watch.h"
#include "transport/verbs/queue/queue_pair.h"
#include "transport/verbs/queue/receive_queue.h"
#include "transport/verbs/queue/request_ring.h"
#include "transport/verbs/queue/send_queue.h"

namespace opennd::verbs {

class HardwareQueuePair final : public VerbsQueuePair, public RequestOwner, public DeviceUser {
public:
    static Result<Ref<HardwareQueuePair>> create(Ref<OpenDevice> adapter, const QueuePairParameters& parameters);
    ~HardwareQueuePair() override;

    Status post(const WorkRequest& request) override;
    void flush() override EXCLUDES(lock_);
    void end(Status oldest) override EXCLUDES(lock_);
    void end_soon(Status oldest) override;
    std::vector<PostedReceive> take_receives() override EXCLUDES(lock_);
    bool heard() const override;
    void close() override EXCLUDES(lock_);
    QueuePairState state() const override { return state_.load(std::memory_order_acquire); }
    QueuePairUse use() override;

    std::uint32_t number() const override EXCLUDES(lock_);
    bool begin_attempt(const void* attempt) override EXCLUDES(lock_);
    void end_attempt(const void* attempt) override EXCLUDES(lock_);
    Status modify(ibv_qp_attr& attributes, int mask) override { return hardware_.modify(attributes, mask); }
    std::optional<ibv_ece> device_options() const override { return hardware_.device_options(); }
    void take_peer_options(ibv_ece options) override { hardware_.take_peer_options(options); }
    bool attach(Ref<ConnectionEnd> end, const ReadLimits& limits, Start start,
                const std::optional<MessageLimit>& messages) override EXCLUDES(lock_);
    void peer_answered() override EXCLUDES(lock_);
    void release_held() override;
    bool end_by_peer() override EXCLUDES(lock_);
    bool finished_requests() override;
    ReadLimits settled_reads(const ReadLimits& offer) override { return hardware_.settled_reads(offer); }
    bool waits_for_receives() const override { return waits_for_receives_; }
    bool has_shared_receives() const override { return parts_.shared.get() != nullptr; }
    const Ref<Device>& device() const override { return parts_.device(); }

    const RefCounted& object() const override { return *this; }
    void* context() const override { return parts_.context; }
    Status outcome_of(const ibv_wc& result, const RequestSlot& slot) const override;
    void note_heard() override { receives_.note_heard(); }
    void* take_window(Token token, AfterLock& after) override;
    void fail(const RequestFailure& failure) override EXCLUDES(lock_);
    void fail() override EXCLUDES(lock_);
    void go_on() override EXCLUDES(lock_);
    void watch_messages() override EXCLUDES(lock_);
    void begin_awaiting() override;
    void end_awaiting() override;

private:
    HardwareQueuePair(Ref<OpenDevice> adapter, const QueuePairParameters& parameters);

    [[gnu::noinline]] Status post_translated(const WorkRequest& request);

    void end_older_attempt(const void* but) EXCLUDES(lock_);

    // Lets requests go to this ibv_qp from here on; null: to none.
    void use_hardware(ibv_qp* hardware) REQUIRES(hardware_.control()) EXCLUDES(lock_);

    void on_async_event(ibv_event_type type) override;
    void on_device_removed() override;

    // hardware_queue_pair_watch.cpp
    void look_at_messages() EXCLUDES(lock_);
    void look_again() REQUIRES(lock_);
    void expire_message() EXCLUDES(lock_);

    void enter_error() EXCLUDES(lock_);
    Ref<ConnectionEnd> take_connection() EXCLUDES(lock_);
    // Waits a limited time for the hardware to give its requests back; OpenND cancels the rest.
    void quiesce(Status oldest) EXCLUDES(lock_);
    void await_last_receive() EXCLUDES(lock_);
    // Takes the results there are, and counts the requests that the hardware still has.
    std::uint32_t count_owed();
    // Lets the completion queues drop what the hardware still tells, and keep the rings for it.
    void ignore_results();

    // Constant after construction.
    const QueuePairParts parts_;
    const bool waits_for_receives_;

    DeviceQueuePair hardware_;
    SendQueue requests_;
    ReceiveQueue receives_;

    // This lock guards what follows, and is held while the two queues follow a change of the state, so that they agree
    // once it is free. It is taken after DeviceQueuePair::control(), before the locks of the queues.
    mutable SpinLock lock_;
    std::atomic<QueuePairState> state_{QueuePairState::idle};  // written under lock_
    std::uint32_t number_ GUARDED_BY(lock_) = 0;               // of the ibv_qp to which requests go; 0: there is none
    const void* attempt_ GUARDED_BY(lock_) = nullptr;          // to connect; null: none is under way
    bool failed_ GUARDED_BY(lock_) = false;                    // a request, or the hardware
    Ref<ConnectionEnd> connection_ GUARDED_BY(lock_);          // from attach to error
    bool closed_ GUARDED_BY(lock_) = false;
    std::optional<MessageLimit> message_limit_ GUARDED_BY(lock_);  // from attach on
    MessageWatch watch_ GUARDED_BY(lock_);
    TimerId next_look_ GUARDED_BY(lock_){};
};

}  // namespace opennd::verbs
