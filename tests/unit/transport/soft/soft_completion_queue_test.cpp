// SPDX-License-Identifier: MIT
// The software RNIC's completion queue by itself: room, overrun, credits; and that many queue pairs are all looked at.
#include "transport/soft/progress/completion_queue.h"

#include <array>
#include <atomic>
#include <fstream>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scripted_queue_pair.h"
#include "support/requirement.h"
#include "transport/completion/room_judge.h"

namespace opennd::soft {
namespace {

using support::proves;

class DeathSink final : public CompletionQueueSink {
public:
    bool overrun = false;
    void on_completion_event(NotifyKind) override {}
    void on_overrun() override { overrun = true; }
};

class StrictQueue : public testing::Test {
protected:
    static constexpr std::uint32_t kDepth = 2;

    StrictQueue() { queue_->results().make_room(2 * kDepth); }
    ~StrictQueue() override { queue_->close(); }

    void push(Operation operation, const Credit& credit = {}) {
        Progress progress;
        queue_->results().push({Status::success, operation, Arrival::none, 0, nullptr, nullptr}, credit, progress);
        progress.after.run();
    }
    std::size_t poll(std::size_t most = 1) { return queue_->poll(std::span(results_).first(most)); }

    DeathSink sink_;
    Ref<SoftCompletionQueue> queue_ =
        make_ref<SoftCompletionQueue>(kDepth, OverrunRule::strict, NotifyRule::level, sink_);
    std::array<Completion, 2 * kDepth> results_;
};

TEST_F(StrictQueue, HoldsItsDepthAndNotOneMore) {
    proves("ND2-CQ-OVR-01", "ND2-CQ-OVR-03");
    for (std::uint32_t result = 0; result < kDepth; ++result) push(Operation::send);
    EXPECT_FALSE(sink_.overrun);
    push(Operation::send);
    EXPECT_TRUE(sink_.overrun);
    EXPECT_EQ(poll(2 * kDepth), kDepth);
}

TEST_F(StrictQueue, TakesNothingOnceItOverran) {
    proves("ND2-CQ-OVR-01");
    for (std::uint32_t result = 0; result <= kDepth; ++result) push(Operation::send);
    ASSERT_EQ(poll(), 1u);
    push(Operation::receive);  // there would be room
    EXPECT_EQ(poll(2 * kDepth), kDepth - 1);
}

TEST_F(StrictQueue, HasRoomAgainOnceAnInvalidationWasTaken) {
    proves("ND1-CQ-08");
    for (int round = 0; round < 3; ++round) {
        push(Operation::remote_invalidation);
        ASSERT_EQ(poll(), 1u);
    }
    for (std::uint32_t result = 0; result < kDepth; ++result) push(Operation::send);
    EXPECT_FALSE(sink_.overrun);
    EXPECT_EQ(poll(2 * kDepth), kDepth);
}

TEST_F(StrictQueue, GivesASharedQueueOneSlotForEachResult) {
    proves("ND2-SRQ-RECV-04", "ND2-CQ-GET-08");
    std::atomic<std::uint32_t> freed{0};
    for (std::uint32_t result = 0; result < kDepth; ++result) push(Operation::receive, {&freed, 0, true});
    EXPECT_EQ(freed, 0u);
    for (std::uint32_t result = 1; result <= kDepth; ++result) {
        ASSERT_EQ(poll(), 1u);
        EXPECT_EQ(freed, result);
    }
}

TEST_F(StrictQueue, HasRoomForAnInvalidationBesideItsDepth) {
    proves("ND1-CQ-08");
    for (std::uint32_t result = 0; result < kDepth; ++result) push(Operation::send);
    push(Operation::remote_invalidation);
    EXPECT_FALSE(sink_.overrun);
    EXPECT_EQ(poll(2 * kDepth), kDepth + 1);
}

TEST_F(StrictQueue, IsAsLongAsTheResultsThatWaitAndNotTheirInvalidations) {
    proves("ND1-CQ-08", "ND2-CQ-RSZ-01");
    push(Operation::remote_invalidation);
    push(Operation::send);
    EXPECT_EQ(queue_->resize(0), Status::overrun);
    EXPECT_EQ(queue_->resize(1), Status::success);
    ASSERT_EQ(poll(2 * kDepth), 2u);
    push(Operation::send);
    EXPECT_FALSE(sink_.overrun);
    push(Operation::send);
    EXPECT_TRUE(sink_.overrun);
}

TEST_F(StrictQueue, CallsNobodyOnceItIsClosed) {
    queue_->close();
    for (std::uint32_t result = 0; result <= kDepth; ++result) push(Operation::send);
    EXPECT_FALSE(sink_.overrun);
}

// The addresses that this process has taken, in pages.
std::size_t mapped_pages() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages;
}

constexpr std::uint32_t kManyResults = 1 << 17;

TEST(ResultRoom, IsMadeBeforeTheResultsCome) {
    support::proves("ND2-CQ-OVR-02");
    DeathSink sink;
    const auto queue = make_ref<SoftCompletionQueue>(kManyResults, OverrunRule::forgiving, NotifyRule::level, sink);
    queue->results().make_room(kManyResults);
    const std::size_t before = mapped_pages();
    Progress progress;
    for (std::uint32_t result = 0; result < kManyResults; ++result)
        queue->results().push({Status::success, Operation::send, Arrival::none, 0, nullptr, nullptr}, {}, progress);
    EXPECT_LT(mapped_pages(), before + 64) << "a result had to wait for memory";
    queue->close();
}

// A shared receive queue, as far as a ring knows it.
class SharedByMany final : public RefCounted {
public:
    explicit SharedByMany(bool& lives) : lives_(lives) { lives_ = true; }
    std::atomic<std::uint32_t> freed{0};

private:
    ~SharedByMany() override { lives_ = false; }
    bool& lives_;
};

TEST(ResultRoom, OfASharedQueueIsMadeOnceAndGivenBackByTheLastOfItsQueuePairs) {
    support::proves("ND2-CQ-OVR-02", "ND2-SRQ-RECV-04");
    DeathSink sink;
    const auto queue = make_ref<SoftCompletionQueue>(8, OverrunRule::forgiving, NotifyRule::level, sink);
    bool lives = false;
    const auto shared = make_ref<SharedByMany>(lives);
    const auto share = [&] { queue->results().share(*shared, shared->freed, kManyResults); };
    share();
    const std::size_t before = mapped_pages();
    for (int queue_pairs = 0; queue_pairs < 64; ++queue_pairs) {
        share();
        queue->results().unshare(*shared);
    }
    queue->results().unshare(*shared);
    for (int times = 0; times < 64; ++times) {
        share();
        queue->results().unshare(*shared);
    }
    EXPECT_LT(mapped_pages(), before + 64) << "room was made again and again";
    queue->close();
}

TEST(ResultRoom, KeepsASharedQueueWhileQueuePairsUseItOrResultsNameIt) {
    support::proves("ND2-SRQ-RECV-04", "ND2-CQ-GET-08");
    DeathSink sink;
    const auto queue = make_ref<SoftCompletionQueue>(8, OverrunRule::forgiving, NotifyRule::level, sink);
    bool lives = false;
    auto shared = make_ref<SharedByMany>(lives);
    const SharedByMany& named = *shared;
    for (int queue_pairs = 0; queue_pairs < 2; ++queue_pairs) queue->results().share(*shared, shared->freed, 4);
    shared = nullptr;
    queue->results().unshare(named);
    EXPECT_TRUE(lives) << "the second has it";
    queue->results().unshare(named);
    EXPECT_FALSE(lives);
    queue->close();
}

// Takes the room of one result, by its number from 1; asked for each.
class OneRefusal final : public RoomJudge {
public:
    int asked = 0, refused = 0;
    std::string_view take_room() override { return ++asked == refused ? "a test" : std::string_view{}; }
};

class JudgedQueue : public testing::TestWithParam<OverrunRule> {
protected:
    static constexpr std::uint32_t kDepth = 2;

