// SPDX-License-Identifier: MIT
// HardwareQueuePair, the ends of its attempts to connect, its failure and its own ends.
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/explanation.h"
#include "platform/process/clock.h"
#include "transport/verbs/queue/hardware_queue_pair.h"
#include "transport/verbs/queue/request_failure.h"

namespace opennd::verbs {
namespace {

// The time that the hardware may take to give flushed requests back. Devices take microseconds, and pause where their firmware is busy.
constexpr std::chrono::milliseconds kFlushTime{2000};
// The longest pause of a device that never gives some back, and the wait for the last receive, of which not every device tells.
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

// Waits a limited time for the hardware to give the requests of `recalled` back.
void drop_results(const QueuePairParts& parts, const Ref<RequestRing>& recalled, AfterLock& after) {
    const bool returned = wait_until_none(parts.device()->ended() ? std::chrono::milliseconds{} : kRecallTime, [&] {
        parts.receives->drain(after);
        return parts.receives->count_owed(*recalled, recalled->started());
    });
    if (!returned) parts.receives->set_results(recalled, RequestRing::Results::ignored);
}

}  // namespace

void HardwareQueuePair::end_attempt(const void* attempt) {
    AfterLock after;
    bool replaced = true;
    {
        const Held control(hardware_.control());
        Ref<RequestRing> ring = receives_.make_ring();
        {
            const Held lock(lock_);
            if (attempt_ != attempt || state() != QueuePairState::idle) return;
            attempt_ = nullptr;
            ring = receives_.withdraw(std::move(ring));
        }
        // Before the flush: another thread may take the flushed results at once, and they are no results of the program's.
        if (parts_.shared) parts_.receives->remove_taker(number());
        hardware_.to_error();
        use_hardware(nullptr);
        drop_results(parts_, ring, after);
        hardware_.destroy(true);
        replaced = !device()->ended() && ok(hardware_.make());
        use_hardware(hardware_.get());
    }
    after.run();
    if (!replaced) fail();
}

bool HardwareQueuePair::end_by_peer() {
    AfterLock after;
    parts_.receives->drain(after);
    if (parts_.initiators != parts_.receives) parts_.initiators->drain(after);
    after.run();
    const Held lock(lock_);
    return !failed_;
}

// ---- failure --------------------------------------------------------------------------------------------------------

// Enters state error: requests complete as canceled from here on, behind those that the hardware has.
void HardwareQueuePair::enter_error() {
    TimerId next_look{};
    {
        const Held lock(lock_);
        state_.store(QueuePairState::error, std::memory_order_release);
        attempt_ = nullptr;
        requests_.stop();
        receives_.stop();
        next_look = std::exchange(next_look_, TimerId{});
    }
    device()->event_loop().cancel(next_look);
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
    if (failure.status != Status::canceled) report_failure(*device(), failure);
    fail();
}

void HardwareQueuePair::fail() {
    {
        const Held lock(lock_);
        if (std::exchange(failed_, true)) return;
    }
    enter_error();
    {
        const Held control(hardware_.control());
        hardware_.to_error();
    }
    if (const Ref<ConnectionEnd> connection = take_connection())
        connection->queue_pair_failed();  // which ends this queue pair
    else
        quiesce(Status::canceled);
}

void HardwareQueuePair::on_async_event(ibv_event_type type) {
    switch (type) {
        case IBV_EVENT_QP_FATAL:
        case IBV_EVENT_QP_REQ_ERR:
        case IBV_EVENT_QP_ACCESS_ERR:
            (void)report(Status::internal_error, {.object = "queue pair",
                                                  .operation = "its connection",
                                                  .asked = device()->ibv().event_type_str(type),
                                                  .limit = phrase("RDMA device {}", device()->facts().name),
                                                  .remedy = "connect again with a new queue pair",
                                                  .requirement = "ND2-QP-ERR-01"});
            return fail();
        case IBV_EVENT_COMM_EST: break;
        case IBV_EVENT_QP_LAST_WQE_REACHED: return receives_.note_last_receive();
        default: return;
    }
    // A message of the peer has come before the peer's last word on the connection.
    Ref<ConnectionEnd> connection;
    {
        const Held lock(lock_);
        connection = connection_;
    }
    if (connection) connection->queue_pair_heard();
}

// The connector hears of the removal by itself, and tells the program.
void HardwareQueuePair::on_device_removed() { quiesce(Status::canceled); }

// ---- ends -----------------------------------------------------------------------------------------------------------

std::uint32_t HardwareQueuePair::count_owed() {
    AfterLock after;
    if (parts_.shared) device()->drain_async_events();
    parts_.receives->drain(after);
    if (parts_.initiators != parts_.receives) parts_.initiators->drain(after);
    after.run();
    return receives_.count_owed() + requests_.count_owed();
}

// The wait for the hardware holds no lock: a result may fail this queue pair.
void HardwareQueuePair::quiesce(Status oldest) {
    if (oldest != Status::canceled) parts_.initiators->set_oldest(*requests_.ring(), oldest);
    enter_error();
    {
        const Held control(hardware_.control());
        hardware_.to_error();
    }
    auto pause = device()->quirks().keeps_late_requests ? kFlushPause : kFlushTime;
    if (device()->ended()) pause = {};
    if (!wait_until_none(pause, [this] { return count_owed(); })) {
        if (!device()->ended())
            log(LogLevel::info, "queue pair: RDMA device {} has not given all flushed requests back; they are canceled",
                device()->facts().name);
        ignore_results();
    }
    await_last_receive();
    parts_.adapter->windows().release_hardware_of(*this);
    std::uint32_t spent = 0;
    {
        const Held control(hardware_.control());
        spent = number();
        use_hardware(nullptr);
        hardware_.destroy(false);
    }
    AfterLock after;
    requests_.cancel(after);
    receives_.cancel(after);
    if (parts_.shared && spent != 0) parts_.receives->remove_taker(spent);
    after.run();
}

// Behind that event the device takes no receive of the shared queue for this queue pair any more.
void HardwareQueuePair::await_last_receive() {
    if (device()->ended() || number() == 0 || !requests_.was_open()) return;
    const bool came = wait_until_none(kFlushPause, [this] {
        (void)count_owed();  // takes the events
        return std::uint32_t{receives_.awaits_last_receive()};
    });
    if (!came) device()->expect_no_last_receive();
}

void HardwareQueuePair::ignore_results() {
    parts_.receives->set_results(receives_.ring(), RequestRing::Results::ignored);
    parts_.initiators->set_results(requests_.ring(), RequestRing::Results::ignored);
}

void HardwareQueuePair::flush() {
    AfterLock after;
    bool waiting_alone = false;  // no request has reached the hardware
    {
        const Held lock(lock_);
        waiting_alone = state() == QueuePairState::idle && receives_.cancel_waiting(after);
    }
    after.run();
    if (!waiting_alone) quiesce(Status::canceled);
}

void HardwareQueuePair::end(Status oldest) {
    (void)take_connection();
    quiesce(oldest);
}

void HardwareQueuePair::end_soon(Status oldest) {
    device()->event_loop().schedule(now() + kSoon,
                                    [self = Ref<HardwareQueuePair>(this), oldest] { self->end(oldest); });
}

void HardwareQueuePair::close() {
    {
        const Held lock(lock_);
        if (std::exchange(closed_, true)) return;
    }
    if (const Ref<ConnectionEnd> connection = take_connection()) connection->queue_pair_closed();
    quiesce(Status::canceled);
    parts_.receives->forget(*receives_.ring());
    if (parts_.shared) parts_.receives->keep(parts_.shared->ring());
    parts_.initiators->forget(*requests_.ring());
}

}  // namespace opennd::verbs
