// SPDX-License-Identifier: MIT
//
// Messages and receives that come late, on a device of InfiniBand or RoCE in the guest. Prints what it saw. Both sides are OpenND,
// or the other is a verbs_peer that posts no receive and wants no message to be sent again (OPENND_TEST_DEAF_PEER: its port).
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "conformance/vocabulary/handshake.h"
#include "conformance/vocabulary/nd2/driver.h"
#include "lab/lab_test.h"
#include "support/adapter.h"

namespace opennd::lab {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

class LateReceive : public testing::Test {
protected:
    conformance::Driver& driver() { return *driver_; }

private:
    conformance::PinnedTransport transport_{"verbs"};
    std::unique_ptr<conformance::Driver> driver_ = conformance::nd2::open_driver();
};

// From the post of the receive to the result of the Send.
Milliseconds wait_of(conformance::ConnectedPair& pair, std::chrono::milliseconds late) {
    EXPECT_EQ(pair.a.send(1, 0, 64), Outcome::success);
    std::this_thread::sleep_for(late);  // the subject of the test
    const Clock::time_point posted = Clock::now();
    EXPECT_EQ(pair.b.receive(2, 0, 64), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::success));
    const Milliseconds waited = Clock::now() - posted;
    EXPECT_TRUE(reports_received(*pair.b.received, 2, 64));
    return waited;
}

TEST_F(LateReceive, GetsItsMessageSoon) {
    proves("ND2-QP-SEND-05");
    conformance::ConnectedPair pair(driver());
    for (const int late : {0, 5, 50}) {
        std::array<Milliseconds, 7> waits{};
        for (Milliseconds& each : waits) each = wait_of(pair, std::chrono::milliseconds(late));
        std::sort(waits.begin(), waits.end());
        std::printf("a receive %d ms late: %.1f ms more (%.1f to %.1f)\n", late, waits[3].count(),
                    waits.front().count(), waits.back().count());
        EXPECT_LT(waits[3].count(), 60);
    }
}

TEST_F(LateReceive, OfAPeerThatWantsNoRepetitionHasItsTime) {
    proves("ND2-QP-SEND-05");
    const char* const port = std::getenv("OPENND_TEST_DEAF_PEER");
    if (!port) GTEST_SKIP() << "no peer (OPENND_TEST_DEAF_PEER)";
    SocketAddress peer = support::loopback_address();
    peer.ipv4.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
    Endpoint side(driver(), {});
    ASSERT_EQ(side.connector->bind(conformance::local_address()), Outcome::success);
    ASSERT_EQ(side.connector->connect(*side.queue_pair, peer, {}, {}).wait(kPatience), Outcome::success);
    ASSERT_EQ(side.connector->complete_connect().wait(kPatience), Outcome::success);
    const Clock::time_point sent = Clock::now();
    ASSERT_EQ(side.send(1, 0, 64), Outcome::success);
    const Completion result = conformance::next(*side.initiated, kPatience);
    const Milliseconds waited = Clock::now() - sent;
    std::printf("no receive, rnr_retry 0 of the peer: %s after %.2f s\n",
                result.outcome == Outcome::io_timeout ? "ND_IO_TIMEOUT" : "another outcome", waited.count() / 1000);
    EXPECT_EQ(result.outcome, Outcome::io_timeout);
    EXPECT_GT(waited.count(), 950);
    EXPECT_LT(waited.count(), 4000);
}

}  // namespace
}  // namespace opennd::lab
