// SPDX-License-Identifier: MIT
//
// The store over Network Direct between sides that want as little as they may: one credit, messages of 128 bytes.
#include <gtest/gtest.h>

#include <future>
#include <tuple>

#include "store.h"

namespace smb_direct::test {
namespace {

class LeastLimits : public testing::TestWithParam<std::tuple<int, int>> {
protected:
    static void SetUpTestSuite() { need(NdStartup(), "NdStartup"); }
    static void TearDownTestSuite() { need(NdCleanup(), "NdCleanup"); }
    static Limits limits(int credits, int bytes) {
        Limits limits = store_limits();
        limits.receive_credit_max = limits.send_credit_target = static_cast<std::uint16_t>(credits);
        limits.max_send_size = limits.max_receive_size = static_cast<std::uint32_t>(bytes);
        return limits;
    }
};

TEST_P(LeastLimits, CarryAllSizesByEachChannel) {
    const auto [credits, bytes] = GetParam();
    const sockaddr_in local = example::loopback();
    std::promise<unsigned short> port;
    auto serving = std::async(std::launch::async, [&, server_limits = limits(credits, bytes)] {
        Connection connection(make_nd2_queue, local, Role::responder, server_limits, kLargest);
        connection.accept([&](unsigned short free) { port.set_value(free); });
        const ServerReport report = serve_store(connection);
        connection.disconnect();
        return report;
    });
    Connection connection(make_nd2_queue, local, Role::initiator, limits(credits, bytes), kLargest);
    connection.connect(example::loopback(port.get_future().get()));
    constexpr std::uint32_t kLarge = 100001;  // of which each 104 bytes are a round trip here
    for (const Channel channel : {kNone, kRdma, kRdmaInvalidate})
        EXPECT_GT(use_store(connection, channel, kLarge), kLarge);
    connection.disconnect();
    EXPECT_EQ(serving.get().requests, 42u);
}

INSTANTIATE_TEST_SUITE_P(CreditsAndBytes, LeastLimits,
                         testing::Values(std::tuple(1, 1364), std::tuple(255, 128), std::tuple(1, 128)));

}  // namespace
}  // namespace smb_direct::test
