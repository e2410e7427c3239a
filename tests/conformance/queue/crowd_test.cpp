// SPDX-License-Identifier: MIT
//
// Many connections on one completion queue: no arrival is lost, whether the program polls, sleeps, or does both, and while
// connections come and go. Requirements ND2-CQ-GET-06, ND2-CQ-NTF-*, ND2-ADP-QP-07.
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "conformance/queue/crowd.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class Crowd : public CrowdTest {};

// A stride that is prime to the number of connections: neighbours are seldom busy together.
std::size_t in_disorder(std::size_t turn, std::size_t count) { return turn * 37 % count; }

TEST_P(Crowd, OfAFewHundredLosesNoMessageToAPoller) {
    if (const char* const why = support::lacks(support::Ability::many_queues)) GTEST_SKIP() << why;
    proves("ND2-CQ-GET-06", "ND2-ADP-QP-07", "IW-PERF-16");
    constexpr std::size_t kConnections = 300;
    connect(kConnections);
    std::vector<int> received(kConnections), sent(kConnections);
    for (std::size_t most : {1, 16}) {
        for (std::size_t i = 0; i < kConnections; ++i) send(i, i + 1);
        poll_for(*b_->results, RequestKind::receive, kConnections, most, received);
        poll_for(*a_->results, RequestKind::send, kConnections, most, sent);
    }
    for (std::size_t turn = 0; turn < kConnections; ++turn) {
        const std::size_t index = in_disorder(turn, kConnections);
        send(index, index + 1);
        poll_for(*b_->results, RequestKind::receive, 1, 16, received);
        poll_for(*a_->results, RequestKind::send, 1, 16, sent);
    }
    EXPECT_EQ(received, std::vector<int>(kConnections, 3));
    EXPECT_EQ(sent, std::vector<int>(kConnections, 3));
}

TEST_P(Crowd, LosesNoMessageToAProgramThatSleeps) {
    if (const char* const why = support::lacks(support::Ability::many_queues)) GTEST_SKIP() << why;
    proves("ND2-CQ-NTF-02", "ND2-CQ-NTF-08", "ND2-OVL-24");
    constexpr std::size_t kConnections = 64;
    connect(kConnections);
    std::vector<int> received(kConnections), sent(kConnections);
    for (std::size_t turn = 0; turn < 2 * kConnections; ++turn) {
        const std::size_t index = in_disorder(turn, kConnections);
        send(index, index + 1);
        take_when_notified(*b_->results, RequestKind::receive, 1, received);
        take_when_notified(*a_->results, RequestKind::send, 1, sent);
    }
    for (std::size_t i = 0; i < kConnections; ++i) send(i, i + 1);
    take_when_notified(*b_->results, RequestKind::receive, kConnections, received);
    take_when_notified(*a_->results, RequestKind::send, kConnections, sent);
    EXPECT_EQ(received, std::vector<int>(kConnections, 3));
    EXPECT_EQ(sent, std::vector<int>(kConnections, 3));
}

// It polls long enough that its peers rely on it, says nothing, and looks again when a timer could have helped it at most.
TEST_P(Crowd, WakesAProgramThatPolledAndThenSleeps) {
    if (const char* const why = support::lacks(support::Ability::many_queues)) GTEST_SKIP() << why;
    proves("ND2-CQ-NTF-08", "ND2-CQ-NTF-02");
    constexpr std::size_t kConnections = 64;
    constexpr int kPolls = 1000;
    connect(kConnections);
    std::vector<int> received(kConnections), sent(kConnections);
    for (std::size_t turn = 0; turn < 16; ++turn) {
        const std::size_t index = in_disorder(turn, kConnections);
        for (int polls = 0; polls < kPolls; ++polls) EXPECT_TRUE(b_->results->poll(4).empty());
        const Operation any = b_->results->notify(NotifyType::any);
        send(index, index + 1);
        ASSERT_EQ(any.wait(), Outcome::success);
        poll_for(*b_->results, RequestKind::receive, 1, 4, received);
        poll_for(*a_->results, RequestKind::send, 1, 4, sent);
    }
    EXPECT_EQ(total(received), 16);
}

