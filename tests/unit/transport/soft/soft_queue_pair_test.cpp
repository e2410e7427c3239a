// SPDX-License-Identifier: MIT
// A queue pair of the software RNIC that fails, is flushed, ends, or goes to sleep, over a wire that the test scripts.
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scripted_queue_pair.h"
#include "support/deadline.h"
#include "support/requirement.h"
#include "transport/soft/engine/receive_turn.h"

namespace opennd::soft {
namespace {

using support::proves;

class CountingEnd final : public ConnectionEnd {
public:
    int failures = 0, closings = 0;
    void queue_pair_failed() override { ++failures; }
    void queue_pair_closed() override { ++closings; }
};

class SoftQueuePairTest : public test::ScriptedQueuePair {
protected:
    static constexpr int kTurns = 1000;  // of another thread that is not to come further

    SoftQueuePairTest() {
        channel_->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{0}}; };
    }

    void post(Operation operation) {
        ASSERT_EQ(queue_pair_->post({operation, RequestFlags::none, nullptr, {}}), Status::success);
    }
    std::size_t waiting() { return completions_->count_waiting().all; }
    Completion next() {
        Completion completion;
        EXPECT_EQ(completions_->poll({&completion, 1}), 1u);
        return completion;
    }
    // A message waits for a receive.
    void starve() {
        channel_->on_receive = [](ReceiveTurn& turn) -> std::size_t {
            std::span<const Sge> target;
            ResolvedMemory memory;
            EXPECT_EQ(turn.begin_receive(8, target, memory), Status::would_block);
            return 0;
        };
        EXPECT_EQ(poll(), 0u);
    }
};

TEST_F(SoftQueuePairTest, AReceiveLooksAtOnceForTheMessageThatWaitsForIt) {
    proves("ND2-QP-SEND-05");
    starve();
    int looks = 0;
    channel_->on_receive = [&looks](ReceiveTurn&) -> std::size_t { return ++looks, 0; };
    post(Operation::receive);
    EXPECT_EQ(looks, 1);
    queue_pair_->flush();
}

// A queue pair woken for a shared receive goes on as long as there are messages, up to a share.
TEST_F(SoftQueuePairTest, GoesOnWhileThereIsMore) {
    proves("ND2-SRQ-RECV-03");
    constexpr int kMessages = 3;
    int moved = 0;
    channel_->show_arrivals();
    channel_->arrive();
    channel_->on_receive = [&](ReceiveTurn&) -> std::size_t {
        channel_->take();
        if (++moved < kMessages) channel_->arrive();
        return 1;
    };
    queue_pair_->run();
    EXPECT_EQ(moved, kMessages);
}

TEST_F(SoftQueuePairTest, LeavesWhatIsMoreThanItsShareToTheServiceThread) {
    proves("ND2-SRQ-RECV-03");
    constexpr int kMessages = 1000;
    std::atomic<int> moved{0};
    channel_->show_arrivals();
    channel_->arrive();
    channel_->on_receive = [&](ReceiveTurn&) -> std::size_t {
        if (!channel_->shows_arrival()) return 0;
        channel_->take();
        if (++moved < kMessages) channel_->arrive();
        return 1;
    };
    queue_pair_->run();
    EXPECT_LT(moved, kMessages) << "the caller does other things, too";
    EXPECT_TRUE(support::wait_until([&moved] { return moved == kMessages; }));
    queue_pair_->flush();
}

// The sends have finished though no message comes.
TEST_F(SoftQueuePairTest, LearnsDuringALongCopyThatItsSendsHaveFinished) {
    proves("ND2-CQ-GET-06");
    post(Operation::send);
    channel_->show_arrivals();
    channel_->arrive();
    std::size_t results = 0;
    channel_->on_receive = [&](ReceiveTurn& turn) -> std::size_t {
        channel_->take();
        turn.begin_long_copy();
        channel_->arrive();
        channel_->on_look = [this] { channel_->finished_before = 1; };
        results = poll();
        channel_->take();
        turn.end_long_copy();
        return 0;
    };
    queue_pair_->run();
    EXPECT_EQ(results, 1u);
}

TEST_F(SoftQueuePairTest, LooksAgainForWhatCameDuringALongCopy) {
    proves("IW-PERF-16");
    std::vector<std::byte> memory(kLongCopyBytes + 1);
    const auto region = adapter_->register_memory(memory.data(), memory.size(), Access::local_write).take();
    const Sge all{memory.data(), static_cast<std::uint32_t>(memory.size()), region->local_token()};
    channel_->on_start = [] { return StartResult{Start::blocked, Status::success, {}}; };
    ASSERT_EQ(queue_pair_->post({Operation::send, RequestFlags::none, nullptr, {&all, 1}}), Status::success);
    int looks = 0;
    channel_->on_receive = [&looks](ReceiveTurn&) -> std::size_t { return ++looks, 0; };
    channel_->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{0}}; };
    queue_pair_->run();
    EXPECT_EQ(looks, 2) << "before the copy, and behind it";
    queue_pair_->flush();
    region->deregister();
}

