// SPDX-License-Identifier: MIT
// The options of two devices for each other (ECE), which rdma_cm carries: offered with the request, taken before the hardware learns its
// peer, and answered with the reply.
#include "unit/transport/verbs/connector_test.h"
#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

constexpr std::uint32_t kVendor = 0x15B3, kOtherVendor = 0x8086;

class DeviceOptions : public VerbsConnecting {};

TEST_P(DeviceOptions, TravelWithTheRequestAndComeBackWithTheReply) {
    pair_->options = ibv_ece{kVendor, 0x30, 0};
    cm_.peer_options = {kVendor, 0x10, 0};
    establish();
    if (is_iwarp()) {
        EXPECT_FALSE(journal_.has("offer options 48")) << "iWARP has no room for them";
        EXPECT_FALSE(journal_.has("pair takes options 16"));
    } else {
        EXPECT_TRUE(journal_.in_order("offer options 48", "connect"));
        EXPECT_TRUE(journal_.in_order("pair takes options 16", "pair RTR"));
    }
}

TEST_P(DeviceOptions, OfTheAskingPeerAreAnsweredWithTheReply) {
    pair_->options = ibv_ece{kVendor, 0x30, 0};
    cm_.peer_options = {kVendor, 0x10, 0};
    accept();
    journal_.wait_for("accept");
    if (is_iwarp()) {
        EXPECT_FALSE(journal_.has("offer options 48"));
        return;
    }
    EXPECT_TRUE(journal_.in_order("pair takes options 16", "pair RTR"));
    EXPECT_TRUE(journal_.in_order("pair RTS", "offer options 48"));
    EXPECT_TRUE(journal_.in_order("offer options 48", "accept"));
}

TEST_P(DeviceOptions, AreNoneWhereTheDeviceOrThePeerHasNone) {
    establish();
    for (const std::string& line : journal_.lines()) EXPECT_EQ(line.find("options"), std::string::npos) << line;
}

TEST_P(DeviceOptions, AreNoneWithAnOlderLibrary) {
    pair_->options = ibv_ece{kVendor, 0x30, 0};
    core_.rdma.set_local_ece = nullptr;
    core_.rdma.get_remote_ece = nullptr;
    establish();
    EXPECT_FALSE(journal_.has("offer options 48"));
}

TEST_P(DeviceOptions, CostNoConnectionWhereTheKernelRefusesThem) {
    pair_->options = ibv_ece{kVendor, 0x30, 0};
    cm_.fail("offer options 48", EINVAL);
    establish();
}

INSTANTIATE_TEST_SUITE_P(Fabrics, DeviceOptions, both_fabrics(), fabric_name);

class OptionsOfAQueuePair : public DataPathTest {};

TEST_F(OptionsOfAQueuePair, AreThoseThatBothDevicesHave) {
    EXPECT_FALSE(can_.exchanges_ece);
    fake_.options = {kVendor, 0x30, 0};
    EXPECT_TRUE(find_limits(*device_).value().exchanges_ece);
    make(here_);
    ASSERT_TRUE(here_.pair->device_options());
    EXPECT_EQ(here_.pair->device_options()->options, 0x30u);
    here_.pair->take_peer_options({kOtherVendor, 1, 0});
    EXPECT_EQ(here_.pair->device_options()->options, 0x30u) << "of another vendor";
    here_.pair->take_peer_options({kVendor, 0x10, 0});
    EXPECT_EQ(here_.pair->device_options()->options, 0x10u);
}

TEST_F(OptionsOfAQueuePair, AreNoneOfALibraryThatKnowsNone) {
    make(here_);
    EXPECT_FALSE(here_.pair->device_options());
    core_.ibv.query_ece = nullptr;
    core_.ibv.set_ece = nullptr;
    EXPECT_FALSE(here_.pair->device_options());
    here_.pair->take_peer_options({kVendor, 0x10, 0});
}

}  // namespace
}  // namespace opennd::verbs