// The sender waits for the results of its Sends, which the receiver's side makes without its program.
TEST_P(Crowd, IsServedWhenItsPollerStopsSilently) {
    if (const char* const why = support::lacks(support::Ability::many_queues)) GTEST_SKIP() << why;
    proves("ND2-OVL-24", "ND2-QP-SEND-02");
    constexpr std::size_t kConnections = 64;
    connect(kConnections);
    std::vector<int> received(kConnections), sent(kConnections);
    for (int polls = 0; polls < 1000; ++polls) EXPECT_TRUE(b_->results->poll(4).empty());
    for (std::size_t i = 0; i < kConnections; ++i) send(i, i + 1);
    poll_for(*a_->results, RequestKind::send, kConnections, 4, sent);
    poll_for(*b_->results, RequestKind::receive, kConnections, 4, received);
    EXPECT_EQ(received, std::vector<int>(kConnections, 1));
}

// The notification comes before the polls, and tells the receiver's side nothing.
TEST_P(Crowd, IsServedForASenderThatWasToBeWokenBefore) {
    if (const char* const why = support::lacks(support::Ability::many_queues)) GTEST_SKIP() << why;
    proves("ND2-CQ-NTF-02", "ND2-QP-SEND-02");
    constexpr std::size_t kConnections = 64;
    connect(kConnections);
    std::vector<int> received(kConnections), sent(kConnections);
    for (std::size_t turn = 0; turn < 4; ++turn) {
        const std::size_t index = in_disorder(turn, kConnections);
        const Operation any = a_->results->notify(NotifyType::any);
        for (int polls = 0; polls < 1000; ++polls) EXPECT_TRUE(b_->results->poll(4).empty());
        send(index, index + 1);
        ASSERT_EQ(any.wait(), Outcome::success);
        poll_for(*a_->results, RequestKind::send, 1, 4, sent);
        poll_for(*b_->results, RequestKind::receive, 1, 4, received);
    }
    EXPECT_EQ(total(received), 4);
}

TEST_P(Crowd, LosesNoMessageAmongPollersAndSleepers) {
    if (const char* const why = support::lacks(support::Ability::many_queues)) GTEST_SKIP() << why;
    proves("ND2-CQ-GET-07", "ND2-CQ-NTF-08");
    constexpr std::size_t kConnections = 64;
    constexpr int kRounds = 20;
    connect(kConnections);
    std::atomic<int> taken = 0;
    std::atomic<bool> failed = false;
    const auto is_over = [&] { return taken.load() == kRounds * static_cast<int>(kConnections) || failed.load(); };
    const auto take = [&] {
        const auto results = b_->results->poll(4);
        for (const Completion& each : results)
            if (each.outcome != Outcome::success) failed = true;
        taken += static_cast<int>(results.size());
        return !results.empty();
    };
    std::vector<std::thread> threads;
    threads.emplace_back([&] {
        while (!is_over()) {
            for (int polls = 0; polls < 300 && !is_over(); ++polls) (void)take();
            std::this_thread::yield();
        }
    });
    threads.emplace_back([&] {
        while (!is_over()) {
            const Operation any = b_->results->notify(NotifyType::any);
            (void)any.wait(milliseconds(20));  // another thread may take the results
            while (take()) {
            }
            if (any.now() == Outcome::pending) b_->results->cancel();
            (void)any.wait();
        }
    });
    std::vector<int> sent(kConnections);
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t i = 0; i < kConnections; ++i) send(i, i + 1);
        poll_for(*a_->results, RequestKind::send, kConnections, 8, sent);
        const int so_far =
            (round + 1) * static_cast<int>(kConnections);  // a receive has its slot until its result is taken
        if (!wait_until([&] { return taken.load() == so_far || failed.load(); })) break;
    }
    EXPECT_TRUE(is_over()) << taken << " messages";
    failed = failed || !is_over();
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(taken, kRounds * static_cast<int>(kConnections));
}