TEST_F(SoftQueuePairTest, ThatFailsDuringALongCopyIsFlushedBehindIt) {
    proves("ND2-QP-FLUSH-05");
    post(Operation::receive);
    std::size_t flushed = 99;
    channel_->on_receive = [&](ReceiveTurn& turn) -> std::size_t {
        turn.begin_long_copy();
        queue_pair_->fail();
        flushed = waiting();
        turn.end_long_copy();
        return 0;
    };
    queue_pair_->run();
    EXPECT_EQ(flushed, 0u);
    EXPECT_EQ(next().status, Status::canceled);
}

TEST_F(SoftQueuePairTest, AFlushWaitsForALongCopy) {
    proves("ND2-QP-FLUSH-05");
    post(Operation::receive);
    std::atomic<bool> flushed{false};
    std::jthread program;
    channel_->on_receive = [&](ReceiveTurn& turn) -> std::size_t {
        if (program.joinable()) return 0;
        turn.begin_long_copy();
        std::atomic<bool> begun{false};
        program = std::jthread([&] {
            begun = true;
            queue_pair_->flush();
            flushed = true;
        });
        while (!begun) std::this_thread::yield();
        for (int round = 0; round < kTurns; ++round) {
            std::this_thread::yield();
            EXPECT_FALSE(flushed);
        }
        turn.end_long_copy();
        return 0;
    };
    queue_pair_->run();
    program.join();
    EXPECT_TRUE(flushed);
}

// A Deregister of the memory that a request is about returns behind the request: one that has the lock, and one that is in a
// long copy without it.
TEST_F(SoftQueuePairTest, ADeregisterWaitsForAUseInProgress) {
    proves("ND2-MR-DEREG-02");
    for (const bool is_long : {false, true}) {
        for (int run = 0; run < kTurns; ++run) queue_pair_->run();  // this thread is the lock's owner
        std::vector<std::byte> memory(is_long ? kLongCopyBytes + 1 : 8);
        const auto region = adapter_->register_memory(memory.data(), memory.size(), Access::local_write).take();
        const Sge all{memory.data(), static_cast<std::uint32_t>(memory.size()), region->local_token()};
        std::atomic<bool> begun{false}, withdrawn{false};
        std::jthread program;
        channel_->on_start = [&] {
            program = std::jthread([&] {
                begun = true;
                region->deregister();
                withdrawn = true;
            });
            while (!begun) std::this_thread::yield();
            for (int round = 0; round < kTurns; ++round) {
                std::this_thread::yield();
                EXPECT_FALSE(withdrawn) << memory.size() << " octets are in use";
            }
            return StartResult{Start::done};
        };
        ASSERT_EQ(queue_pair_->post({Operation::send, RequestFlags::none, nullptr, {&all, 1}}), Status::success);
        program.join();
        EXPECT_TRUE(withdrawn);
        EXPECT_EQ(next().status, Status::success);
    }
}

TEST_F(SoftQueuePairTest, AFlushWaitsForAPeerInTheMiddleOfAMessage) {
    proves("ND2-QP-FLUSH-05");
    post(Operation::send);
    channel_->looks_until_held = 3;
    queue_pair_->flush();
    EXPECT_EQ(channel_->looks_until_held, 0);
    EXPECT_EQ(next().status, Status::canceled);
}

TEST_F(SoftQueuePairTest, TheBeginningOfAnEndTellsOfAPeerInTheMiddleOfAMessage) {
    proves("ND2-QP-FLUSH-05");
    post(Operation::send);
    channel_->looks_until_held = 3;  // looks: one to settle, one for the caller
    EXPECT_FALSE(queue_pair_->try_end(Status::canceled));
    EXPECT_TRUE(queue_pair_->try_end(Status::canceled));
    queue_pair_->end(Status::canceled);
    EXPECT_EQ(next().status, Status::canceled);
}

TEST_F(SoftQueuePairTest, AFailureEndsTheConnectionOnceAndAReleaseIsTold) {
    proves("ND2-QP-ERR-01", "ND2-QP-REL-02");
    const auto end = make_ref<CountingEnd>();
    const Ref<TransportQueuePair> made =
        adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_, nullptr}).take();
    auto& queue_pair = static_cast<SoftQueuePair&>(*made);
    ASSERT_TRUE(queue_pair.attach(make_ref<test::ScriptedChannel>(), Ref<ConnectionEnd>(end), {1, 1}));
    for (int times = 0; times < 3; ++times) queue_pair.fail();
    EXPECT_EQ(end->failures, 1);
    EXPECT_EQ(end->closings, 0);
    queue_pair.close();
    EXPECT_EQ(end->closings, 1);
}

