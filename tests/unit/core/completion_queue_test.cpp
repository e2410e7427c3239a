// SPDX-License-Identifier: MIT
#include "core/queue/completion_queue.h"

#include "support/requirement.h"
#include "unit/core/fake_adapter_fixture.h"

namespace opennd {
namespace {

using support::proves;

class CompletionQueueTest : public FakeAdapterTest {
protected:
    ~CompletionQueueTest() override { completion_queue_->cancel(); }

    fake::FakeCompletionQueue& transport() { return *transport_->completion_queue; }
    RequestRecord any_, solicited_, errors_;
};

TEST_F(CompletionQueueTest, AnyCompletesTheSolicitedAndLeavesTheErrors) {
    proves("ND2-CQ-NTF-04", "ND2-CQ-NTF-05");
    ASSERT_EQ(completion_queue_->notify(NotifyKind::errors, recording(errors_)), Status::success);
    ASSERT_EQ(completion_queue_->notify(NotifyKind::solicited, recording(solicited_)), Status::success);
    ASSERT_EQ(completion_queue_->notify(NotifyKind::any, recording(any_)), Status::success);
    EXPECT_EQ(transport().armed, (std::vector{NotifyKind::errors, NotifyKind::solicited, NotifyKind::any}));
    transport().sink->on_completion_event(NotifyKind::any);
    EXPECT_EQ(any_.outcome(), Status::success);
    EXPECT_EQ(solicited_.outcome(), Status::success);
    EXPECT_TRUE(errors_.pending());
}

// Version 1 completes them all.
TEST_F(CompletionQueueTest, AnEventOfVersion1CompletesTheErrorsToo) {
    proves("ND1-CQ-NTF-08");
    const auto queue = CompletionQueue::create(adapter_, 16, NotifyRule::events).take();
    ASSERT_EQ(queue->notify(NotifyKind::errors, recording(errors_)), Status::success);
    ASSERT_EQ(queue->notify(NotifyKind::any, recording(any_)), Status::success);
    transport().sink->on_completion_event(NotifyKind::any);
    EXPECT_EQ(any_.outcome(), Status::success);
    EXPECT_EQ(errors_.outcome(), Status::success);
    queue->close();
}

TEST_F(CompletionQueueTest, ArmsForTheStrongestKindThatWaits) {
    proves("ND2-CQ-NTF-06");
    ASSERT_EQ(completion_queue_->notify(NotifyKind::any, recording(any_)), Status::success);
    ASSERT_EQ(completion_queue_->notify(NotifyKind::solicited, recording(solicited_)), Status::success);
    EXPECT_EQ(transport().armed.back(), NotifyKind::any);
    EXPECT_TRUE(any_.pending());
}

TEST_F(CompletionQueueTest, CompletesAtOnceIfACompletionWaits) {
    proves("ND2-CQ-NTF-02");
    transport().waiting.emplace_back();
    ASSERT_EQ(completion_queue_->notify(NotifyKind::any, recording(any_)), Status::success);
    EXPECT_EQ(any_.outcome(), Status::success);
}

TEST_F(CompletionQueueTest, FailsForGoodOnOverrun) {
    proves("ND2-CQ-NTF-07", "ND2-CQ-RSZ-03");
    ASSERT_EQ(completion_queue_->notify(NotifyKind::errors, recording(errors_)), Status::success);
    transport().sink->on_overrun();
    EXPECT_EQ(errors_.outcome(), Status::overrun);
    EXPECT_EQ(completion_queue_->notify(NotifyKind::any, recording(any_)), Status::overrun);
    EXPECT_TRUE(any_.untouched());
    EXPECT_EQ(completion_queue_->resize(8), Status::overrun);
}

struct ListenerToEvents final : CompletionQueueListener {
    void on_event(Status status) override { events.push_back(status); }
    std::vector<Status> events;
};

TEST_F(CompletionQueueTest, AListenerHearsOfEachEventAndOfTheEnd) {
    ListenerToEvents listener;
    const auto queue = CompletionQueue::create(adapter_, 16, NotifyRule::fresh, &listener).take();
    queue->arm(NotifyKind::solicited);
    EXPECT_EQ(transport().armed, std::vector{NotifyKind::solicited});
    transport().sink->on_completion_event(NotifyKind::solicited);
    transport().sink->on_overrun();
    EXPECT_EQ(listener.events, (std::vector{Status::success, Status::overrun}));
    EXPECT_TRUE(queue->failed());
    queue->close();
}

TEST_F(CompletionQueueTest, StaysUsableAfterCancel) {
    proves("ND2-OVL-12", "ND2-OVL-14");
    for (int round = 0; round < 1000; ++round) {
        RequestRecord record;
        ASSERT_EQ(completion_queue_->notify(NotifyKind::any, recording(record)), Status::success);
        completion_queue_->cancel();
        ASSERT_EQ(record.outcome(), Status::canceled);
    }
}

TEST_F(CompletionQueueTest, ResizesWithinTheLimits) {
    proves("ND2-CQ-RSZ-01");
    EXPECT_EQ(completion_queue_->resize(0), Status::invalid_parameter);
    EXPECT_EQ(completion_queue_->resize(257), Status::invalid_parameter);
    EXPECT_EQ(completion_queue_->resize(256), Status::success);
    EXPECT_EQ(transport().resized_to, 256u);
}

}  // namespace
}  // namespace opennd
