// SPDX-License-Identifier: MIT
// Shared receive queues over a fake device: two queue pairs take from one queue.
#include <cstring>
#include <utility>
#include <vector>

#include "transport/verbs/queue/shared_receive_queue.h"
#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

struct LowSink final : SharedReceiveQueueSink {
    void on_low() override { ++low; }
    void on_failed() override { ++failed; }
    std::atomic<int> low{0}, failed{0};
};

// here_ has receives of its own and sends; there_ and other_ take from the shared queue. All of there_ and other_ completes in one
// queue each.
class VerbsSharedReceivesTest : public DataPathTest {
protected:
    ~VerbsSharedReceivesTest() override {
        if (other_.pair) other_.pair->close();
        other_.pair = nullptr;
        if (sender_.pair) sender_.pair->close();
        sender_.pair = nullptr;
        close();
        for (Side* const side : {&other_, &sender_}) {
            if (side->queue) side->queue->close();
            side->queue = nullptr;
            if (side->region) side->region->deregister();
            side->region = nullptr;
        }
        if (shared_) shared_->close();
        shared_ = nullptr;
        turn();
    }

    void make_shared(std::uint32_t depth = kDepth, std::uint32_t threshold = 0) {
        shared_ = adapter_->create_shared_receive_queue({depth, 4, threshold}, sink_).take();
    }
    void make_taker(Side& side, std::uint32_t queue_depth = 64) {
        side.queue = adapter_->create_completion_queue(queue_depth, NotifyRule::level, side.sink).take();
        QueuePairParameters parameters;
        parameters.limits = {0, kDepth, 4, 4, 64};
        parameters.receive_completion_queue = parameters.initiator_completion_queue = side.queue;
        parameters.context = &side;
        parameters.shared_receive_queue = shared_;
        side.pair = HardwareQueuePair::create(adapter_, parameters).take();
        side.region = adapter_->register_memory(side.memory.data(), side.memory.size(), Access::local_write).take();
    }
    void connect_pairs(std::uint32_t queue_depth_there = 64) {
        make(here_);
        make_taker(there_, queue_depth_there);
        make(sender_);
        make_taker(other_);
        fake_.connect(here_.pair->number(), there_.pair->number());
        fake_.connect(sender_.pair->number(), other_.pair->number());
        for (Side* const side : {&here_, &there_, &sender_, &other_}) connect(*side);
    }
    Status post_shared(std::uintptr_t context) {
        const Sge entry = there_.entry(0, 64);
        return shared_->post(reinterpret_cast<void*>(context), {&entry, 1});
    }
    Status send(Side& from) {
        WorkRequest request;
        const Sge entry = from.entry(0, 8);
        request.sges = {&entry, 1};
        return from.pair->post(request);
    }

    LowSink sink_;
    Ref<TransportSharedReceiveQueue> shared_;
    Side sender_, other_;
};

