// SPDX-License-Identifier: MIT
// A queue pair over an ibv_qp. hardware_queue_pair.cpp makes it, hardware_queue_pair_post.cpp takes its requests, hardware_queue_pair_end.cpp
// has its attempts to connect, its failure and its ends. Read request_ring.h and completion_queue.h first.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/lock.h"
#include "transport/memory.h"
#include "transport/verbs/completion_queue.h"
#include "transport/verbs/queue_pair.h"
#include "transport/verbs/request_ring.h"

namespace opennd::verbs {

class FastChange;
class OpenDevice;
class VerbsSharedReceiveQueue;

class HardwareQueuePair final : public VerbsQueuePair, public RequestOwner, public DeviceUser {
public:
    static Result<Ref<HardwareQueuePair>> create(Ref<OpenDevice> adapter, const QueuePairParameters& parameters);
    ~HardwareQueuePair() override;

    Status post(const WorkRequest& request) override EXCLUDES(lock_);
    void flush() override EXCLUDES(control_, lock_);
    void end(Status oldest) override EXCLUDES(control_, lock_);
    void end_soon(Status oldest) override;
    bool heard() const override;
    void close() override EXCLUDES(control_, lock_);
    QueuePairState state() const override { return state_.load(std::memory_order_acquire); }
    std::optional<QueuePairUse> use() override EXCLUDES(lock_);

    std::uint32_t number() const override EXCLUDES(lock_);
    bool begin_attempt(const void* attempt) override EXCLUDES(control_, lock_);
    void end_attempt(const void* attempt) override EXCLUDES(control_, lock_);
    Status modify(ibv_qp_attr& attributes, int mask) override EXCLUDES(control_, lock_);
    bool attach(Ref<ConnectionEnd> end, const ReadLimits& limits, Start start) override EXCLUDES(lock_);
    void release_held() override EXCLUDES(lock_);
    bool end_by_peer() override EXCLUDES(lock_);
    bool finished_requests() override EXCLUDES(lock_);
    ReadLimits settled_reads(const ReadLimits& offer) override EXCLUDES(control_, lock_);
    bool waits_for_receives() const override { return waits_for_receives_; }
    bool has_shared_receives() const override { return shared_.get() != nullptr; }
    const Ref<Device>& device() const override { return device_; }

    const RefCounted& object() const override { return *this; }
    void* context() const override { return context_; }
    Status outcome_of(const ibv_wc& result, const RequestSlot& slot) const override;
    void note_heard() override { heard_.store(true, std::memory_order_relaxed); }
    void* take_window(Token token, AfterLock& after) override;
    void fail(const RequestFailure& failure) override EXCLUDES(control_, lock_);
    void fail() override EXCLUDES(control_, lock_);
    void go_on() override EXCLUDES(lock_);
    void begin_awaiting() override;
    void end_awaiting() override;

private:
    // Where an initiator request goes.
    enum class Gate : std::uint8_t { refused, held, open, canceled };

    static constexpr std::uint32_t bit(Operation operation) { return 1u << static_cast<unsigned>(operation); }

    HardwareQueuePair(Ref<OpenDevice> adapter, const QueuePairParameters& parameters);

    Status make_hardware() REQUIRES(control_) EXCLUDES(lock_);
    ibv_qp* take_hardware() REQUIRES(control_) EXCLUDES(lock_);
    // Destroys an ibv_qp. `dialing`: rdma_connect may hold it for minutes, so that a worker destroys it.
    void destroy(ibv_qp* hardware, bool dialing) REQUIRES(control_);
    void to_error() REQUIRES(control_);

    [[gnu::noinline]] Status post_translated(const WorkRequest& request) EXCLUDES(lock_);
    Status post_change(const WorkRequest& request, FastChange& change) EXCLUDES(lock_);
    std::uint32_t most_entries(Operation operation) const;
    Status post_as_it_is(const WorkRequest& request) EXCLUDES(lock_);
    Status post_receive(const WorkRequest& request) EXCLUDES(lock_);
    bool can_start_at_once(const WorkRequest& request) const REQUIRES(lock_);
    Status post_rarely(const WorkRequest& request) EXCLUDES(lock_);
    Status take(const WorkRequest& request, AfterLock& after) REQUIRES(lock_);
    Status keep_entries(RequestSlot& slot, std::span<const Sge> sges) REQUIRES(lock_);
    // Hands a request to the hardware: the newest one, or one that waited. Statuses of a post that the hardware
    // refuses.
    Status start(RequestSlot& slot) REQUIRES(lock_);
    Status start_local(RequestSlot& slot) REQUIRES(lock_);
    Status start_any(RequestSlot& slot) REQUIRES(lock_);
    void apply_flags(const RequestSlot& slot, ibv_send_wr& request) const;
    Status start_receive(RequestSlot& slot) REQUIRES(lock_);
    bool is_fenced_off(const RequestSlot& slot, AfterLock& after) REQUIRES(lock_);
    // Begins and ends the wait of requests here for results of the hardware, which are taken though nobody polls.
    void await_results(AfterLock& after) REQUIRES(lock_);
    void stop_awaiting() REQUIRES(lock_);
    // Starts the requests that waited and may go now. Returns false if the hardware refused one.
    [[nodiscard]] bool start_waiting(AfterLock& after) REQUIRES(lock_);
    // Returns the outcome of a request that must not go to the hardware; success: it may.
    Status outcome_without_hardware(const RequestSlot& slot) const REQUIRES(lock_);
    bool refuse_waiting(Status outcome, AfterLock& after) REQUIRES(lock_);
    [[gnu::cold]] Status refuse_end_by_read() const;
    [[gnu::cold]] Status refuse_post(Operation operation, int result) const;

