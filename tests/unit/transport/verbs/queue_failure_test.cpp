// SPDX-License-Identifier: MIT
// What happens when something fails: a request, the hardware, a provider that loses results, the device in the middle of it.
#include <chrono>
#include <future>

#include "base/explanation.h"
#include "model/provider_code.h"
#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

using QueueFailureTest = DataPathTest;

class BrokenStreamTest : public DataPathTest {
protected:
    BrokenStreamTest() : DataPathTest({.fails_requests_of_a_broken_stream = true}) {}
};

// ND2-QP-ERR-01, ND2-QP-STAT-01.
TEST_F(QueueFailureTest, AFailedRequestEndsTheConnectionAndFlushesTheRest) {
    connect_both();
    fake_.hold();
    for (std::uintptr_t i = 1; i <= 3; ++i)
        ASSERT_EQ(post(here_, Operation::write, {here_.entry(0, 8)}, RequestFlags::none, i), Status::success);
    ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 8)}, RequestFlags::none, 9), Status::success);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_REM_ACCESS_ERR, 0x51);
    const auto results = here_.poll();
    ASSERT_EQ(results.size(), 4u);
    EXPECT_EQ(results[0].status, Status::remote_access_violation);
    EXPECT_EQ(results[0].provider_code(), provider_code(ProviderWire::verbs, IBV_WC_REM_ACCESS_ERR | 0x51 << 8));
    for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_EQ(results[i].status, Status::canceled);
        EXPECT_EQ(results[i].provider_code(), 0u);
    }
    EXPECT_TRUE(here_.end->comes_to_fail());
    EXPECT_EQ(here_.pair->state(), QueuePairState::error);
    EXPECT_FALSE(here_.pair->end_by_peer());
    // Later ones never reach the hardware: some devices would keep them for ever.
    const int before = fake_.counts().requests;
    ASSERT_EQ(post(here_, Operation::write, {here_.entry(0, 8)}, RequestFlags::none, 11), Status::success);
    EXPECT_EQ(fake_.counts().requests, before);
    here_.pair->end(Status::canceled);
    const auto late = here_.poll();
    ASSERT_EQ(late.size(), 1u);
    EXPECT_EQ(late[0].status, Status::canceled);
    EXPECT_EQ(late[0].request_context, reinterpret_cast<void*>(11));
}

// Nobody has polled when rdma_cm tells the peer's end, and the device takes its results away with the ibv_qp.
TEST_F(QueueFailureTest, AMessageThatHasComeIsDeliveredBeforeTheEnd) {  // ND2-QP-ERR-01
    fake_.destroys_results = true;
    connect_both();
    for (std::uintptr_t i = 1; i <= 2; ++i)
        ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}, RequestFlags::none, i), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
    EXPECT_TRUE(there_.pair->end_by_peer());
    there_.pair->end(Status::canceled);
    const auto results = there_.poll();
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].status, Status::success);
    EXPECT_EQ(results[0].request_context, reinterpret_cast<void*>(1));
    EXPECT_EQ(results[1].status, Status::canceled);
}

TEST_F(QueueFailureTest, StatusesAreThoseOfTheTable) {
    connect_both();
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::send, {}), Status::success);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_RNR_RETRY_EXC_ERR);
    EXPECT_EQ(here_.poll().at(0).status, Status::timed_out);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    fake_.fail_oldest_receive(there_.pair->number(), IBV_WC_LOC_LEN_ERR);
    EXPECT_EQ(there_.poll().at(0).status, Status::receive_too_small);
}