TEST_F(VerbsSharedReceivesTest, AnyQueuePairTakesTheOldest) {  // ND2-SRQ-RECV-02
    make_shared();
    connect_pairs();
    std::memcpy(sender_.memory.data(), "to send", 8);
    for (std::uintptr_t i = 1; i <= 3; ++i) ASSERT_EQ(post_shared(i), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    ASSERT_EQ(send(sender_), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    const auto first = there_.poll();
    const auto second = other_.poll();
    ASSERT_EQ(first.size(), 2u);
    ASSERT_EQ(second.size(), 1u);
    EXPECT_EQ(first[0].request_context, reinterpret_cast<void*>(1));
    EXPECT_EQ(second[0].request_context, reinterpret_cast<void*>(2));
    EXPECT_EQ(first[1].request_context, reinterpret_cast<void*>(3));
    EXPECT_EQ(first[0].queue_pair_context, &there_);
    EXPECT_EQ(second[0].queue_pair_context, &other_);
    EXPECT_EQ(second[0].length_bytes, 8u);
    EXPECT_TRUE(there_.pair->heard());
    EXPECT_TRUE(there_.pair->has_shared_receives());
    EXPECT_EQ(post(there_, Operation::receive, {}), Status::malformed_request);  // ND2-QP-RECV-01
}

// Results are retrieved in another order than the receives were taken.
TEST_F(VerbsSharedReceivesTest, ASlotIsFreeWhenItsResultIsRetrieved) {  // ND2-SRQ-RECV-04
    make_shared(2);
    connect_pairs();
    for (std::uintptr_t round = 0; round < 40; ++round) {
        ASSERT_EQ(post_shared(2 * round), Status::success);
        ASSERT_EQ(post_shared(2 * round + 1), Status::success);
        EXPECT_EQ(post_shared(99), Status::queue_full);
        ASSERT_EQ(send(here_), Status::success);
        ASSERT_EQ(send(sender_), Status::success);
        EXPECT_EQ(post_shared(99), Status::queue_full);
        (void)there_.queue->count_waiting();  // moves it into the ring
        EXPECT_EQ(post_shared(99), Status::queue_full);
        const auto second = other_.poll();
        const auto first = there_.poll();
        ASSERT_EQ(first.size() + second.size(), 2u);
        EXPECT_EQ(first[0].request_context, reinterpret_cast<void*>(2 * round));
        EXPECT_EQ(second[0].request_context, reinterpret_cast<void*>(2 * round + 1));
        (void)here_.poll();
        (void)sender_.poll();
    }
}

TEST_F(VerbsSharedReceivesTest, TellOnceWhenFewAreLeft) {  // ND2-SRQ-NTF-01, -03
    make_shared(kDepth, 2);
    connect_pairs();
    shared_->arm();
    EXPECT_EQ(sink_.low, 1) << "none are posted";
    for (std::uintptr_t i = 1; i <= 3; ++i) ASSERT_EQ(post_shared(i), Status::success);
    shared_->arm();
    EXPECT_EQ(sink_.low, 1);
    ASSERT_EQ(send(here_), Status::success);
    turn();
    EXPECT_EQ(sink_.low, 1) << "two are left";
    ASSERT_EQ(send(here_), Status::success);
    turn();
    EXPECT_EQ(sink_.low, 2);
    (void)there_.poll();
    turn();
    EXPECT_EQ(sink_.low, 2) << "one event for one arming";
    shared_->arm();
    EXPECT_EQ(sink_.low, 3) << "the level is still below";
}

// The message has come before the queue is armed, and nobody has looked.
TEST_F(VerbsSharedReceivesTest, CountThoseThatNobodyHasSeenYet) {
    make_shared(kDepth, 2);
    connect_pairs();
    for (std::uintptr_t i = 1; i <= 2; ++i) ASSERT_EQ(post_shared(i), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    shared_->arm();
    EXPECT_EQ(sink_.low, 1);
    EXPECT_EQ(fake_.counts().limit_requests, 0);
    EXPECT_EQ(there_.poll().size(), 1u);
}

// A device without the event: the results tell.
TEST_F(VerbsSharedReceivesTest, TellByTheirResultsWhereTheDeviceDoesNot) {
    fake_.refuses_limits = true;
    make_shared(kDepth, 2);
    connect_pairs();
    for (std::uintptr_t i = 1; i <= 2; ++i) ASSERT_EQ(post_shared(i), Status::success);
    shared_->arm();
    ASSERT_EQ(send(here_), Status::success);
    turn();
    EXPECT_EQ(sink_.low, 0);
    (void)there_.poll();
    EXPECT_EQ(sink_.low, 1);
}

TEST_F(VerbsSharedReceivesTest, GrowWithinTheDevice) {  // ND2-SRQ-MOD-01
    make_shared(2);
    connect_pairs();
    for (std::uintptr_t i = 1; i <= 2; ++i) ASSERT_EQ(post_shared(i), Status::success);
    EXPECT_EQ(shared_->modify(1, 1), Status::overrun);
    EXPECT_EQ(shared_->modify(200, 1), Status::success);
    for (std::uintptr_t i = 3; i <= 200; ++i) ASSERT_EQ(post_shared(i), Status::success);
    EXPECT_EQ(post_shared(201), Status::queue_full);
    EXPECT_EQ(shared_->modify(1000, 1), Status::insufficient_resources) << "the ibv_cq has no such room";
    EXPECT_EQ(post_shared(201), Status::queue_full) << "nothing has changed";
}

TEST_F(VerbsSharedReceivesTest, DoNotGrowWhereTheDeviceCannot) {
    fake_.resizes_shared_queues = false;
    make_shared(4);
    EXPECT_EQ(shared_->modify(2, 1), Status::success);
    EXPECT_EQ(shared_->modify(4, 1), Status::success);
    EXPECT_EQ(shared_->modify(5, 1), Status::insufficient_resources);
}

// What a queue pair had taken is canceled with it; the rest is for the others (ND2-SRQ-FLUSH-01).
TEST_F(VerbsSharedReceivesTest, AreFlushedIfTakenAndKeptIfNot) {
    make_shared(2);
    connect_pairs();
    for (std::uintptr_t i = 1; i <= 2; ++i) ASSERT_EQ(post_shared(i), Status::success);
    fake_.take_receive(there_.pair->number());
    there_.pair->flush();
    const auto flushed = there_.poll();
    ASSERT_EQ(flushed.size(), 1u);
    EXPECT_EQ(flushed[0].status, Status::canceled);
    EXPECT_EQ(flushed[0].request_context, reinterpret_cast<void*>(1));
    EXPECT_EQ(flushed[0].queue_pair_context, &there_);
    ASSERT_EQ(post_shared(3), Status::success);
    EXPECT_EQ(post_shared(4), Status::queue_full);
    ASSERT_EQ(send(sender_), Status::success);
    EXPECT_EQ(other_.poll().at(0).request_context, reinterpret_cast<void*>(2));
}

// The results of a queue pair that is gone stay (ND2-CQ-GET-05), with their slots (ND2-SRQ-RECV-04).
TEST_F(VerbsSharedReceivesTest, ResultsOutliveTheirQueuePair) {
    make_shared(1);
    connect_pairs();
    ASSERT_EQ(post_shared(1), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    there_.pair->close();
    there_.pair = nullptr;
    EXPECT_EQ(post_shared(2), Status::queue_full);
    const auto results = there_.poll();
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].request_context, reinterpret_cast<void*>(1));
    EXPECT_EQ(post_shared(2), Status::success);
}

TEST_F(VerbsSharedReceivesTest, ResultsOutliveTheQueue) {
    make_shared(1);
    connect_pairs();
    ASSERT_EQ(post_shared(1), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    for (Side* const side : {&there_, &other_}) {
        side->pair->close();
        side->pair = nullptr;
    }
    shared_->close();
    shared_ = nullptr;
    EXPECT_EQ(fake_.counts().shared_queues, 0);
    EXPECT_EQ(there_.poll().size(), 1u);
    EXPECT_TRUE(other_.poll().empty()) << "what nobody took vanishes";
}

// Nobody can retrieve them any more.
TEST_F(VerbsSharedReceivesTest, SlotsAreFreeWhenTheirCompletionQueueIsReleased) {
    make_shared(1);
    connect_pairs();
    ASSERT_EQ(post_shared(1), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    (void)there_.queue->count_waiting();
    EXPECT_EQ(post_shared(2), Status::queue_full);
    there_.queue->close();
    ASSERT_EQ(post_shared(2), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    (void)there_.queue->count_waiting();
    EXPECT_EQ(post_shared(3), Status::success) << "later ones neither";
}

// The queue pair took the receive for a message that came before its connection.
TEST_F(VerbsSharedReceivesTest, ASlotIsFreeWhenTheAttemptOfItsQueuePairEnds) {
    make_shared(1);
    make_taker(there_);
    ASSERT_TRUE(there_.pair->begin_attempt(this));
    ASSERT_EQ(post_shared(1), Status::success);
    fake_.take_receive(there_.pair->number());
    EXPECT_EQ(post_shared(2), Status::queue_full);
    there_.pair->end_attempt(this);
    EXPECT_TRUE(there_.poll().empty());
    EXPECT_EQ(post_shared(2), Status::success);
}

// Another thread takes results while the attempt ends, as soon as the device gives the receive back.
TEST_F(VerbsSharedReceivesTest, AReceiveOfAnEndedAttemptHasNoResult) {
    make_shared(1);
    make_taker(there_);
    ASSERT_TRUE(there_.pair->begin_attempt(this));
    ASSERT_EQ(post_shared(1), Status::success);
    fake_.take_receive(there_.pair->number());
    fake_.after_flush = [this] { EXPECT_TRUE(there_.poll().empty()); };
    there_.pair->end_attempt(this);
    fake_.after_flush = nullptr;
    EXPECT_TRUE(there_.poll().empty());
    EXPECT_EQ(post_shared(2), Status::success);
}

// ND2-CQ-OVR-01: the queue is dead, and those that have results elsewhere go on.
TEST_F(VerbsSharedReceivesTest, ASlotIsFreeWhenItsResultFindsNoRoom) {
    rule_ = OverrunRule::strict;
    make_shared(2);
    connect_pairs(1);
    for (std::uintptr_t i = 1; i <= 2; ++i) ASSERT_EQ(post_shared(i), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    (void)there_.queue->count_waiting();
    turn();
    EXPECT_EQ(there_.sink.overruns, 1);
    EXPECT_EQ(post_shared(3), Status::success);
    EXPECT_EQ(post_shared(4), Status::queue_full) << "the first waits in the dead queue";
    ASSERT_EQ(send(sender_), Status::success);
    EXPECT_EQ(other_.poll().at(0).request_context, reinterpret_cast<void*>(3));
}

// An ibv_cq has room for 256 results. A shared queue takes a part of it once for all its queue pairs.
TEST_F(VerbsSharedReceivesTest, TheRoomForTheirResultsComesBackWithTheLastQueuePair) {
    there_.queue = adapter_->create_completion_queue(64, NotifyRule::level, there_.sink).take();
    QueuePairParameters parameters;
    parameters.receive_completion_queue = parameters.initiator_completion_queue = there_.queue;
    const auto make_pair = [&](const QueuePairLimits& limits) {
        parameters.limits = limits;
        parameters.shared_receive_queue = shared_;
        return HardwareQueuePair::create(adapter_, parameters).take();
    };
    const int queues = fake_.counts().queues;
    std::vector<Ref<TransportSharedReceiveQueue>> earlier;
    for (int round = 0; round < 5; ++round) {
        make_shared(100);
        make_pair({0, 1, 4, 4, 0})->close();
        earlier.push_back(std::exchange(shared_, nullptr));
    }
    for (const auto& each : earlier) each->close();
    make_shared(250);
    const auto first = make_pair({0, 1, 4, 4, 0}), second = make_pair({0, 1, 4, 4, 0});
    EXPECT_EQ(fake_.counts().queues, queues);
    first->close();
    std::exchange(shared_, nullptr)->close();
    const auto other = make_pair({100, 1, 4, 4, 0});
    EXPECT_EQ(fake_.counts().queues, queues + 1);
    for (const auto& each : {second, other}) each->close();
}

TEST_F(VerbsSharedReceivesTest, LiveAsLongAsAQueuePairTakesFromThem) {
    make_shared();
    connect_pairs();
    ASSERT_EQ(post_shared(1), Status::success);
    shared_->close();
    shared_ = nullptr;
    ASSERT_EQ(send(here_), Status::success);
    EXPECT_EQ(there_.poll().size(), 1u);
    EXPECT_EQ(fake_.counts().shared_queues, 1);
}

TEST_F(VerbsSharedReceivesTest, ADeviceThatDoesNotTellTheLastReceiveHoldsNobodyUp) {
    fake_.tells_last_receive = false;
    make_shared();
    connect_pairs();
    ASSERT_EQ(post_shared(1), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    EXPECT_TRUE(device_->tells_last_receive());
    there_.pair->close();
    EXPECT_EQ(there_.poll().size(), 1u);
    EXPECT_FALSE(device_->tells_last_receive()) << "the next queue pair does not wait for it";
}

TEST_F(VerbsSharedReceivesTest, AFailedReceiveFailsItsQueuePairAlone) {
    make_shared();
    connect_pairs();
    const Sge bad{there_.memory.data(), 64, Token{0xBAD}};
    ASSERT_EQ(shared_->post(reinterpret_cast<void*>(1), {&bad, 1}), Status::success);
    ASSERT_EQ(post_shared(2), Status::success);
    ASSERT_EQ(send(here_), Status::success);
    const auto failed = there_.poll();
    ASSERT_GE(failed.size(), 1u);
    EXPECT_EQ(failed[0].status, Status::access_violation);
    EXPECT_TRUE(there_.end->comes_to_fail());
    EXPECT_EQ(other_.end->failed, 0);
    ASSERT_EQ(send(sender_), Status::success);
    EXPECT_EQ(other_.poll().at(0).request_context, reinterpret_cast<void*>(2));
}

TEST_F(VerbsSharedReceivesTest, AFailedQueueIsToldOnce) {  // ND2-SRQ-NTF-02
    make_shared(kDepth, 1);
    connect_pairs();
    ASSERT_EQ(post_shared(1), Status::success);
    shared_->arm();
    fake_.tell_shared(there_.pair->number(), IBV_EVENT_SRQ_ERR);
    fake_.tell_shared(there_.pair->number(), IBV_EVENT_SRQ_ERR);
    turn();
    EXPECT_EQ(sink_.failed, 1);
    EXPECT_EQ(sink_.low, 0);
}

TEST_F(VerbsSharedReceivesTest, ARemovedDeviceFailsThem) {  // ND2-GEN-07
    make_shared(kDepth, 1);
    connect_pairs();
    ASSERT_EQ(post_shared(1), Status::success);
    fake_.tell(IBV_EVENT_DEVICE_FATAL);
    turn();
    EXPECT_EQ(sink_.failed, 1);
    fake_.refuses_shared_queues = true;
    EXPECT_EQ(adapter_->create_shared_receive_queue({1, 1, 0}, sink_).status(), Status::device_removed);
    fake_.refuses_shared_queues = false;
    // The device went while it made the queue.
    LowSink late_sink;
    const auto late = adapter_->create_shared_receive_queue({1, 1, 0}, late_sink);
    ASSERT_TRUE(late.ok());
    EXPECT_EQ(late_sink.failed, 1);
    late.value()->close();
}

TEST_F(VerbsSharedReceivesTest, AreRefusedWithoutATrace) {
    fake_.refuses_shared_queues = true;
    EXPECT_EQ(adapter_->create_shared_receive_queue({1, 1, 0}, sink_).status(), Status::no_memory);
    EXPECT_EQ(find_limits(*device_).value().limits.max_shared_receive_depth, 0u) << "a device that has none in fact";
    fake_.refuses_shared_queues = false;
    EXPECT_EQ(can_.limits.max_shared_receive_depth, 1024u);
    make_shared(2);
    connect_pairs();
    fake_.post_error = EINVAL;
    EXPECT_EQ(post_shared(1), Status::malformed_request);
    for (std::uintptr_t i = 1; i <= 2; ++i) ASSERT_EQ(post_shared(i), Status::success);
    EXPECT_EQ(post_shared(3), Status::queue_full);
}

}  // namespace
}  // namespace opennd::verbs
