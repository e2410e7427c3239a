// SPDX-License-Identifier: MIT
// How long a message waits for a receive: each for its own time, however long earlier ones waited.
#include <chrono>

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/connected_pair.h"

namespace opennd::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using support::proves;

class NoReceiveTime : public testing::TestWithParam<WireKind> {
protected:
    static constexpr milliseconds kTime{1000};  // the default

    static WorkRequest request(Operation operation) {
        WorkRequest request;
        request.operation = operation;
        return request;
    }

    ConnectedPair pair{GetParam()};
};

// A wait that ended in time leaves its timer behind, which runs out in the middle of the next wait.
TEST_P(NoReceiveTime, OfAMessageIsNotCutByTheWaitBeforeIt) {
    proves("ND2-QP-SEND-05");
    ASSERT_EQ(pair.active.queue_pair->post(request(Operation::send)), Status::success);
    Completion none;
    for (const auto began = steady_clock::now(); steady_clock::now() - began < kTime / 4;)
        ASSERT_EQ(pair.passive.completions->poll({&none, 1}), 0u) << "it waits";
    ASSERT_EQ(pair.passive.queue_pair->post(request(Operation::receive)), Status::success);
    ASSERT_EQ(pair.passive.next().status, Status::success);
    ASSERT_EQ(pair.active.next().status, Status::success);

    const auto began = steady_clock::now();
    ASSERT_EQ(pair.active.queue_pair->post(request(Operation::send)), Status::success);
    EXPECT_EQ(pair.active.next().status, Status::timed_out);
    EXPECT_GE(steady_clock::now() - began, kTime);
}

INSTANTIATE_TEST_SUITE_P(Wires, NoReceiveTime, testing::Values(WireKind::loopback, WireKind::shm, WireKind::iwarp),
                         [](const auto& each) { return name(each.param); });

}  // namespace
}  // namespace opennd::test
