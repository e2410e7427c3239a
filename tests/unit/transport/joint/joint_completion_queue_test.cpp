// SPDX-License-Identifier: MIT
// The events, the room and the end of a completion queue that is made of two. The two are the test's.
#include "transport/joint/completion_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <vector>

#include "support/requirement.h"
#include "unit/core/fake_transport.h"

namespace opennd::joint {
namespace {

using fake::FakeCompletionQueue;
using support::proves;

class Sink final : public CompletionQueueSink {
public:
    void on_completion_event(NotifyKind kind) override { events.push_back(kind); }
    void on_overrun() override { ++overruns; }
    std::vector<NotifyKind> events;
    int overruns = 0;
};

class User final : public RefCounted, public QueueUser {
public:
    const RefCounted& object() const override { return *this; }
    void fail_part(Part part) override { failed = part; }
    std::optional<Part> failed;
};

class JointCompletionQueueTest : public testing::Test {
protected:
    explicit JointCompletionQueueTest(NotifyRule rule = NotifyRule::level)
        : queue_(make_ref<JointCompletionQueue>(8, rule, sink_)),
          host_(make_ref<FakeCompletionQueue>(queue_->sink_of(Part::host))),
          nic_(make_ref<FakeCompletionQueue>(queue_->sink_of(Part::nic))) {
        queue_->set(host_, nic_);
    }
    void result_of(FakeCompletionQueue& part, std::uintptr_t context) {
        Completion completion;
        completion.request_context = reinterpret_cast<void*>(context);
        part.waiting.push_back(completion);
    }
    std::uintptr_t take_one() {
        Completion completion;
        return queue_->poll({&completion, 1}) == 1 ? reinterpret_cast<std::uintptr_t>(completion.request_context) : 0;
    }

    Sink sink_;
    const Ref<JointCompletionQueue> queue_;
    const Ref<FakeCompletionQueue> host_, nic_;
};

TEST_F(JointCompletionQueueTest, TheNicIsNotLookedAtBeforeItIsUsed) {
    result_of(*nic_, 1);
    queue_->arm(NotifyKind::any);
    EXPECT_EQ(take_one(), 0u);
    EXPECT_TRUE(nic_->armed.empty());
    queue_->use_nic();
    EXPECT_EQ(nic_->armed, std::vector{NotifyKind::any}) << "the program waits already";
    EXPECT_EQ(sink_.events.size(), 1u);
    EXPECT_EQ(take_one(), 1u);
}

TEST_F(JointCompletionQueueTest, NeitherPartStarvesTheOther) {
    proves("ND2-CQ-GET-01");
    queue_->use_nic();
    for (std::uintptr_t i = 0; i < 4; ++i) result_of(*host_, 1), result_of(*nic_, 2);
    for (int i = 0; i < 4; ++i) EXPECT_NE(take_one(), take_one());
    result_of(*host_, 1), result_of(*nic_, 2);
    std::array<Completion, 4> both;
    EXPECT_EQ(queue_->poll(both), 2u);
}

TEST_F(JointCompletionQueueTest, OneArmMakesOneEvent) {
    proves("ND2-CQ-NTF-04");
    queue_->use_nic();
    queue_->arm(NotifyKind::any);
    queue_->sink_of(Part::nic).on_completion_event(NotifyKind::any);
    EXPECT_EQ(host_->disarmed, 1);
    queue_->sink_of(Part::host).on_completion_event(NotifyKind::any);  // it was on its way
    EXPECT_EQ(sink_.events, std::vector{NotifyKind::any});
}

TEST_F(JointCompletionQueueTest, AResultThatWaitsInOnePartLeavesTheOtherUnarmed) {
    proves("ND2-CQ-NTF-02");
    queue_->use_nic();
    result_of(*host_, 1);
    queue_->arm(NotifyKind::any);
    EXPECT_EQ(sink_.events.size(), 1u);
    EXPECT_TRUE(nic_->armed.empty());
    (void)take_one();
    result_of(*nic_, 2);
    queue_->arm(NotifyKind::any);
    EXPECT_EQ(sink_.events.size(), 2u);
    EXPECT_EQ(host_->disarmed, 1) << "armed before the NIC had its result";
}

class CountedOnce : public JointCompletionQueueTest {
protected:
    CountedOnce() : JointCompletionQueueTest(NotifyRule::fresh) {}
};

// A result makes one event, and its own came while the program had another's: the next arming tells of it, once, while it waits.
TEST_F(CountedOnce, AnEventBesideAnotherIsToldByTheNextArm) {
    proves("NDK-CQ-ARM-01");
    queue_->use_nic();
    for (const bool taken : {false, true}) {
        sink_.events.clear();
        queue_->arm(NotifyKind::any);
        queue_->sink_of(Part::host).on_completion_event(NotifyKind::any);
        result_of(*nic_, 1);
        queue_->sink_of(Part::nic).on_completion_event(NotifyKind::any);
        EXPECT_EQ(sink_.events.size(), 1u);
        EXPECT_EQ(taken ? take_one() : 1, 1u);
        queue_->arm(NotifyKind::any);
        EXPECT_EQ(sink_.events.size(), taken ? 1u : 2u);
        while (take_one() != 0) continue;
        queue_->disarm();
    }
}

TEST_F(JointCompletionQueueTest, AnOverrunOfOnePartEndsTheQueuePairsOfTheOther) {
    proves("ND2-CQ-OVR-01");
    const auto user = make_ref<User>();
    EXPECT_TRUE(queue_->attach(*user));
    queue_->sink_of(Part::nic).on_overrun();
    queue_->sink_of(Part::host).on_overrun();
    EXPECT_EQ(user->failed, Part::host);
    EXPECT_EQ(sink_.overruns, 1);
    EXPECT_FALSE(queue_->attach(*user)) << "one that comes now is dead like the others";
    queue_->detach(*user);
    queue_->detach(*user);
}

TEST_F(JointCompletionQueueTest, AResizeCountsTheResultsOfBoth) {
    proves("ND2-CQ-RSZ-01");
    queue_->use_nic();
    result_of(*host_, 1), result_of(*nic_, 2);
    EXPECT_EQ(queue_->count_waiting().all, 2u);
    EXPECT_EQ(queue_->resize(1), Status::overrun);
    EXPECT_EQ(queue_->resize(2), Status::success);
    EXPECT_EQ(host_->resized_to, 2u);
    EXPECT_EQ(nic_->resized_to, 2u);
}

}  // namespace
}  // namespace opennd::joint