    JudgedQueue() { queue_->results().make_room(4 * kDepth); }
    ~JudgedQueue() override { queue_->close(); }

    void push(Status status = Status::success, Operation operation = Operation::send) {
        Progress progress(queue_->results(), results_);  // a poller, which the judge is not passed by
        queue_->results().push({status, operation, Arrival::none, 0, nullptr, nullptr}, {}, progress);
        EXPECT_EQ(progress.used, 0u);
        progress.after.run();
    }
    std::size_t poll() { return queue_->poll(results_); }

    DeathSink sink_;
    OneRefusal judge_;
    Ref<SoftCompletionQueue> queue_ =
        make_ref<SoftCompletionQueue>(kDepth, GetParam(), NotifyRule::level, sink_, &judge_);
    std::array<Completion, 4 * kDepth> results_;
};

TEST_P(JudgedQueue, OverrunsWithTheResultThatTheJudgeRefuses) {
    proves("ND2-CQ-OVR-01");
    judge_.refused = 2;
    push();
    EXPECT_FALSE(sink_.overrun);
    push();
    EXPECT_TRUE(sink_.overrun);
    push();
    EXPECT_EQ(judge_.asked, 2) << "a dead queue asks nobody";
    EXPECT_EQ(poll(), 1u);
}

TEST_P(JudgedQueue, AsksForNoFlushedResult) {
    proves("ND2-CQ-OVR-04", "ND1-CQ-08");
    judge_.refused = 1;
    push(Status::canceled);
    push(Status::success, Operation::remote_invalidation);
    EXPECT_EQ(judge_.asked, 0);
    EXPECT_EQ(poll(), 2u);
    push(Status::remote_access_violation);
    EXPECT_TRUE(sink_.overrun);
}

TEST_P(JudgedQueue, KeepsItsRuleBesideTheJudge) {
    proves("ND2-CQ-OVR-03");
    for (std::uint32_t result = 0; result <= kDepth; ++result) push();
    EXPECT_EQ(sink_.overrun, GetParam() == OverrunRule::strict);
    ASSERT_TRUE(GetParam() == OverrunRule::strict || ok(queue_->resize(2 * kDepth)));
    judge_.refused = judge_.asked + 1;
    push();
    EXPECT_TRUE(sink_.overrun) << "a resize gives no room past the judge";
}

TEST_P(JudgedQueue, AsksAgainAfterItWasArmed) {
    queue_->arm(NotifyKind::any);
    push();
    ASSERT_EQ(poll(), 1u);
    judge_.refused = judge_.asked + 1;
    push();
    EXPECT_TRUE(sink_.overrun);
}

INSTANTIATE_TEST_SUITE_P(, JudgedQueue, testing::Values(OverrunRule::forgiving, OverrunRule::strict));

class EventCounter final : public CompletionQueueSink {
public:
    int events = 0;
    void on_completion_event(NotifyKind) override { ++events; }
    void on_overrun() override {}
};

class Events : public testing::Test {
protected:
    Ref<SoftCompletionQueue> make(NotifyRule rule) {
        const auto queue = make_ref<SoftCompletionQueue>(8, OverrunRule::forgiving, rule, sink_);
        queue->results().make_room(8);
        return queue;
    }
    static void push(SoftCompletionQueue& queue, Status status = Status::success) {
        Progress progress;
        queue.results().push({status, Operation::send, solicited_if(!ok(status)), 0, nullptr, nullptr}, {}, progress);
        progress.after.run();
    }
    int after_arming(SoftCompletionQueue& queue, NotifyKind kind = NotifyKind::any) {
        queue.arm(kind);
        const int events = std::exchange(sink_.events, 0);
        queue.disarm();
        return events;
    }