// One connection has all messages for a while, then the next, which the poller must notice; the others go on beside it.
TEST_P(Crowd, LosesNoMessageOfTheOneThatIsBusiest) {
    proves("ND2-CQ-GET-06", "ND2-CQ-NTF-08", "IW-PERF-16");
    constexpr std::size_t kConnections = 32;
    constexpr int kMessages = 200;
    connect(kConnections);
    std::vector<int> received(kConnections), sent(kConnections);
    const auto exchange = [&](std::size_t index) {
        send(index, index + 1);
        poll_for(*b_->results, RequestKind::receive, 1, 4, received);
        poll_for(*a_->results, RequestKind::send, 1, 4, sent);
    };
    for (const std::size_t busiest : {3, 17}) {
        for (int polls = 0; polls < 200; ++polls) EXPECT_TRUE(b_->results->poll(4).empty());
        for (int message = 0; message < kMessages; ++message) exchange(busiest);
        exchange(5);
        const Operation any = b_->results->notify(NotifyType::any);
        send(busiest, busiest + 1);
        ASSERT_EQ(any.wait(), Outcome::success);
        poll_for(*b_->results, RequestKind::receive, 1, 4, received);
        poll_for(*a_->results, RequestKind::send, 1, 4, sent);
        for (int message = 0; message < kMessages; ++message) exchange(busiest);
        for (int polls = 0; polls < 10'000; ++polls) EXPECT_TRUE(b_->results->poll(4).empty());
        exchange(busiest);
    }
    EXPECT_EQ(received[3], 2 * kMessages + 2);
    EXPECT_EQ(received[17], 2 * kMessages + 2);
    EXPECT_EQ(received[5], 2);
}

// The poller of the receives never looks at the queue of the Sends, and stops silently.
TEST_P(Crowd, CompletesSendsInQueuesOfTheirOwn) {
    if (const char* const why = support::lacks(support::Ability::many_queues)) GTEST_SKIP() << why;
    proves("ND2-CQ-NTF-08", "ND2-CQ-NTF-02", "ND2-QP-SEND-02");
    constexpr std::size_t kConnections = 24;
    for (const CrowdSide::Sends sends : {CrowdSide::Sends::apart, CrowdSide::Sends::each_apart}) {
        connect(kConnections, sends);
        std::vector<int> received(kConnections), sent(kConnections);
        for (std::size_t turn = 0; turn < 2 * kConnections; ++turn) {
            const std::size_t index = in_disorder(turn, kConnections);
            for (int polls = 0; turn == kConnections && polls < 200; ++polls) EXPECT_TRUE(a_->results->poll(4).empty());
            send(index, index + 1);
            take_when_notified(*b_->results, RequestKind::receive, 1, received);
            take_when_notified(a_->results_of_sends(index), RequestKind::send, 1, sent);
        }
        for (std::size_t index = 0; index < kConnections; ++index) send(index, index + 1);
        poll_for(*b_->results, RequestKind::receive, kConnections, 4, received);
        for (std::size_t index = 0; index < kConnections; ++index)
            if (sends == CrowdSide::Sends::each_apart || index == 0)
                poll_for(a_->results_of_sends(index), RequestKind::send,
                         sends == CrowdSide::Sends::apart ? kConnections : 1, 4, sent);
        EXPECT_EQ(received, std::vector<int>(kConnections, 3));
        EXPECT_EQ(sent, std::vector<int>(kConnections, 3));
        listener_.reset();
        a_.reset();
        b_.reset();
    }
}

// Up and down across the number from which on queue pairs are not all looked at.
TEST_P(Crowd, LosesNoMessageWhileConnectionsComeAndGo) {
    if (const char* const why = support::lacks(support::Ability::many_queues)) GTEST_SKIP() << why;
    proves("ND2-ADP-QP-07", "ND2-CQ-GET-05");
    constexpr std::size_t kMost = 40;
    connect(kMost);
    std::vector<int> received(2 * kMost), sent(2 * kMost);
    const auto exchange = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) send(i, i + 1);
        poll_for(*b_->results, RequestKind::receive, last - first, 4, received);
        take_when_notified(*a_->results, RequestKind::send, last - first, sent);
    };
    exchange(0, kMost);
    for (std::size_t gone = 0; gone + 4 <= kMost; gone += 4) {
        for (std::size_t i = gone; i < gone + 4; ++i) {
            a_->drop(i);
            b_->drop(i);
        }
        if (gone + 4 < kMost) exchange(gone + 4, kMost);
    }
    for (std::size_t come = kMost; come < 2 * kMost; ++come) {
        connect_one_more();
        exchange(kMost, come + 1);
    }
}

INSTANTIATE_TEST_SUITE_P(, Crowd, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