// ND2-GEN-10, as over the other transports.
TEST_F(QueueFailureTest, AFailureIsReportedOnceWithTheRuleThatItBroke) {
    connect_both();
    fake_.hold();
    std::vector<std::string> rules;
    set_failure_sink(
        [](void* seen, const Failure& failure) {
            static_cast<std::vector<std::string>*>(seen)->emplace_back(std::string_view(failure.requirement));
        },
        &rules);
    ASSERT_EQ(post(here_, Operation::write, {here_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post(here_, Operation::write, {here_.entry(0, 8)}), Status::success);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_REM_ACCESS_ERR);
    EXPECT_EQ(here_.poll_all().size(), 2u);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    fake_.fail_oldest_receive(there_.pair->number(), IBV_WC_LOC_LEN_ERR);
    EXPECT_EQ(there_.poll_all().size(), 1u);
    set_failure_sink(nullptr, nullptr);
    EXPECT_EQ(rules, (std::vector<std::string>{"ND2-QP-RDMA-03", "ND2-QP-SEND-07"}));
}

// siw gives the request that it was sending back so when its stream breaks: it is flushed like those behind it.
TEST_F(BrokenStreamTest, ARequestOfABrokenStreamIsCanceled) {
    connect_both();
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_LOC_QP_OP_ERR);
    const auto results = here_.poll_all();
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].status, Status::canceled);
    EXPECT_EQ(results[1].status, Status::canceled);
    EXPECT_TRUE(here_.end->comes_to_fail());
}

// Canceled means that the peer has not the whole of it: what TCP had taken in whole had its result before.
TEST_F(BrokenStreamTest, WhatHadItsResultBeforeKeepsIt) {
    connect_both();
    for (int i = 0; i < 2; ++i) ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_LOC_QP_OP_ERR);
    const auto results = here_.poll_all();
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].status, Status::success);
    EXPECT_EQ(results[1].status, Status::canceled);
    there_.pair->end(Status::canceled);
    const auto arrived = there_.poll_all();
    ASSERT_EQ(arrived.size(), 2u);
    EXPECT_EQ(arrived[0].status, Status::success);
    EXPECT_EQ(arrived[1].status, Status::canceled);
}

// A fault of its own is named all the same.
TEST_F(BrokenStreamTest, ARequestWithABadTokenIsNot) {
    connect_both();
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::send, {{here_.memory.data(), 8, Token{0x77}}}), Status::success);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_LOC_QP_OP_ERR);
    EXPECT_EQ(here_.poll_all().at(0).status, Status::access_violation);
}

// Nobody polls, and nobody has armed the queue.
TEST_F(QueueFailureTest, AFailureEndsTheConnectionThoughNobodyPolls) {  // ND2-QP-ERR-01
    connect_both();
    for (int round = 0; round < 2; ++round) {  // a solicited receive in between takes the hardware's event
        ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 8)}), Status::success);
        ASSERT_EQ(post(there_, Operation::send, {}, RequestFlags::solicit), Status::success);
        turn();
    }
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_RETRY_EXC_ERR);
    turn();
    EXPECT_TRUE(here_.end->comes_to_fail());
    const auto results = here_.poll();
    ASSERT_EQ(results.size(), 3u);
    EXPECT_EQ(results[2].status, Status::timed_out);
    EXPECT_EQ(here_.sink.events, 0);
}

// Without Reads (ND2-CON-LIM-03) a Read fails, behind the requests before it, and never reaches the hardware.
TEST_F(QueueFailureTest, AReadOnAConnectionWithoutReadsFailsInOrder) {
    make(here_);
    make(there_);
    fake_.connect(here_.pair->number(), there_.pair->number());
    connect(here_, Start::now, {0, 0});
    connect(there_);
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::write, {here_.entry(0, 8)}, RequestFlags::none, 1), Status::success);
    ASSERT_EQ(post(here_, Operation::read, {here_.entry(0, 8)}, RequestFlags::none, 2), Status::success);
    ASSERT_EQ(post(here_, Operation::write, {here_.entry(0, 8)}, RequestFlags::none, 3), Status::success);
    EXPECT_EQ(fake_.counts().requests, 1);
    EXPECT_TRUE(here_.poll().empty());
    fake_.run();
    std::vector<Completion> results = here_.poll_all();
    here_.pair->end(Status::canceled);
    for (const Completion& each : here_.poll()) results.push_back(each);
    ASSERT_EQ(results.size(), 3u);
    EXPECT_EQ(results[0].status, Status::success);
    EXPECT_EQ(results[1].status, Status::malformed_request);
    EXPECT_EQ(results[1].request_context, reinterpret_cast<void*>(2));
    EXPECT_EQ(results[2].status, Status::canceled);
    EXPECT_TRUE(here_.end->comes_to_fail());
    EXPECT_EQ(fake_.counts().requests, 1);
}

