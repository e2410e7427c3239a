// SPDX-License-Identifier: MIT
//
// The data of a handshake: private data and read limits. Requirements ND2-CON-PD-*, ND2-CON-LIM-*.
#include <algorithm>

#include "conformance/vocabulary/carried_data.h"
#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {
namespace {

class PrivateDataExchange : public ConformanceTest {
protected:
    static PrivateData pattern(std::size_t size, std::uint64_t seed) {
        PrivateData data(size);
        fill_pattern(data, seed);
        return data;
    }
};

TEST_P(PrivateDataExchange, ArrivesExactlyAsPassedInBothDirections) {
    proves("ND2-CON-PD-01", "ND2-CON-PD-02", "ND2-CON-PD-03", "ND2-CON-CONN-10", "ND2-AMB-28");
    const Limits limits = driver().open_adapter()->limits();
    const std::size_t callee = limits.max_callee_data_bytes;
    for (std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{36}, std::size_t{limits.max_caller_data_bytes}}) {
        SCOPED_TRACE(size);
        HandshakeOptions options;
        options.connect_data = pattern(size, 1);
        options.accept_data = pattern(size == limits.max_caller_data_bytes ? callee : size, 2);
        Handshake handshake(driver(), options);
        handshake.replied();
        PrivateData seen;
        ASSERT_EQ(handshake.passive.connector->private_data(seen), Outcome::success);
        EXPECT_TRUE(carries(seen, options.connect_data));
        ASSERT_EQ(handshake.active.connector->private_data(seen), Outcome::success);
        EXPECT_TRUE(carries(seen, options.accept_data));
        ASSERT_EQ(handshake.active.connector->complete_connect().wait(), Outcome::success);
        ASSERT_EQ(handshake.active.connector->private_data(seen), Outcome::success) << "also when connected";
        EXPECT_TRUE(carries(seen, options.accept_data));
    }
}

TEST_P(PrivateDataExchange, IsCopiedDuringTheCall) {
    proves("ND2-CON-CONN-03");
    Handshake handshake(driver());
    handshake.bound();
    PrivateData data = pattern(40, 1);
    const Operation connect =
        handshake.active.connector->connect(*handshake.active.queue_pair, handshake.address, {}, data);
    fill_with(data, std::byte{0xEE});
    ASSERT_EQ(handshake.listener->get_request(*handshake.passive.connector).wait(), Outcome::success);
    PrivateData seen;
    ASSERT_EQ(handshake.passive.connector->private_data(seen), Outcome::success);
    EXPECT_TRUE(carries(seen, pattern(40, 1)));
    data = pattern(100, 2);
    const Operation accept = handshake.passive.connector->accept(*handshake.passive.queue_pair, {}, data);
    fill_with(data, std::byte{0xEE});
    ASSERT_EQ(connect.wait(), Outcome::success);
    ASSERT_EQ(handshake.active.connector->private_data(seen), Outcome::success);
    EXPECT_TRUE(carries(seen, pattern(100, 2)));
}

TEST_P(PrivateDataExchange, TooLongForConnectChangesNothing) {
    proves("ND2-CON-CONN-01", "ND2-CON-CONN-02", "ND2-CLI-15");
    Handshake handshake(driver());
    handshake.bound();
    const std::size_t most = handshake.active.adapter->limits().max_caller_data_bytes;
    Connector& connector = *handshake.active.connector;
    EXPECT_EQ(connector.connect(*handshake.active.queue_pair, handshake.address, {}, PrivateData(most + 1)).begun(),
              Outcome::invalid_buffer_size);
    const Operation request = handshake.listener->get_request(*handshake.passive.connector);
    const Operation connect = connector.connect(*handshake.active.queue_pair, handshake.address, {}, pattern(most, 3));
    ASSERT_EQ(connect.begun(), Outcome::pending);
    ASSERT_EQ(request.wait(), Outcome::success);
    PrivateData seen;
    ASSERT_EQ(handshake.passive.connector->private_data(seen), Outcome::success);
    EXPECT_EQ(seen, pattern(most, 3));
}

TEST_P(PrivateDataExchange, TooLongForAcceptChangesNothing) {
    proves("ND2-CON-ACC-01", "ND2-CLI-15");
    Handshake handshake(driver());
    handshake.requested();
    const std::size_t most = handshake.passive.adapter->limits().max_callee_data_bytes;
    Connector& connector = *handshake.passive.connector;
    EXPECT_EQ(connector.accept(*handshake.passive.queue_pair, {}, PrivateData(most + 1)).begun(),
              Outcome::invalid_buffer_size);
    EXPECT_EQ(handshake.connect->now(), Outcome::pending);
    EXPECT_EQ(connector.accept(*handshake.passive.queue_pair, {}, PrivateData(most)).begun(), Outcome::pending);
    EXPECT_EQ(handshake.connect->wait(), Outcome::success);
}

class ReadLimitNegotiation : public ConformanceTest {};

TEST_P(ReadLimitNegotiation, TakesTheSmallerOfWhatBothSidesOffer) {
    provokes("CHECK-LIMITS-AFTER-ACCEPT");
    proves("ND2-CON-LIM-01", "ND2-CON-LIM-02", "ND2-CON-LIM-03", "ND2-CON-LIM-04", "ND2-CON-LIM-05", "ND2-CON-LIM-06",
           "ND2-GEN-08", "ND2-AMB-43");
    if (const char* const why = support::lacks(support::Ability::settles_limits)) GTEST_SKIP() << why;
    const Limits limits = driver().open_adapter()->limits();
    const std::uint32_t max_in = limits.max_inbound_reads, max_out = limits.max_outbound_reads;
    const std::uint32_t values[] = {0, 1, 16, 0xFFFF'FFFF};
    for (std::uint32_t in : values) {
        for (std::uint32_t out : values) {
            for (std::uint32_t accept_in : values) {
                const std::uint32_t accept_out = accept_in == 1 ? 16 : accept_in;
                SCOPED_TRACE(testing::Message() << "Connect(" << in << ", " << out << "), Accept(" << accept_in << ", "
                                                << accept_out << ")");
                HandshakeOptions options;
                options.active.memory_bytes = options.passive.memory_bytes = 64;
                options.connect_limits = {in, out};
                options.accept_limits = {accept_in, accept_out};
                Handshake handshake(driver(), options);
                handshake.requested();
                const ReadLimits offered{std::min({out, max_out, max_in}), std::min({in, max_in, max_out})};
                ReadLimits seen;
                ASSERT_EQ(handshake.passive.connector->read_limits(seen), Outcome::success);
                ASSERT_EQ(seen, offered);
                const ReadLimits effective{std::min(accept_in, offered.inbound),
                                           std::min(accept_out, offered.outbound)};
                const Operation accept =
                    handshake.passive.connector->accept(*handshake.passive.queue_pair, options.accept_limits, {});
                ASSERT_EQ(handshake.connect->wait(), Outcome::success);
                ASSERT_EQ(handshake.passive.connector->read_limits(seen), Outcome::success);
                ASSERT_EQ(seen, effective);
                ASSERT_EQ(handshake.active.connector->read_limits(seen), Outcome::success);
                ASSERT_EQ(seen, (ReadLimits{effective.outbound, effective.inbound}));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, PrivateDataExchange, testing::ValuesIn(every_variant()), variant_name);
INSTANTIATE_TEST_SUITE_P(, ReadLimitNegotiation, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
