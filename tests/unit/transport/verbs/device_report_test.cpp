// SPDX-License-Identifier: MIT
// The report of a device for people, of a device that the test plays.
#include "transport/verbs/device_report.h"

#include <arpa/inet.h>

#include <cstring>

#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

class DeviceReportTest : public DataPathTest {
protected:
    DeviceReport report() { return report_of(*device_, find_limits(*device_).value()); }
    static const DeviceReport::Limit& limit(const DeviceReport& report, std::string_view name) {
        for (const DeviceReport::Limit& each : report.limits)
            if (each.name == name) return each;
        static const DeviceReport::Limit kNone{};
        ADD_FAILURE() << "no limit " << name;
        return kNone;
    }
    void add_gid(std::uint32_t index, const char* text, std::uint32_t type) {
        ibv_gid_entry entry{};
        entry.gid_index = index;
        entry.gid_type = type;
        ASSERT_EQ(inet_pton(AF_INET6, text, entry.gid.raw), 1);
        fake_.gids.push_back(entry);
    }
};

TEST_F(DeviceReportTest, TellsTheDeviceAndItsPort) {
    const DeviceReport told = report();
    EXPECT_EQ(told.name, "fake0");
    EXPECT_EQ(told.firmware, "1.2");
    EXPECT_EQ(told.technology, "InfiniBand");
    EXPECT_EQ(told.port, 1u);
    EXPECT_EQ(told.ports, 2u);
    EXPECT_TRUE(told.active);
    EXPECT_EQ(told.mtu_bytes, 1024u);
    EXPECT_EQ(told.most_mtu_bytes, 4096u);
    EXPECT_EQ(told.vectors, 4u);
    EXPECT_TRUE(told.quirks.empty());
}

TEST_F(DeviceReportTest, TellsTheGidsThatAreNotZero) {
    add_gid(1, "::ffff:192.0.2.1", IBV_GID_TYPE_ROCE_V2);
    add_gid(2, "::", IBV_GID_TYPE_ROCE_V2);
    add_gid(3, "fe80::1", IBV_GID_TYPE_ROCE_V1);
    const DeviceReport told = report();
    ASSERT_EQ(told.gids.size(), 2u);
    EXPECT_EQ(told.gids[0].index, 1u);
    EXPECT_EQ(told.gids[0].text, "::ffff:192.0.2.1");
    EXPECT_EQ(told.gids[0].type, "RoCE v2");
    EXPECT_EQ(told.gids[1].index, 3u);
    EXPECT_EQ(told.gids[1].type, "RoCE v1");
}

TEST_F(DeviceReportTest, PutsEachLimitBesideTheOneThatOpenNDUses) {
    const DeviceReport told = report();
    EXPECT_EQ(limit(told, "max_qp_wr").told, 4096u);
    EXPECT_EQ(limit(told, "max_qp_wr").asked, kMostDepth);
    EXPECT_EQ(limit(told, "max_qp_wr").used, 4096u);
    EXPECT_EQ(limit(told, "max_sge").used, 4u);
    EXPECT_EQ(limit(told, "max_msg_sz").told, 1u << 23);
}

TEST_F(DeviceReportTest, GoesByTrialWhereTheDeviceTellsOtherwise) {
    fake_.refuses_windows = true;
    const DeviceReport told = report();
    EXPECT_TRUE(told.tells_windows);
    EXPECT_FALSE(told.has_windows);
    EXPECT_TRUE(told.has_shared_receives);
    EXPECT_FALSE(told.pages_on_demand);
    EXPECT_FALSE(told.moderates_interrupts);
    EXPECT_FALSE(told.exchanges_ece);
}

TEST_F(DeviceReportTest, TellsWhatTheDeviceCanDoBeside) {
    fake_.pages_on_demand = fake_.moderates = true;
    fake_.options = {0x15B3, 1, 0};
    const DeviceReport told = report();
    EXPECT_TRUE(told.pages_on_demand);
    EXPECT_TRUE(told.moderates_interrupts);
    EXPECT_TRUE(told.exchanges_ece);
}

// 15 s in 7 attempts: of 2.147 s each.
TEST_F(DeviceReportTest, TellsTheTimeOfAPathInTheStepsOfTheDevice) {
    const DeviceReport told = report();
    EXPECT_EQ(told.path_ms, 15000u);
    EXPECT_GE(told.path_of_device_ms, told.path_ms);
    EXPECT_LT(told.path_of_device_ms, 2 * told.path_ms);
    EXPECT_EQ(told.no_receive_ms, 1000u);
}

class DeviceReportOfQuirks : public DataPathTest {
protected:
    DeviceReportOfQuirks() : DataPathTest({.refuses_fenced_reads = true, .tells_no_last_receive = true}) {}
};

TEST_F(DeviceReportOfQuirks, NamesThemInWords) {
    const DeviceReport told = report_of(*device_, can_);
    ASSERT_EQ(told.quirks.size(), 2u);
    EXPECT_STREQ(told.quirks[0], "no Read behind a fence");
}

}  // namespace
}  // namespace opennd::verbs
