// SPDX-License-Identifier: MIT
//
// Resize of completion queues that are in use. Requirement ND2-CQ-RSZ-02; the limits are in overrun_test.cpp and in
// nd2/parameter_test.cpp.
#include <atomic>
#include <thread>

#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {
namespace {

class Resize : public ConformanceTest {};

TEST_P(Resize, LosesAndReordersNothingThatWaits) {
    proves("ND2-CQ-RSZ-02");
    Endpoint end(driver(), EndpointOptions{.queue_pair = {.receive_depth = 32}, .completion_depth = 32});
    for (Tag tag = 0; tag < 32; ++tag) ASSERT_EQ(end.receive(tag), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    for (Tag tag = 0; tag < 32; ++tag) {
        ASSERT_EQ(end.received->resize(tag % 2 == 0 ? 1024 : 32), Outcome::success);
        ASSERT_TRUE(reports(*end.received, RequestKind::receive, tag, Outcome::canceled));
    }
}

TEST_P(Resize, LeavesNotificationsArmed) {
    proves("ND2-CQ-RSZ-02");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1), Outcome::success);
    const Operation any = pair.b.received->notify(NotifyType::any);
    ASSERT_EQ(pair.b.received->resize(128), Outcome::success);
    EXPECT_EQ(any.now(), Outcome::pending);
    ASSERT_EQ(pair.a.send(2), Outcome::success);
    EXPECT_EQ(any.wait(), Outcome::success);
}

TEST_P(Resize, NeedNotWaitForTrafficToStop) {
    proves("ND2-CQ-RSZ-02");
    constexpr Tag kMessages = 300;
    ConnectedPair pair(driver());
    std::atomic<bool> done = false;
    std::thread resizer([&] {
        for (std::uint32_t depth = 16; !done; depth = depth == 16 ? 4096 : 16) {
            EXPECT_EQ(pair.a.initiated->resize(depth), Outcome::success);
            EXPECT_EQ(pair.b.received->resize(depth), Outcome::success);
        }
    });
    for (Tag tag = 0; tag < kMessages; ++tag) {
        EXPECT_EQ(pair.b.receive(tag), Outcome::success);
        EXPECT_EQ(pair.a.send(tag), Outcome::success);
        if (!reports(*pair.b.received, RequestKind::receive, tag, Outcome::success) ||
            !reports(*pair.a.initiated, RequestKind::send, tag, Outcome::success)) {
            ADD_FAILURE() << "message " << tag;
            break;
        }
    }
    done = true;
    resizer.join();
}

INSTANTIATE_TEST_SUITE_P(, Resize, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