TEST_F(SoftQueuePairTest, TheOldestRequestTellsWhyTheConnectionWasLost) {
    proves("ND2-QP-ERR-02");
    post(Operation::send);
    post(Operation::send);
    queue_pair_->end(Status::timed_out);
    EXPECT_EQ(next().status, Status::timed_out);
    EXPECT_EQ(next().status, Status::canceled);
}

// Nobody flushed: the sender's request is canceled with the connection.
TEST_F(SoftQueuePairTest, AMessageThatMeetsTheEndIsNotRefused) {
    proves("ND2-CON-DISC-05");
    channel_->show_arrivals();
    queue_pair_->end(Status::canceled);
    channel_->arrive();
    poll();
    queue_pair_->serve();
    EXPECT_TRUE(channel_->refusals.empty());
}

TEST_F(SoftQueuePairTest, AMessageThatMeetsAFailureIsNotRefused) {
    proves("ND2-QP-ERR-01");
    channel_->show_arrivals();
    channel_->looks_until_held = 2;  // others run meanwhile
    queue_pair_->fail();
    channel_->arrive();
    poll();
    EXPECT_TRUE(channel_->refusals.empty());
}

TEST_F(SoftQueuePairTest, AMessageAtAFlushedQueuePairIsRefusedUntilTheEnd) {
    proves("ND2-QP-FLUSH-03", "ND2-CON-DISC-05");
    channel_->show_arrivals();
    queue_pair_->flush();
    poll();
    EXPECT_TRUE(channel_->refusals.empty()) << "none has come";
    channel_->arrive();
    queue_pair_->end(Status::canceled);
    EXPECT_EQ(channel_->refusals, std::vector{Status::timed_out});
    poll();
    queue_pair_->serve();
    EXPECT_EQ(channel_->refusals.size(), 1u);
}

TEST_F(SoftQueuePairTest, AMessageThatMeetsTheEndOfAFlushedQueuePairIsNotRefused) {
    proves("ND2-CON-DISC-05");
    channel_->show_arrivals();
    queue_pair_->flush();
    queue_pair_->end(Status::canceled);
    channel_->arrive();
    poll();
    EXPECT_TRUE(channel_->refusals.empty());
}

TEST_F(SoftQueuePairTest, WhatArrivedAndWhatFinishedBeforeThePeersEndCounts) {
    proves("ND2-QP-RECV-05", "ND2-QP-ERR-02");
    post(Operation::send);
    channel_->show_arrivals();
    channel_->arrive();
    channel_->on_receive = [this](ReceiveTurn&) -> std::size_t { return channel_->take(), 1; };
    channel_->on_look = [this] { channel_->finished_before = 1; };
    const std::uint32_t before = channel_->taken();
    queue_pair_->take_last_arrivals();
    EXPECT_EQ(channel_->taken(), before + 1);
    EXPECT_EQ(waiting(), 1u);
    EXPECT_EQ(next().status, Status::success);
}

TEST_F(SoftQueuePairTest, AMessageOfAPeerThatEndedIsWaitedForNoLonger) {
    proves("ND2-QP-SEND-06");
    starve();
    queue_pair_->take_last_arrivals();
    const std::size_t before = channel_->refusals.size();
    channel_->on_receive = [](ReceiveTurn&) { return std::size_t{0}; };
    queue_pair_->end(Status::canceled);
    EXPECT_EQ(channel_->refusals.size(), before);
}

TEST_F(SoftQueuePairTest, AMessageThatWaitsIsRefusedAtTheEnd) {
    proves("ND2-QP-SEND-06");
    channel_->show_arrivals();
    channel_->arrive();
    starve();
    queue_pair_->end(Status::canceled);
    EXPECT_EQ(channel_->refusals, std::vector{Status::timed_out});
}

TEST_F(SoftQueuePairTest, AMessageThatItsSenderTookBackIsNotRefusedAtTheEnd) {
    proves("ND2-CON-DISC-05");
    channel_->show_arrivals();
    channel_->arrive();
    starve();
    channel_->take_arrival_back();
    queue_pair_->end(Status::canceled);
    EXPECT_TRUE(channel_->refusals.empty());
}

TEST_F(SoftQueuePairTest, IsDrainedWhenNothingIsOnItsWay) {
    post(Operation::send);
    queue_pair_->run();
    EXPECT_FALSE(queue_pair_->is_idle());
    channel_->finished_before = 1;
    queue_pair_->run();
    EXPECT_TRUE(queue_pair_->is_idle());
}

TEST_F(SoftQueuePairTest, HasHeardOfItsPeerWithTheFirstMessage) {
    EXPECT_FALSE(queue_pair_->heard());
    channel_->take();
    EXPECT_TRUE(queue_pair_->heard());
}

