// SPDX-License-Identifier: MIT
// HardwareQueuePair, its attempts to connect, its failure and its ends.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "base/explanation.h"
#include "platform/process/clock.h"
#include "transport/verbs/hardware_queue_pair.h"
#include "transport/verbs/open_device.h"
#include "transport/verbs/reaper.h"
#include "transport/verbs/shared_receive_queue.h"

namespace opennd::verbs {
namespace {

// The time that the hardware may take to give flushed requests back, and the longest pause meanwhile. Devices take
// microseconds; siw never gives requests back that were posted after its connection had ended.
constexpr std::chrono::milliseconds kFlushTime{2000};
constexpr std::chrono::milliseconds kFlushPause{100};
// The pause where the service thread waits: missing results are dropped then.
constexpr std::chrono::milliseconds kRecallTime{50};
// The delay of end_soon(): the program has been told of the end and may act on it.
constexpr std::chrono::milliseconds kSoon{100};

// Calls `owed`, the number of requests that the hardware still has, until it is 0; for kFlushTime at most, and `pause`
// without a change. Returns true if it is 0.
template <typename Owed>
bool wait_until_none(std::chrono::milliseconds pause, Owed&& owed) {
    const SteadyTime end = now() + kFlushTime;
    SteadyTime quiet_end = now() + pause;
    for (std::uint32_t before = 0;;) {
        const std::uint32_t left = owed();
        if (left == 0) return true;
        const SteadyTime time = now();
        if (left != before) quiet_end = time + pause;
        if (time >= end || time >= quiet_end) return false;
        before = left;
        std::this_thread::yield();
    }
}

// The reason for which OpenND gives a request no chance.
struct Refusal {
    std::string_view limit, remedy;
};

Refusal refusal_of(Operation operation) {
    switch (operation) {
        case Operation::read:
            return {"0 outbound Reads on this connection", "agree on Reads when connecting (OutboundReadLimit)"};
        case Operation::bind:
            return {"memory registered here, and writable if the window is",
                    "pass a registration that exists, with the rights the window has"};
        case Operation::fast_register:
            return {"a fast region that is not registered, nor closed", "invalidate it first"};
        default:
            return {
                "windows that are bound on this queue pair, each binding once, and fast regions that are registered",
                "invalidate a window once, where it was bound, and a region once for each registration"};
    }
}

// The rule that a request broke which the device did not carry out.
std::string_view rule_of(const RequestFailure& failure) {
    switch (failure.status) {
        case Status::receive_too_small: return "ND2-QP-SEND-07";
        case Status::remote_data_error:
            return failure.operation == Operation::send ? "ND2-QP-SEND-07" : "ND2-QP-ERR-01";
        case Status::timed_out: return failure.operation == Operation::send ? "ND2-QP-SEND-05" : "ND2-QP-ERR-01";
        case Status::remote_access_violation: return "ND2-QP-RDMA-03";
        case Status::access_violation:
            return failure.operation == Operation::receive ? "ND2-QP-RECV-02" : "ND2-QP-RDMA-04";
        default: return "ND2-QP-ERR-01";
    }
}

}  // namespace

// ---- attempts to connect --------------------------------------------------------------------------------------------

std::uint32_t HardwareQueuePair::number() const {
    const Held lock(lock_);
    return hardware_ ? hardware_->qp_num : 0;
}

bool HardwareQueuePair::begin_attempt(const void* attempt) {
    const void* older = nullptr;
    {
        const Held lock(lock_);
        older = attempt_;
    }
    if (older && older != attempt) end_attempt(older);
    bool refused = false;
    {
        const Held lock(lock_);
        if (state() != QueuePairState::idle || !hardware_) return false;
        attempt_ = attempt;
        receives_started_ = true;
        while (!refused && receive_ring_->started() != receive_ring_->tail())
            refused = !ok(start_receive((*receive_ring_)[receive_ring_->started()]));
    }
    if (refused) fail();
    return !refused;
}

void HardwareQueuePair::end_attempt(const void* attempt) {
    AfterLock after;
    bool replaced = true;
    {
        const Held control(control_);
        Ref<RequestRing> ring = make_ref<RequestRing>(*this, context_, limits_.receive_depth, limits_.receive_sges, 0);
        {
            const Held lock(lock_);
            if (attempt_ != attempt || state() != QueuePairState::idle) return;
            attempt_ = nullptr;
            receives_started_ = false;
            ring = move_receives(std::move(ring));
        }
        to_error();
        ibv_qp* const spent = take_hardware();
        if (spent && shared_) receives_->remove_taker(spent->qp_num);
        drop_results(ring, after);
        if (spent) destroy(spent, true);
        replaced = !device_->ended() && ok(make_hardware());
    }
    after.run();
    if (!replaced) fail();
}

// Moves the posted receives to another ring, where they wait for the next ibv_qp. The spent one still has those of the
// ring that is returned. The program gets no result of these from here on, so that another thread may poll while they
// are flushed.
Ref<RequestRing> HardwareQueuePair::move_receives(Ref<RequestRing> to) {
    RequestRing& spent = *receive_ring_;
    for (std::uint32_t number = receives_->recall(spent); number != spent.tail(); ++number) {
        RequestSlot& slot = spent[number];
        (void)to->append({Operation::receive, RequestFlags::none, slot.context, spent.entries_of(slot)});
    }
    return std::exchange(receive_ring_, std::move(to));
}

// Waits a limited time for the hardware to give the requests of `recalled` back.
void HardwareQueuePair::drop_results(const Ref<RequestRing>& recalled, AfterLock& after) {
    const bool returned = wait_until_none(device_->ended() ? std::chrono::milliseconds{} : kRecallTime, [&] {
        receives_->drain(after);
        return receives_->count_owed(*recalled, recalled->started());
    });
    if (!returned) receives_->set_results(recalled, RequestRing::Results::ignored);
}

Status HardwareQueuePair::modify(ibv_qp_attr& attributes, int mask) {
    const Held control(control_);
    ibv_qp* hardware = nullptr;
    {
        const Held lock(lock_);
        hardware = hardware_;
    }
    if (device_->ended()) return device_->refuse_after_end("queue pair", "connecting");
    if (!hardware) return Status::canceled;
    const int error = device_->ibv().modify_qp(hardware, &attributes, mask);
    if (error == 0) return Status::success;
    return report(Status::invalid_state,
                  {.object = "queue pair",
                   .operation = "ibv_modify_qp",
                   .asked = phrase("state {}", static_cast<int>(attributes.qp_state)),
                   .limit = phrase("RDMA device {} refuses it: {}", device_->facts().name,
                                   std::generic_category().message(error)),
                   .remedy = "see that both hosts have the same MTU, and the device's port is up",
                   .requirement = "ND2-CON-CONN-05"});
}

bool HardwareQueuePair::attach(Ref<ConnectionEnd> end, const ReadLimits& limits, Start start) {
    const Held lock(lock_);
    if (state() != QueuePairState::idle || !hardware_) return false;
    attempt_ = nullptr;
    connection_ = std::move(end);
    plain_ = bit(Operation::send) | bit(Operation::send_and_invalidate) | bit(Operation::write) |
             (limits.outbound == 0 ? 0 : bit(Operation::read));
    state_.store(QueuePairState::attached, std::memory_order_release);
    at_once_ = plain_;
    gate_ = start == Start::held ? Gate::held : Gate::open;
    return true;
}

ReadLimits HardwareQueuePair::settled_reads(const ReadLimits& offer) {
    const Held control(control_);
    ibv_qp* hardware = nullptr;
    {
        const Held lock(lock_);
        hardware = hardware_;
    }
    ibv_qp_attr attributes{};
    ibv_qp_init_attr initial{};
    if (!hardware || device_->ibv().query_qp(hardware, &attributes, IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC,
                                             &initial) != 0)
        return offer;
    ReadLimits settled = offer;
    if (attributes.max_dest_rd_atomic != 0)
        settled.inbound = std::min<std::uint32_t>(offer.inbound, attributes.max_dest_rd_atomic);
    if (attributes.max_rd_atomic != 0)
        settled.outbound = std::min<std::uint32_t>(offer.outbound, attributes.max_rd_atomic);
    return settled;
}

// ---- arrivals and results so far ------------------------------------------------------------------------------------

bool HardwareQueuePair::heard() const {
    AfterLock after;
    receives_->drain(after);
    after.run();
    if (heard_.load(std::memory_order_relaxed)) return true;
    const Held lock(lock_);
    return receive_ring_->heard.load(std::memory_order_relaxed);
}

std::optional<QueuePairUse> HardwareQueuePair::use() {
    const Held lock(lock_);
    QueuePairUse use;
    use.state = state();
    RequestRing& requests = *request_ring_;
    const std::uint32_t oldest = requests.retired();
    use.requests = requests.tail() - oldest;
    use.unstarted = std::min(requests.tail() - requests.started(), use.requests);
    use.unretrieved = oldest - requests.returned();
    use.requests_completed = oldest;
    if (use.requests != 0) {
        const RequestSlot& slot = requests[oldest];
        use.oldest = OldestRequest{slot.operation, slot.length_bytes, slot.context, use.unstarted != use.requests};
    }
    if (shared_) return use;
    const RequestRing& receives = *receive_ring_;
    use.receives = receives.tail() - receives.retired();
    use.receives_unretrieved = receives.retired() - receives.returned();
    use.receives_completed = receives.retired();
    return use;
}

bool HardwareQueuePair::end_by_peer() {
    AfterLock after;
    receives_->drain(after);
    if (initiators_ != receives_) initiators_->drain(after);
    after.run();
    const Held lock(lock_);
    return !failed_;
}

bool HardwareQueuePair::finished_requests() {
    AfterLock after;
    initiators_->drain(after);
    after.run();
    const Held lock(lock_);
    return request_ring_->retired() == request_ring_->tail();
}

// ---- failure --------------------------------------------------------------------------------------------------------

// Enters state error: requests complete as canceled from here on, behind those that the hardware has.
void HardwareQueuePair::enter_error() {
    const Held lock(lock_);
    state_.store(QueuePairState::error, std::memory_order_release);
    gate_ = Gate::canceled;
    receives_started_ = false;
    attempt_ = nullptr;
    stop_awaiting();
}

Ref<ConnectionEnd> HardwareQueuePair::take_connection() {
    const Held lock(lock_);
    return std::exchange(connection_, nullptr);
}

void HardwareQueuePair::fail(const RequestFailure& failure) {
    {
        const Held lock(lock_);
        if (failed_) return;
    }
    if (failure.status != Status::canceled) report_failure(failure);
    fail();
}

void HardwareQueuePair::report_failure(const RequestFailure& failure) const {
    const bool by_device = failure.reason != IBV_WC_SUCCESS;
    const Refusal refusal = refusal_of(failure.operation);
    (void)report(failure.status,
                 {.object = "queue pair",
                  .operation = name(failure.operation),
                  .asked = "a request",
                  .limit = by_device ? phrase("RDMA device {} reports {}, vendor code {:#x}", device_->facts().name,
                                              device_->ibv().wc_status_str(failure.reason), failure.vendor_code)
                                     : phrase("{}", refusal.limit),
                  .remedy = by_device ? "see the status; the connection has ended" : refusal.remedy,
                  .requirement = rule_of(failure)});
}

void HardwareQueuePair::fail() {
    {
        const Held lock(lock_);
        if (std::exchange(failed_, true)) return;
    }
    enter_error();
    {
        const Held control(control_);
        to_error();
    }
    if (const Ref<ConnectionEnd> connection = take_connection())
        connection->queue_pair_failed();  // which ends this queue pair
    else
        come_to_rest(Status::canceled);
}

void HardwareQueuePair::on_async_event(ibv_event_type type) {
    switch (type) {
        case IBV_EVENT_QP_FATAL:
        case IBV_EVENT_QP_REQ_ERR:
        case IBV_EVENT_QP_ACCESS_ERR:
            (void)report(Status::internal_error, {.object = "queue pair",
                                                  .operation = "its connection",
                                                  .asked = device_->ibv().event_type_str(type),
                                                  .limit = phrase("RDMA device {}", device_->facts().name),
                                                  .remedy = "connect again with a new queue pair",
                                                  .requirement = "ND2-QP-ERR-01"});
            return fail();
        case IBV_EVENT_COMM_EST: return tell_heard();
        case IBV_EVENT_QP_LAST_WQE_REACHED: return last_receive_.store(true, std::memory_order_relaxed);
        default: return;
    }
}

// Tells the connector that a message of the peer has come before the peer's last word on the connection.
void HardwareQueuePair::tell_heard() {
    Ref<ConnectionEnd> connection;
    {
        const Held lock(lock_);
        connection = connection_;
    }
    if (connection) connection->queue_pair_heard();
}

// The connector hears of the removal by itself, and tells the program.
void HardwareQueuePair::on_device_removed() { come_to_rest(Status::canceled); }

// ---- ends -----------------------------------------------------------------------------------------------------------

void HardwareQueuePair::to_error() {
    ibv_qp* hardware = nullptr;
    {
        const Held lock(lock_);
        hardware = hardware_;
    }
    ibv_qp_attr attributes{};
    attributes.qp_state = IBV_QPS_ERR;
    if (hardware) (void)device_->ibv().modify_qp(hardware, &attributes, IBV_QP_STATE);  // it may be so already
}

ibv_qp* HardwareQueuePair::take_hardware() {
    const Held lock(lock_);
    return std::exchange(hardware_, nullptr);
}

// Results that wait in completion queues outlive the ibv_qp: their rings have the requests.
void HardwareQueuePair::destroy(ibv_qp* hardware, bool dialing) {
    device_->remove(hardware);
    if (!dialing || !device_->facts().is_iwarp()) {
        (void)device_->ibv().destroy_qp(hardware);
        return;
    }
    // The queues and the domain of the ibv_qp outlive it.
    device_->reaper().run([device = device_, adapter = adapter_, receives = receives_, initiators = initiators_,
                           shared = shared_, hardware] {
        (void)device->ibv().destroy_qp(hardware);
        if (!shared) return;
        AfterLock after;
        receives->drain(after);  // no result names a slot of the shared queue any more
        after.run();
    });
}

std::uint32_t HardwareQueuePair::count_owed() {
    AfterLock after;
    Ref<RequestRing> receive_ring;
    std::uint32_t receives = 0;
    std::uint32_t requests = 0;
    {
        const Held lock(lock_);
        receive_ring = receive_ring_;
        receives = receive_ring_->started();
        requests = request_ring_->started();
    }
    if (shared_) device_->drain_async_events();
    receives_->drain(after);
    if (initiators_ != receives_) initiators_->drain(after);
    after.run();
    return receives_->count_owed(*receive_ring, receives) + initiators_->count_owed(*request_ring_, requests);
}

// The device gives a receive back that it took for a message in the middle, and then says that it was the last.
bool HardwareQueuePair::awaits_last_receive() const {
    if (!shared_ || device_->quirks().tells_no_last_receive || last_receive_.load(std::memory_order_relaxed))
        return false;
    const Held lock(lock_);
    return hardware_ && plain_ != 0;  // it was connected
}

// The wait for the hardware holds no lock: a result may fail this queue pair.
void HardwareQueuePair::come_to_rest(Status oldest) {
    initiators_->set_oldest(*request_ring_, oldest);
    enter_error();
    {
        const Held control(control_);
        to_error();
    }
    const auto pause = device_->ended() ? std::chrono::milliseconds{} : kFlushPause;
    const bool rests = wait_until_none(pause, [this] { return count_owed() + (awaits_last_receive() ? 1 : 0); });
    if (!rests && count_owed() != 0) abandon_results();
    adapter_->windows().release_hardware_of(*this);
    std::uint32_t number = 0;
    {
        const Held control(control_);
        if (ibv_qp* const hardware = take_hardware()) {
            number = hardware->qp_num;
            destroy(hardware, false);
        }
    }
    AfterLock after;
    {
        const Held lock(lock_);
        cancel(*initiators_, *request_ring_, after);
        cancel(*receives_, *receive_ring_, after);
    }
    if (shared_ && number != 0) receives_->remove_taker(number);
    after.run();
}

void HardwareQueuePair::cancel(VerbsCompletionQueue& queue, RequestRing& ring, AfterLock& after) {
    queue.cancel(ring, ring.tail(), after);
    ring.skip_canceled();
}

void HardwareQueuePair::abandon_results() {
    if (!device_->ended())
        log(LogLevel::info, "queue pair: RDMA device {} has not given all flushed requests back; they are canceled",
            device_->facts().name);
    receives_->set_results(receive_ring(), RequestRing::Results::ignored);
    initiators_->set_results(request_ring_, RequestRing::Results::ignored);
}

Ref<RequestRing> HardwareQueuePair::receive_ring() const {
    const Held lock(lock_);
    return receive_ring_;
}

void HardwareQueuePair::flush() {
    AfterLock after;
    bool waiting_alone = false;  // no request has reached the hardware
    {
        const Held lock(lock_);
        waiting_alone = state() == QueuePairState::idle && !receives_started_;
        if (waiting_alone) cancel(*receives_, *receive_ring_, after);
    }
    after.run();
    if (!waiting_alone) come_to_rest(Status::canceled);
}

void HardwareQueuePair::end(Status oldest) {
    (void)take_connection();
    come_to_rest(oldest);
}

void HardwareQueuePair::end_soon(Status oldest) {
    device_->event_loop().schedule(now() + kSoon, [self = Ref<HardwareQueuePair>(this), oldest] { self->end(oldest); });
}

void HardwareQueuePair::close() {
    {
        const Held lock(lock_);
        if (std::exchange(closed_, true)) return;
    }
    if (const Ref<ConnectionEnd> connection = take_connection()) connection->queue_pair_closed();
    come_to_rest(Status::canceled);
    const Ref<RequestRing> receives = receive_ring();
    receives_->forget(*receives);
    if (shared_) receives_->keep(shared_->ring());
    initiators_->forget(*request_ring_);
}

}  // namespace opennd::verbs
