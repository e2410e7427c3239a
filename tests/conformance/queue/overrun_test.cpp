// SPDX-License-Identifier: MIT
//
// Completion queues of exactly the requested depth: the effects of an overrun, and events that cause none. Requirements
// ND2-CQ-OVR-*, ND2-CQ-NTF-07, ND2-AMB-15. The forgiving queues are in completion_queue_test.cpp.
#include <opennd.h>

#include <array>
#include <string_view>

#include "conformance/vocabulary/fixture.h"
#include "support/deadline.h"
#include "support/status.h"

namespace opennd::conformance {
namespace {

using support::is;

class StrictQueues : public ConformanceTest {
protected:
    StrictQueues() { support::require(opennd_overrun_select("strict"), ND_SUCCESS, "opennd_overrun_select"); }
    ~StrictQueues() override { EXPECT_TRUE(is(opennd_overrun_select(nullptr), ND_SUCCESS)); }

    // b's queues have room for this many; a's for all it does here.
    ConnectedPair pair_with_depth_at_b(std::uint32_t depth) {
        return ConnectedPair(driver(), EndpointOptions{}, EndpointOptions{.completion_depth = depth});
    }

    static void send_from_a(ConnectedPair& pair, Tag count) {
        for (Tag tag = 0; tag < count; ++tag) ASSERT_EQ(pair.b.receive(tag), Outcome::success);
        for (Tag tag = 0; tag < count; ++tag) ASSERT_EQ(pair.a.send(tag), Outcome::success);
    }

    // b's queue dies of as many messages, none of which it is asked for before all have been placed.
    static void overrun_b(ConnectedPair& pair, Tag messages) {
        send_from_a(pair, messages);
        ASSERT_EQ(next(*pair.a.initiated, messages).size(), messages);
        EXPECT_EQ(death_of(*pair.b.received), Outcome::buffer_overflow);
    }

    // The outcome of a request that only the end of the queue completes.
    static Outcome death_of(CompletionQueue& queue) { return queue.notify(NotifyType::errors).wait(); }
};

TEST_P(StrictQueues, FailForGoodWithTheResultThatHasNoRoom) {
    provokes("CHECK-DEPTH");
    proves("ND2-CQ-OVR-01", "ND2-CQ-OVR-03", "ND2-CQ-NTF-07", "ND2-CQ-RSZ-03", "ND2-AMB-15");
    ConnectedPair pair = pair_with_depth_at_b(2);
    const std::array pending{pair.b.received->notify(NotifyType::errors), pair.b.received->notify(NotifyType::errors)};
    send_from_a(pair, 3);
    for (const Operation& request : pending) EXPECT_EQ(request.wait(), Outcome::buffer_overflow);
    for (const NotifyType type : {NotifyType::errors, NotifyType::solicited, NotifyType::any})
        EXPECT_EQ(pair.b.received->notify(type).begun(), Outcome::buffer_overflow);
    EXPECT_EQ(pair.b.received->resize(64), Outcome::buffer_overflow);
    EXPECT_TRUE(reports_exactly(*pair.b.received, {0, 1}, Outcome::success)) << "what was in the queue can be taken";
}

// Over a network the messages may come one by one, and the poller be in time for each: then it is tried again.
TEST_P(StrictQueues, CountWhatIsDueWhenTheyArePolled) {
    provokes("CHECK-DEPTH");
    proves("ND2-CQ-OVR-01", "ND2-CQ-OVR-03");
    const int tries = std::string_view(GetParam().transport) == "iwarp" ? 20 : 1;
    for (int attempt = 0; attempt < tries; ++attempt) {
        ConnectedPair pair = pair_with_depth_at_b(2);
        for (int look = 0; look < 1000; ++look)
            ASSERT_TRUE(pair.b.received->poll(1).empty());  // a poller is not rung for
        send_from_a(pair, 3);
        ASSERT_TRUE(reports(*pair.b.received, RequestKind::receive, 0, Outcome::success));
        ASSERT_TRUE(reports(*pair.b.received, RequestKind::receive, 1, Outcome::success));
        const Operation death = pair.b.received->notify(NotifyType::errors);
        bool in_time = false;
        ASSERT_TRUE(support::wait_until([&] {
            in_time = !pair.b.received->poll(1).empty();
            return in_time || death.now() != Outcome::pending;
        }));
        if (in_time) continue;
        EXPECT_EQ(death.now(), Outcome::buffer_overflow);
        return;
    }
    FAIL() << "the third message was never there when the first was polled";
}

TEST_P(StrictQueues, TakeTheirQueuePairsWithThem) {
    provokes("CHECK-DEPTH");
    proves("ND2-CQ-OVR-01", "IW-NEG-118", "IW-SEC-13");
    ConnectedPair pair = pair_with_depth_at_b(2);
    const Operation a_hears = pair.a.connector->notify_disconnect();
    const Operation b_hears = pair.b.connector->notify_disconnect();
    const Operation overrun = pair.b.received->notify(NotifyType::errors);
    send_from_a(pair, 3);
    ASSERT_EQ(overrun.wait(), Outcome::buffer_overflow);
    ASSERT_EQ(pair.b.receive(3), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.b.received, {0, 1}, Outcome::success)) << "no further result is reported";
    ASSERT_EQ(pair.b.send(4), Outcome::success);
    EXPECT_TRUE(reports(*pair.b.initiated, RequestKind::send, 4, Outcome::canceled)) << "this queue lives";
    EXPECT_EQ(a_hears.wait(), Outcome::success);
    EXPECT_EQ(b_hears.wait(), Outcome::success);
    ASSERT_EQ(pair.a.receive(5), Outcome::success);
    EXPECT_TRUE(are_flushed_with_the_peer(GetParam(), pair.a, {5}));
}

TEST_P(StrictQueues, FailWithTheResultsOfTheirOwnRequestsToo) {
    provokes("CHECK-DEPTH");
    proves("ND2-CQ-OVR-01");
    ConnectedPair pair(driver(), EndpointOptions{.completion_depth = 2}, EndpointOptions{});
    const Operation overrun = pair.a.initiated->notify(NotifyType::errors);
    for (Tag tag = 0; tag < 3; ++tag) {
        const Outcome posted = pair.a.write(tag, 0, 8, pair.b.remote());
        ASSERT_EQ(posted, Outcome::success);
    }
    ASSERT_EQ(overrun.wait(), Outcome::buffer_overflow);
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {0, 1}, Outcome::success));
    EXPECT_EQ(pair.b.connector->notify_disconnect().wait(), Outcome::success);
}