    EventCounter sink_;
    std::array<Completion, 8> results_;
};

TEST_F(Events, OfVersion1AreOneForEachResult) {
    proves("ND1-CQ-NTF-08");
    const auto queue = make(NotifyRule::events);
    queue->arm(NotifyKind::any);
    push(*queue);
    EXPECT_EQ(std::exchange(sink_.events, 0), 1);
    EXPECT_EQ(after_arming(*queue), 0) << "its event was made";
    push(*queue);
    push(*queue);
    EXPECT_EQ(after_arming(*queue), 1);
    EXPECT_EQ(after_arming(*queue), 1);
    EXPECT_EQ(after_arming(*queue), 0);
}

TEST_F(Events, OfNdkAreOneForAllThatWait) {
    const auto queue = make(NotifyRule::fresh);
    push(*queue);
    push(*queue);
    EXPECT_EQ(after_arming(*queue), 1);
    EXPECT_EQ(after_arming(*queue), 0);
    push(*queue);
    EXPECT_EQ(after_arming(*queue), 1);
}

TEST_F(Events, AreNotMadeForWhatWasTaken) {
    const auto queue = make(NotifyRule::events);
    push(*queue);
    push(*queue);
    ASSERT_EQ(queue->poll(results_), 2u);
    EXPECT_EQ(after_arming(*queue), 0);
}

TEST_F(Events, OfErrorsAreVersion1s) {
    proves("ND2-CQ-NTF-04");
    for (const NotifyRule rule : {NotifyRule::level, NotifyRule::events}) {
        const auto queue = make(rule);
        queue->arm(NotifyKind::errors);
        push(*queue);
        EXPECT_EQ(sink_.events, 0);
        push(*queue, Status::canceled);
        EXPECT_EQ(std::exchange(sink_.events, 0), rule == NotifyRule::events ? 1 : 0);
    }
}

TEST_F(Events, AResultDoesNotOvertakeThoseThatWait) {
    proves("ND2-CQ-GET-04");
    const auto queue = make(NotifyRule::level);
    push(*queue);
    Progress poller(queue->results(), results_);
    queue->results().push({Status::success, Operation::receive, Arrival::none, 0, nullptr, nullptr}, {}, poller);
    EXPECT_EQ(poller.used, 0u);
    EXPECT_EQ(queue->poll(results_), 2u);
    EXPECT_EQ(results_[0].operation, Operation::send);
    EXPECT_EQ(results_[1].operation, Operation::receive);
}

// Counts its queue pairs, and has no memory for some.
class PoorList final : public QueuePairList {
public:
    explicit PoorList(bool is_poor, CompletionQueueSink& sink)
        : is_poor_(is_poor), results_(*this, 8, OverrunRule::forgiving, NotifyRule::level, sink, nullptr) {}

