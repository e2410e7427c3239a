// SPDX-License-Identifier: MIT
//
// INDCompletionQueue: results, notifications, Resize. Requirements ND1-CQ-*.
#include <thread>
#include <vector>

#include "conformance/nd1/nd1_test.h"
#include "support/tested_device.h"

namespace opennd::conformance::nd1 {
namespace {

class Nd1Queues : public Nd1Test {};

TEST_P(Nd1Queues, GetResultsGivesWhatIsThere) {
    proves("ND1-CQ-GR-01", "ND1-CQ-GR-02", "ND1-CQ-GR-06", "ND1-CQ-01", "ND1-CQ-03", "ND1-CQ-04", "ND1-CN-CREP-08");
    Pair pair;
    pair.connected();
    std::array<ND_RESULT, 3> sent, received;
    for (ND_RESULT& each : received) ASSERT_TRUE(is(pair.b.receive(each, 8), ND_SUCCESS));
    for (ND_RESULT& each : sent) ASSERT_TRUE(is(pair.a.send(each, 8), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received[0], ND_SUCCESS, 8));
    ND_RESULT mark;
    std::array<ND_RESULT*, 4> results{&mark, &mark, &mark, &mark};
    EXPECT_EQ(pair.b.inbound->GetResults(nullptr, 4), 0u);
    EXPECT_EQ(pair.b.inbound->GetResults(results.data(), 0), 0u);
    EXPECT_EQ(results[0], &mark);
    SIZE_T count = 0;
    ASSERT_TRUE(support::wait_until([&] {
        count += pair.b.inbound->GetResults(results.data() + count, 3 - count);
        return count == 2;
    }));
    EXPECT_EQ(results[0], &received[1]);
    EXPECT_EQ(results[1], &received[2]);
    EXPECT_EQ(results[2], &mark) << "not written";
    EXPECT_EQ(pair.b.outbound->GetResults(results.data(), 1), 0u) << "inbound results go to the inbound queue";
}

TEST_P(Nd1Queues, ThreadsShareTheResults) {
    provokes("CHECK-DEPTH");
    proves("ND1-CQ-GR-04", "ND1-CQ-GR-05", "ND1-EP-GEN-23");
    constexpr SIZE_T kCount = 512;
    Pair pair({.outbound = 1024}, {.inbound = 1024});
    pair.connected();
    std::vector<ND_RESULT> sent(kCount), received(kCount);
    for (ND_RESULT& each : received) ASSERT_TRUE(is(pair.b.receive(each, 8), ND_SUCCESS));
    std::atomic<SIZE_T> taken{0};
    std::vector<std::thread> threads;
    for (int half = 0; half < 2; ++half)
        threads.emplace_back([&, half] {
            for (SIZE_T i = 0; i < kCount / 2; ++i)
                EXPECT_TRUE(is(pair.a.send(sent[static_cast<SIZE_T>(half) * kCount / 2 + i], 8), ND_SUCCESS));
        });
    for (int poller = 0; poller < 2; ++poller)
        threads.emplace_back([&] {
            EXPECT_TRUE(support::wait_until([&] {
                ND_RESULT* results[8];
                taken += pair.b.inbound->GetResults(results, 8);
                return taken == kCount;
            }));
        });
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(taken, kCount);
}

TEST_P(Nd1Queues, NotifyWaitsForWhatItAsksFor) {
    if (const char* const why = support::lacks(support::Ability::solicited_events)) GTEST_SKIP() << why;
    proves("ND1-CQ-NTF-01", "ND1-CQ-NTF-02", "ND1-CQ-NTF-06", "ND1-CQ-NTF-07", "ND1-CQ-NTF-08", "ND1-CQ-NTF-09",
           "ND1-CQ-NTF-11", "ND1-CQ-NTF-13", "ND1-EP-SEND-05", "ND1-OV-06");
    Pair pair;
    pair.connected();
    INDCompletionQueue& queue = *pair.b.inbound.get();
    ND_RESULT sent, received;
    Request any, solicited, errors, bad;
    EXPECT_TRUE(is(queue.Notify(3, bad), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(queue.Notify(ND_CQ_NOTIFY_ANY, nullptr), ND_INVALID_PARAMETER_2));
    ASSERT_TRUE(is(queue.Notify(NdCqNotifySolicited, solicited), ND_PENDING));
    ASSERT_TRUE(is(queue.Notify(NdCqNotifyErrors, errors), ND_PENDING));
    ASSERT_TRUE(is(pair.b.receive(received, 8), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.send(sent, 8), ND_SUCCESS));
    EXPECT_TRUE(comes(queue, received, ND_SUCCESS, 8));
    EXPECT_TRUE(is(solicited.now(), ND_PENDING)) << "not solicited";
    ASSERT_TRUE(is(pair.b.receive(received, 8), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.send(sent, 8, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT), ND_SUCCESS));
    EXPECT_TRUE(is(solicited.wait(), ND_SUCCESS));
    EXPECT_TRUE(is(errors.wait(), ND_SUCCESS)) << "narrower ones complete with it";
    ND_RESULT* result = nullptr;
    EXPECT_EQ(queue.GetResults(&result, 1), 1u) << "visible once the request is seen complete";
    ASSERT_TRUE(is(queue.Notify(NdCqNotifyAny, any), ND_PENDING)) << "armed for one event at a time";
    ASSERT_TRUE(is(pair.b.receive(received, 8), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.send(sent, 8), ND_SUCCESS));
    EXPECT_TRUE(is(any.wait(), ND_SUCCESS));
}

TEST_P(Nd1Queues, ErrorsSatisfyEveryType) {
    proves("ND1-CQ-NTF-03", "ND1-CQ-NTF-05");
    for (const DWORD type : {NdCqNotifyErrors, NdCqNotifySolicited, NdCqNotifyAny})
        for (const bool before : {true, false}) {
            Pair pair;
            pair.connected();
            ND_RESULT received;
            Request request;
            ASSERT_TRUE(is(pair.b.receive(received, 8), ND_SUCCESS));
            if (before) pair.b.endpoint->Flush();
            const HRESULT begun = pair.b.inbound->Notify(type, request);
            if (!before) pair.b.endpoint->Flush();
            EXPECT_TRUE(is(finish(begun, request), ND_SUCCESS)) << type << before;
        }
}

TEST_P(Nd1Queues, AResultMakesOneNotification) {
    proves("ND1-CQ-NTF-04", "ND1-CQ-NTF-05", "ND1-CQ-NTF-14");
    Pair pair;
    pair.connected();
    std::array<ND_RESULT, 2> sent, received;
    for (ND_RESULT& each : received) ASSERT_TRUE(is(pair.b.receive(each, 8), ND_SUCCESS));
    Request first, again, next_one;
    ASSERT_TRUE(is(pair.b.inbound->Notify(ND_CQ_NOTIFY_ANY, first), ND_PENDING));
    ASSERT_TRUE(is(pair.a.send(sent[0], 8), ND_SUCCESS));
    ASSERT_TRUE(is(first.wait(), ND_SUCCESS));
    ASSERT_TRUE(is(pair.b.inbound->Notify(ND_CQ_NOTIFY_ANY, again), ND_PENDING)) << "the same result is not new";
    ASSERT_TRUE(is(pair.a.send(sent[1], 8), ND_SUCCESS));
    EXPECT_TRUE(is(again.wait(), ND_SUCCESS));
    for (const ND_RESULT& each : received) EXPECT_TRUE(comes(*pair.b.inbound.get(), each, ND_SUCCESS, 8));
    ASSERT_TRUE(is(pair.b.inbound->Notify(ND_CQ_NOTIFY_ANY, next_one), ND_PENDING)) << "taken";
}

TEST_P(Nd1Queues, NoWakeUpIsLostBetweenAnEmptyPollAndNotify) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND1-CQ-NTF-05", "ND1-CQ-NTF-09");
    constexpr int kRounds = 2000;
    Pair pair;
    pair.connected();
    std::thread sender([&] {
        for (int i = 0; i < kRounds; ++i) {
            ND_RESULT sent;
            while (pair.a.send(sent, 8) != ND_SUCCESS) std::this_thread::yield();
            EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, 8));
        }
    });
    std::vector<ND_RESULT> received(kRounds);
    int posted = 0, taken = 0;
    for (; posted < 8; ++posted)
        EXPECT_TRUE(is(pair.b.receive(received[static_cast<std::size_t>(posted)], 8), ND_SUCCESS));
    while (taken < kRounds) {
        ND_RESULT* result = nullptr;
        if (pair.b.inbound->GetResults(&result, 1) == 1) {
            ++taken;
            if (posted < kRounds) pair.b.receive(received[static_cast<std::size_t>(posted++)], 8);
            continue;
        }
        Request request;
        const HRESULT outcome = [&] {
            const HRESULT begun = pair.b.inbound->Notify(ND_CQ_NOTIFY_ANY, request);
            return finish(begun, request);
        }();
        if (outcome != ND_SUCCESS) {
            ADD_FAILURE() << "lost after " << taken << ", scenario 6 of 7.5";
            pair.b.inbound->CancelOverlappedRequests();
            break;
        }
    }
    sender.join();
}