TEST_P(StrictQueues, EndNoQueuePairOfOtherQueues) {
    provokes("CHECK-DEPTH");
    proves("ND2-CQ-OVR-01");
    Endpoint bystander(driver(), {});
    ConnectedPair pair = pair_with_depth_at_b(1);
    overrun_b(pair, 2);
    ASSERT_EQ(bystander.receive(1), Outcome::success);
    EXPECT_TRUE(bystander.received->poll(1).empty());
}

TEST_P(StrictQueues, MakeDeadQueuePairsOnceTheyAreDead) {
    provokes("CHECK-DEPTH");
    proves("ND2-CQ-OVR-01");
    ConnectedPair pair = pair_with_depth_at_b(1);
    overrun_b(pair, 2);
    auto late = pair.b.adapter->create_queue_pair(*pair.b.received, *pair.b.initiated, {});
    auto listener = listening(*pair.a.adapter);
    auto connector = pair.b.adapter->create_connector();
    ASSERT_EQ(connector->bind(local_address()), Outcome::success);
    EXPECT_EQ(connector->connect(*late, address_of(*listener), {}, {}).begun(), Outcome::invalid_state);
}

TEST_P(StrictQueues, AreNeverOverrunByFlushedResults) {
    provokes("CHECK-DEPTH");
    proves("ND2-CQ-OVR-04");
    Endpoint end(driver(), EndpointOptions{.queue_pair = {.receive_depth = 100}, .completion_depth = 1});
    const Operation errors = end.received->notify(NotifyType::errors);
    for (Tag tag = 0; tag < 100; ++tag) ASSERT_EQ(end.receive(tag), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    EXPECT_EQ(end.received->poll(200).size(), 100u);
    EXPECT_EQ(errors.now(), Outcome::pending);
}

TEST_P(StrictQueues, ServeWhoKeepsWithinTheirDepth) {
    proves("ND2-CQ-OVR-03");
    constexpr std::uint32_t kDepth = 8;
    ConnectedPair pair(driver(), EndpointOptions{.completion_depth = kDepth});
    for (int round = 0; round < 40; ++round) {
        send_from_a(pair, kDepth);
        ASSERT_TRUE(reports_exactly(*pair.b.received, {0, 1, 2, 3, 4, 5, 6, 7}, Outcome::success));
        ASSERT_TRUE(reports_exactly(*pair.a.initiated, {0, 1, 2, 3, 4, 5, 6, 7}, Outcome::success));
    }
    EXPECT_EQ(pair.b.received->notify(NotifyType::any).begun(), Outcome::pending);
}

TEST_P(StrictQueues, HaveTheRoomThatResizeGives) {
    proves("ND2-CQ-OVR-03", "ND2-CQ-RSZ-01");
    ConnectedPair pair = pair_with_depth_at_b(2);
    ASSERT_EQ(pair.b.received->resize(3), Outcome::success);
    const Operation any = pair.b.received->notify(NotifyType::any);
    send_from_a(pair, 3);
    ASSERT_EQ(any.wait(), Outcome::success);
    EXPECT_EQ(next(*pair.a.initiated, 3).size(), 3u) << "all three are placed";
    EXPECT_EQ(pair.b.received->resize(2), Outcome::buffer_overflow) << "three wait";
    EXPECT_TRUE(reports_exactly(*pair.b.received, {0, 1, 2}, Outcome::success)) << "and the queue is as it was";
    EXPECT_EQ(pair.b.received->resize(2), Outcome::success);
}

TEST_P(StrictQueues, AreAskedForByName) {
    provokes("CHECK-DEPTH");
    EXPECT_TRUE(is(opennd_overrun_select("lenient"), ND_INVALID_PARAMETER));
    EXPECT_TRUE(is(opennd_overrun_select("forgiving"), ND_SUCCESS));
    ConnectedPair pair = pair_with_depth_at_b(1);
    send_from_a(pair, 3);
    EXPECT_TRUE(reports_exactly(*pair.b.received, {0, 1, 2}, Outcome::success));
}

INSTANTIATE_TEST_SUITE_P(, StrictQueues, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