    int attached = 0;
    ResultRing& results() override { return results_; }
    void attach(PolledQueuePair&, std::uint32_t) override {
        if (is_poor_) throw std::bad_alloc();
        ++attached;
    }
    void connected(PolledQueuePair&) override {}
    void note_served() override {}
    void detach(PolledQueuePair&, std::uint32_t) override { --attached; }
    std::size_t poll(std::span<Completion>) override { return 0; }
    void arm(NotifyKind) override {}
    void disarm() override {}
    WaitingCompletions count_waiting() override { return {}; }
    Status resize(std::uint32_t) override { return Status::success; }
    void close() override {}
    void run_deferred() override {}

private:
    const bool is_poor_;
    ResultRing results_;
};

class ManyQueuePairs : public test::ScriptedQueuePair {};

TEST_F(ManyQueuePairs, WithoutMemoryForOneItsQueuesAreAsBefore) {
    proves("ND2-GEN-02");
    const auto rich = make_ref<PoorList>(false, events_), poor = make_ref<PoorList>(true, events_);
    const QueuePairParameters parameters{{4, 4, 1, 1, 0}, completions_, completions_, nullptr};
    const auto make = [&](const Ref<PoorList>& receives, const Ref<PoorList>& initiators) {
        const auto made = make_ref<PolledQueuePair>(queue_pair_->adapter(), parameters, Ref<QueuePairList>(receives),
                                                    Ref<QueuePairList>(initiators), nullptr);
    };
    EXPECT_THROW(make(poor, rich), std::bad_alloc);
    EXPECT_THROW(make(rich, poor), std::bad_alloc);
    EXPECT_EQ(rich->attached, 0);
    EXPECT_EQ(poor->attached, 0) << "it was never attached there";
}

// An armed queue has its results in the ring.
TEST_F(ManyQueuePairs, GiveAPollTheResultsThatItMakes) {
    proves("ND2-CQ-GET-06");
    channel_->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{0}}; };
    ASSERT_EQ(queue_pair_->post({Operation::send, RequestFlags::none, nullptr, {}}), Status::success);
    completions_->arm(NotifyKind::any);
    channel_->finished_before = 1;
    EXPECT_EQ(poll(), 1u);
}

