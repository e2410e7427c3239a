// SPDX-License-Identifier: MIT
// What a poll of a completion queue with many connections asks the system for: nothing of connections that have nothing.
#include <chrono>
#include <cstdint>
#include <string_view>

#include "calls/system_calls.h"
#include "conformance/queue/crowd.h"

namespace opennd::conformance {
namespace {

using calls::made_by_this_thread;
using calls::SystemCalls;
using std::chrono::steady_clock;

constexpr std::size_t kConnections = 64;
// A poller that finds nothing for so long asks the peer's process whether it still polls.
constexpr std::chrono::milliseconds kPauseBetweenNudges{20};

class CrowdCalls : public CrowdTest {
protected:
    // One message on each connection, and its results.
    void exchange_on_each() {
        std::vector<int> received(kConnections), sent(kConnections);
        for (std::size_t i = 0; i < kConnections; ++i) {
            send(i, i + 1);
            poll_for(*b_->results, RequestKind::receive, 1, 4, received);
            poll_for(*a_->results, RequestKind::send, 1, 4, sent);
        }
    }
    // Of both ends, one after the other.
    void poll_in_vain(int times) {
        for (int i = 0; i < times; ++i) {
            ASSERT_TRUE(a_->results->poll(4).empty());
            ASSERT_TRUE(b_->results->poll(4).empty());
        }
    }
};

TEST_P(CrowdCalls, OfAPollAskForNoConnectionThatHasNothing) {
    proves("IW-PERF-16", "ND2-CQ-GET-06");
    constexpr int kPolls = 1000;
    connect(kConnections);
    for (int round = 0; round < 3; ++round) {
        exchange_on_each();
        poll_in_vain(kPolls);  // what the messages left is done
        const auto begun = steady_clock::now();
        const SystemCalls before = made_by_this_thread();
        poll_in_vain(kPolls);
        const SystemCalls made = made_by_this_thread() - before;
        const auto pauses = static_cast<std::uint64_t>((steady_clock::now() - begun) / kPauseBetweenNudges);
        EXPECT_EQ(made.receives, 0u);
        EXPECT_LE(made.sends, 2 * (pauses + 1)) << "a nudge now and then for each side, whatever the connections";
        EXPECT_LE(made.epoll_waits, 2u * kPolls) << "one for each poll of each side";
    }
}

// Each connection has the next message after all others: it costs what the only one of a few would.
TEST_P(CrowdCalls, OfAMessageDoNotDependOnWhoseTurnItIs) {
    proves("IW-PERF-16");
    // The message, its receipt or fence, and a look of each side that finds no more.
    constexpr std::uint64_t kReceivesOfAMessage = 4;
    connect(kConnections);
    exchange_on_each();
    const SystemCalls before = made_by_this_thread();
    exchange_on_each();
    const SystemCalls made = made_by_this_thread() - before;
    EXPECT_LE(made.receives, kConnections * kReceivesOfAMessage);
    if (GetParam().transport == std::string_view("iwarp")) {
        EXPECT_GT(made.receives, 0u) << "nothing was counted";
    }
}

INSTANTIATE_TEST_SUITE_P(, CrowdCalls, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