// Soft devices have one number for several faults: the request's entries tell which it was.
TEST_F(QueueFailureTest, AVagueFailureIsBlamedOnTheEntries) {
    connect_both();
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::send, {{here_.memory.data(), 8, Token{0xBAD}}}), Status::success);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_LOC_QP_OP_ERR);
    EXPECT_EQ(here_.poll().at(0).status, Status::access_violation);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    fake_.fail_oldest_receive(there_.pair->number(), IBV_WC_GENERAL_ERR);
    EXPECT_EQ(there_.poll().at(0).status, Status::receive_too_small);
}

// ND1-EP-GEN-22.
TEST_F(QueueFailureTest, TheOldestRequestOfALostConnectionTimesOut) {
    connect_both();
    fake_.hold();
    for (std::uintptr_t i = 1; i <= 2; ++i) ASSERT_EQ(post(here_, Operation::send, {}), Status::success);
    ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 8)}), Status::success);
    here_.pair->end(Status::timed_out);
    std::vector<Status> of_requests;
    for (const Completion& each : here_.poll())
        if (each.operation == Operation::receive)
            EXPECT_EQ(each.status, Status::canceled);
        else
            of_requests.push_back(each.status);
    EXPECT_EQ(of_requests, (std::vector{Status::timed_out, Status::canceled}));
}

// ND2-QP-FLUSH-02: nothing has reached the hardware, and nothing of it is needed.
TEST_F(QueueFailureTest, AFlushWhileIdleLeavesTheQueuePairIdle) {
    make(here_);
    const std::uint32_t number = here_.pair->number();
    for (std::uintptr_t i = 1; i <= 3; ++i)
        ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 8)}, RequestFlags::none, i), Status::success);
    here_.pair->flush();
    const auto results = here_.poll();
    ASSERT_EQ(results.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(results[i].status, Status::canceled);
        EXPECT_EQ(results[i].request_context, reinterpret_cast<void*>(i + 1));
    }
    EXPECT_EQ(here_.pair->state(), QueuePairState::idle);
    EXPECT_EQ(here_.pair->number(), number);
    // It connects afterwards, and the canceled receives do not go to the hardware.
    make(there_);
    join();
    EXPECT_EQ(fake_.counts().receives, 0);
    ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 8)}, RequestFlags::none, 4), Status::success);
    ASSERT_EQ(post(there_, Operation::send, {}), Status::success);
    EXPECT_EQ(here_.poll().at(0).request_context, reinterpret_cast<void*>(4));
}

// ND2-QP-FLUSH-01: all results are in the queues on return, though the provider loses them.
TEST_F(QueueFailureTest, LostFlushResultsAreMadeByOpenNd) {
    connect_both();
    fake_.hold();
    fake_.loses_flushed = true;
    for (std::uintptr_t i = 1; i <= 3; ++i) ASSERT_EQ(post(here_, Operation::send, {}), Status::success);
    for (std::uintptr_t i = 1; i <= 2; ++i)
        ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 8)}), Status::success);
    here_.pair->flush();
    const auto results = here_.poll();
    EXPECT_EQ(results.size(), 5u);
    for (const Completion& each : results) EXPECT_EQ(each.status, Status::canceled);
    EXPECT_EQ(here_.end->failed, 0);
    here_.pair->close();
    EXPECT_EQ(here_.end->closed, 1);  // ND2-QP-REL-02
}