TEST_F(SoftQueuePairTest, ThatIsToBeWokenTellsItsPeerAndRingsOneThatMayHaveStoppedLooking) {
    proves("ND2-CQ-NTF-08");
    channel_->show_arrivals();
    channel_->set_attention(Attention::polling);
    completions_->arm(NotifyKind::any);
    EXPECT_EQ(channel_->attention(), Attention::asleep);
    EXPECT_EQ(channel_->nudges, 0) << "nothing of this side is on its way";
    completions_->disarm();
    post(Operation::send);
    completions_->arm(NotifyKind::any);
    EXPECT_EQ(channel_->nudges, 1);
}

// Between a look at the attention and its change another thread may have said that it polls.
TEST_F(SoftQueuePairTest, LearnsThatAPollerWasReliedOnFromTheChangeItself) {
    proves("ND2-CQ-NTF-08");
    bool polled = false;
    channel_->on_attention = [&](Attention next) {
        if (next == Attention::asleep && !std::exchange(polled, true)) channel_->set_attention(Attention::polling);
    };
    EXPECT_TRUE(queue_pair_->ask_to_be_woken()) << "a heavy barrier is due";
    EXPECT_EQ(channel_->attention(), Attention::asleep);
    EXPECT_FALSE(queue_pair_->ask_to_be_woken());
}

// The queue pair may have been idle for long before that.
TEST_F(SoftQueuePairTest, IsAskedForItsOutcomesSoonBehindAnArrival) {
    proves("ND2-CQ-GET-06");
    constexpr int kIdlePolls = 5000, kMostPollsBetweenLooks = 64;
    channel_->show_arrivals();
    channel_->on_receive = [this](ReceiveTurn&) -> std::size_t { return channel_->take(), 1; };
    post(Operation::send);
    for (int polls = 0; polls < kIdlePolls; ++polls) EXPECT_EQ(poll(), 0u);
    channel_->arrive();
    EXPECT_EQ(poll(), 0u);
    channel_->finished_before = 1;
    std::size_t results = 0;
    for (int polls = 0; polls <= kMostPollsBetweenLooks && results == 0; ++polls) results = poll();
    EXPECT_EQ(results, 1u);
}

// The request is in flight, and nobody will take it; others wait behind it.
TEST_F(SoftQueuePairTest, ThatItsPeerHasLeftTimesOutItsOldestRequest) {
    proves("ND2-QP-ERR-02");
    post(Operation::send);
    post(Operation::send);
    queue_pair_->start_retry_time();
    ASSERT_TRUE(support::wait_until([this] { return waiting() == 2; }));
    EXPECT_EQ(next().status, Status::timed_out);
    EXPECT_EQ(next().status, Status::canceled);
}

TEST_F(SoftQueuePairTest, ShowsItsStateAndItsReceives) {
    EXPECT_EQ(queue_pair_->use().state, QueuePairState::attached);
    post(Operation::receive);
    EXPECT_EQ(queue_pair_->use().receives, 1u);
    queue_pair_->flush();
    EXPECT_EQ(queue_pair_->use().state, QueuePairState::error);
    EXPECT_EQ(queue_pair_->use().receives, 0u);
    EXPECT_EQ(queue_pair_->use().receives_unretrieved, 1u);
}

// A look from outside, while a thread of the program is inside for longer than the look waits.
TEST_F(SoftQueuePairTest, ShowsItsPathThoughItIsBusy) {
    post(Operation::receive);
    QueuePairUse use;
    channel_->on_receive = [&](ReceiveTurn&) -> std::size_t {
        std::thread([&] { use = queue_pair_->use(); }).join();
        return 0;
    };
    EXPECT_EQ(poll(), 0u);
    EXPECT_TRUE(use.busy);
    EXPECT_EQ(use.state, QueuePairState::attached);
    EXPECT_EQ(use.path, "scripted");
    EXPECT_EQ(use.receives, 0u) << "nothing was counted";
    channel_->on_receive = [](ReceiveTurn&) -> std::size_t { return 0; };
    EXPECT_FALSE(queue_pair_->use().busy);
    EXPECT_EQ(queue_pair_->use().receives, 1u);
    queue_pair_->flush();
}

// The peer stopped without a notice, and does not poll for this side's messages.
TEST_F(SoftQueuePairTest, ThatPollsInVainRingsItsPeer) {
    proves("IW-PERF-16");
    constexpr int kMostPolls = 1 << 20;
    channel_->show_arrivals();
    post(Operation::send);
    int polls = 0;
    for (; channel_->nudges == 0 && polls < kMostPolls; ++polls) EXPECT_EQ(poll(), 0u);
    EXPECT_LT(polls, kMostPolls);
}

}  // namespace
}  // namespace opennd::soft