// The results stay, and room for them.
TEST_F(ManyQueuePairs, LeaveTheirResultsBehind) {
    proves("ND2-CQ-GET-05", "ND2-CQ-OVR-02");
    constexpr std::size_t kGone = 16, kRequests = 4;
    const auto flush_all = [&](std::uint64_t first) {
        auto made = adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_}).take();
        for (std::size_t i = 0; i < kRequests; ++i)
            EXPECT_EQ(made->post({Operation::receive, RequestFlags::none, reinterpret_cast<void*>(first + i), {}}),
                      Status::success);
        made->flush();
        made->close();
    };
    for (std::size_t gone = 0; gone < kGone; ++gone) flush_all(gone * kRequests);
    std::array<Completion, kGone * kRequests + 1> results;
    ASSERT_EQ(completions_->poll(results), kGone * kRequests);
    for (std::size_t i = 0; i < kGone * kRequests; ++i)
        EXPECT_EQ(results[i].request_context, reinterpret_cast<void*>(i));
}

TEST_F(ManyQueuePairs, TakeTheirCreditsWithThem) {
    proves("ND2-CQ-GET-05");
    ResultRing& results = static_cast<SoftCompletionQueue&>(*completions_).results();
    std::atomic<std::uint32_t> freed{0};
    Progress progress;
    results.push({Status::canceled, Operation::send, Arrival::solicited, 0, nullptr, nullptr}, {&freed, 5}, progress);
    results.forget(freed);
    EXPECT_EQ(poll(), 1u);
    EXPECT_EQ(freed, 0u) << "memory that is gone was written";
}

TEST_F(ManyQueuePairs, AreLookedAtNoMoreOnceTheyAreClosed) {
    proves("ND2-CQ-GET-05");
    queue_pair_->close();
    const std::size_t before = channel_->refusals.size();
    for (int polls = 0; polls < 3; ++polls) EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(channel_->refusals.size(), before) << "its channel was asked";
    const Ref<TransportQueuePair> made =
        adapter_->create_queue_pair({{4, 4, 2, 2, 0}, completions_, completions_, nullptr}).take();
    queue_pair_ = Ref<SoftQueuePair>(static_cast<SoftQueuePair*>(made.get()));  // for the fixture to close
}

// A wire that must be asked shows nothing to a glance: each queue pair has its turn.
TEST_F(ManyQueuePairs, OnOneQueueAreEachLookedAt) {
    proves("IW-PERF-16");
    constexpr std::size_t kQueuePairs = 40;
    std::vector<Ref<TransportQueuePair>> queue_pairs;
    std::vector<int> looks(kQueuePairs);
    for (std::size_t i = 0; i < kQueuePairs; ++i) {
        queue_pairs.push_back(adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_}).take());
        const auto channel = make_ref<test::ScriptedChannel>();
        channel->on_receive = [&looks, i](ReceiveTurn&) -> std::size_t { return ++looks[i], 0; };
        static_cast<SoftQueuePair*>(queue_pairs.back().get())->attach(channel, nullptr, {1, 1});
    }
    for (std::size_t polls = 0; polls < 2 * kQueuePairs; ++polls) poll();
    for (std::size_t i = 0; i < kQueuePairs; ++i) EXPECT_GT(looks[i], 0) << i;
    for (const Ref<TransportQueuePair>& each : queue_pairs) each->close();
}

}  // namespace
}  // namespace opennd::soft