TEST_P(Nd1Queues, NotifyIsCancelledAndCanBeCalledAgain) {
    proves("ND1-OV-CXL-05", "ND1-OV-CXL-11", "ND1-CQ-10", "ND1-CQ-NTF-10");
    Pair pair;
    ND_RESULT received;
    ASSERT_TRUE(is(pair.b.receive(received, 8), ND_SUCCESS));
    Request first, second;
    ASSERT_TRUE(is(pair.b.inbound->Notify(ND_CQ_NOTIFY_ANY, first), ND_PENDING));
    EXPECT_TRUE(is(pair.b.inbound->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(first.now(), ND_CANCELED));
    ASSERT_TRUE(is(pair.b.inbound->Notify(ND_CQ_NOTIFY_ANY, second), ND_PENDING));
    EXPECT_EQ(pair.b.inbound.reset(), 0u);
    EXPECT_TRUE(is(second.now(), ND_CANCELED));
    ASSERT_TRUE(is(pair.b.endpoint->Flush(), ND_SUCCESS)) << "its later results are dropped";
}

TEST_P(Nd1Queues, ResizeLosesNothing) {
    proves("ND1-CQ-RSZ-01", "ND1-CQ-RSZ-02", "ND1-CQ-RSZ-03", "ND1-CQ-RSZ-04", "ND1-CQ-RSZ-05");
    Pair pair;
    INDCompletionQueue& queue = *pair.b.inbound.get();
    const SIZE_T most = info_of(*pair.b.adapter.get()).MaxCqEntries;
    for (const SIZE_T bad : {SIZE_T{0}, most + 1, (SIZE_T{1} << 32) + 4})
        EXPECT_TRUE(is(queue.Resize(bad), ND_INVALID_PARAMETER));
    Request pending;
    ASSERT_TRUE(is(queue.Notify(ND_CQ_NOTIFY_ANY, pending), ND_PENDING));
    EXPECT_TRUE(is(queue.Resize(4), ND_SUCCESS));
    EXPECT_TRUE(is(queue.Resize(most), ND_SUCCESS));
    EXPECT_TRUE(is(pending.now(), ND_PENDING));
    std::array<ND_RESULT, 3> received;
    for (ND_RESULT& each : received) ASSERT_TRUE(is(pair.b.receive(each, 8), ND_SUCCESS));
    ASSERT_TRUE(is(pair.b.endpoint->Flush(), ND_SUCCESS));
    EXPECT_TRUE(is(pending.wait(), ND_SUCCESS)) << "armed all the time";
    EXPECT_TRUE(is(queue.Resize(2), ND_BUFFER_OVERFLOW));
    EXPECT_TRUE(is(queue.Resize(3), ND_SUCCESS));
    for (const ND_RESULT& each : received) EXPECT_TRUE(comes(queue, each, ND_CANCELED));
}

TEST_P(Nd1Queues, AnOverrunFailsTheQueueAndItsEndpoints) {
    provokes("CHECK-DEPTH");
    proves("ND1-CQ-05", "ND1-CQ-06", "ND1-CQ-NTF-10", "ND1-CN-CREP-02", "ND1-CQ-GR-05");
    const StrictOverrun strict;
    Pair pair;
    pair.b.endpoint.reset();
    pair.b.connector = connector(*pair.b.adapter.get());
    pair.b.inbound = completion_queue(*pair.b.adapter.get(), 2);
    ASSERT_TRUE(is(pair.b.connector->CreateEndpoint(pair.b.inbound.get(), pair.b.outbound.get(), 8, 8, 4, 1, 16, 16,
                                                    nullptr, pair.b.endpoint.put()),
                   ND_SUCCESS))
        << "the sum is not checked";
    pair.connected();
    std::array<ND_RESULT, 3> received, sent;
    for (ND_RESULT& each : received) ASSERT_TRUE(is(pair.b.receive(each, 8), ND_SUCCESS));
    Request pending, later;
    ASSERT_TRUE(is(pair.b.inbound->Notify(ND_CQ_NOTIFY_ERRORS, pending), ND_PENDING));
    for (ND_RESULT& each : sent) ASSERT_TRUE(is(pair.a.send(each, 8), ND_SUCCESS));
    EXPECT_TRUE(is(pending.wait(), ND_BUFFER_OVERFLOW));
    EXPECT_TRUE(is(pair.b.inbound->Notify(ND_CQ_NOTIFY_ANY, later), ND_BUFFER_OVERFLOW));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received[0], ND_SUCCESS, 8)) << "still readable";
    const auto unused = connector(*pair.b.adapter.get());
    ComPtr<INDEndpoint> endpoint;
    EXPECT_TRUE(is(
        unused->CreateEndpoint(pair.b.inbound.get(), pair.b.outbound.get(), 1, 1, 1, 1, 1, 1, nullptr, endpoint.put()),
        ND_INVALID_PARAMETER_1));
}

INSTANTIATE_TEST_SUITE_P(, Nd1Queues, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1