// A device whose firmware is busy: the flush waits for it, up to 2 s.
TEST_F(QueueFailureTest, AFlushWaitsForADeviceThatPauses) {
    connect_both();
    fake_.hold();
    fake_.keeps_flushed = true;
    ASSERT_EQ(post(here_, Operation::send, {}), Status::success);
    std::future<void> flushed = std::async(std::launch::async, [this] { here_.pair->flush(); });
    EXPECT_EQ(flushed.wait_for(std::chrono::milliseconds(300)), std::future_status::timeout);
    fake_.give_flushed();
    flushed.get();
    EXPECT_EQ(here_.poll().size(), 1u);
}

// A provider takes the results of a queue pair away with it: they are in the ring before.
TEST_F(QueueFailureTest, ResultsOutliveTheHardwaresQueuePair) {
    connect_both();
    fake_.destroys_results = true;
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}, RequestFlags::none, 21), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
    there_.pair->close();
    there_.pair = nullptr;
    const auto results = there_.poll();  // ND2-CQ-GET-05
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].status, Status::success);
    EXPECT_EQ(results[0].request_context, reinterpret_cast<void*>(21));
    EXPECT_EQ(results[0].queue_pair_context, &there_);
}

TEST_F(QueueFailureTest, AFatalEventOfTheQueuePairFailsIt) {
    connect_both();
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::send, {}), Status::success);
    fake_.tell(here_.pair->number(), IBV_EVENT_QP_FATAL);
    turn();
    EXPECT_TRUE(here_.end->comes_to_fail());
    here_.pair->end(Status::canceled);
    EXPECT_EQ(here_.poll().at(0).status, Status::canceled);
}

// ND2-GEN-07: the device goes in the middle of requests; nothing of it completes any more.
TEST_F(QueueFailureTest, ARemovedDeviceGivesAllRequestsBack) {
    connect_both();
    fake_.hold();
    fake_.loses_flushed = true;
    for (std::uintptr_t i = 1; i <= 3; ++i) ASSERT_EQ(post(here_, Operation::send, {}), Status::success);
    ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 8)}), Status::success);
    fake_.tell(IBV_EVENT_DEVICE_FATAL);
    turn();
    EXPECT_TRUE(device_->ended());
    EXPECT_EQ(here_.poll().size(), 4u);
    EXPECT_EQ(here_.pair->state(), QueuePairState::error);
    ASSERT_EQ(post(here_, Operation::send, {}), Status::success);
    EXPECT_EQ(here_.poll().at(0).status, Status::canceled);
    fake_.refuses_queue_pairs = true;
    QueuePairParameters parameters;
    parameters.limits = {1, 1, 1, 1, 0};
    parameters.receive_completion_queue = parameters.initiator_completion_queue = here_.queue;
    EXPECT_EQ(HardwareQueuePair::create(adapter_, parameters).status(), Status::device_removed);
    EXPECT_EQ(VerbsAdapter::create(device_, can_, rule_).status(), Status::device_removed);
}

TEST_F(QueueFailureTest, ARefusedPostLeavesNoTrace) {  // ND2-QP-POST-01, ND2-QP-STAT-02
    connect_both();
    fake_.post_error = EINVAL;
    EXPECT_EQ(post(here_, Operation::send, {}), Status::malformed_request);
    fake_.post_error = ENOMEM;
    EXPECT_EQ(post(here_, Operation::receive, {here_.entry(0, 8)}), Status::queue_full);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    EXPECT_EQ(post(here_, Operation::send, {}), Status::success);
    EXPECT_EQ(here_.poll().size(), 1u);
}

TEST_F(QueueFailureTest, AQueuePairThatTheDeviceRefusesIsNoQueuePair) {
    make(here_);
    fake_.refuses_queue_pairs = true;
    QueuePairParameters parameters;
    parameters.limits = {1, 1, 1, 1, 0};
    parameters.receive_completion_queue = parameters.initiator_completion_queue = here_.queue;
    EXPECT_EQ(HardwareQueuePair::create(adapter_, parameters).status(), Status::no_memory);
    fake_.refuses_queue_pairs = false;
}

}  // namespace
}  // namespace opennd::verbs