    [[gnu::cold]] void report_failure(const RequestFailure& failure) const;
    void on_async_event(ibv_event_type type) override;
    void on_device_removed() override;
    void tell_heard() EXCLUDES(lock_);

    // Waits a limited time for the hardware to give its requests back; OpenND cancels the rest.
    void come_to_rest(Status oldest) EXCLUDES(control_, lock_);
    // Counts the requests that the hardware has once its results are taken.
    std::uint32_t count_owed() EXCLUDES(lock_);
    Ref<RequestRing> move_receives(Ref<RequestRing> to) REQUIRES(control_, lock_);
    void drop_results(const Ref<RequestRing>& recalled, AfterLock& after) REQUIRES(control_) EXCLUDES(lock_);
    void cancel(VerbsCompletionQueue& queue, RequestRing& ring, AfterLock& after) REQUIRES(lock_);
    void abandon_results() EXCLUDES(lock_);
    // Returns true if the last receive that it took from the shared queue has not been told yet.
    bool awaits_last_receive() const EXCLUDES(lock_);
    void enter_error() EXCLUDES(lock_);
    Ref<ConnectionEnd> take_connection() EXCLUDES(lock_);
    Ref<RequestRing> receive_ring() const EXCLUDES(lock_);

    // Constant after construction.
    const Ref<OpenDevice> adapter_;
    const Ref<Device> device_;
    const QueuePairLimits limits_;
    const bool waits_for_receives_;
    void* const context_;
    const Ref<VerbsCompletionQueue> receives_, initiators_;
    const Ref<VerbsSharedReceiveQueue> shared_;  // null: it has receives of its own
    HardwareQueue* receive_queue_ = nullptr;     // of receives_; set by create()
    HardwareQueue* request_queue_ = nullptr;     // of initiators_
    std::uint32_t signal_mask_ = 0;     // silent requests of which the number has these bits are signalled for OpenND
    const std::uint32_t behind_reads_;  // operations that a device may have together with an earlier Read

    // This mutex is held across the calls that make, change and destroy the ibv_qp. It is taken before lock_.
    mutable Mutex control_;
    // This lock guards the posters' halves of the rings. It is taken before the lock of a completion queue, and held
    // across the functions of the device's data path, some of which enter the kernel on soft devices.
    mutable SpinLock lock_;
    ibv_qp* hardware_ GUARDED_BY(lock_) =
        nullptr;  // changed under control_ too; null: the hardware has no part any more
    Ref<RequestRing> receive_ring_ GUARDED_BY(lock_);          // changed under control_ too
    const Ref<RequestRing> request_ring_;                      // its poster's half is guarded by lock_
    std::atomic<QueuePairState> state_{QueuePairState::idle};  // written under lock_
    Gate gate_ GUARDED_BY(lock_) = Gate::refused;
    // The operations, a bit each, that the hardware carries out as they are; not Read where the connection's limit is
    // 0.
    std::uint32_t plain_ GUARDED_BY(lock_) = 0;
    std::uint32_t at_once_ GUARDED_BY(lock_) = 0;      // of plain_, those that have no earlier Read to wait for
    bool receives_started_ GUARDED_BY(lock_) = false;  // receives go to the hardware
    const void* attempt_ GUARDED_BY(lock_) = nullptr;  // to connect; null: none is under way
    std::uint32_t last_read_ GUARDED_BY(lock_) = 0;    // behind the newest Read that was started
    bool awaits_results_ GUARDED_BY(lock_) = false;    // between await_results() and stop_awaiting()
    bool failed_ GUARDED_BY(lock_) = false;            // a request, or the hardware
    Ref<ConnectionEnd> connection_ GUARDED_BY(lock_);  // from attach to error
    bool closed_ GUARDED_BY(lock_) = false;
    // Hints of its receives from the shared queue; relaxed.
    std::atomic<bool> heard_{false};                 // for TransportQueuePair::heard
    std::atomic<bool> last_receive_{false};          // LAST_WQE_REACHED has come
    Ref<TransportMemory> copies_ GUARDED_BY(lock_);  // of request_ring_, registered at the first request that needs it
};

}  // namespace opennd::verbs
