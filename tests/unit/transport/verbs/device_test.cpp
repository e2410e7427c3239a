// SPDX-License-Identifier: MIT
// The devices of a process: a context of their own, each port by itself, and partitions.
#include "transport/verbs/device/device.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "unit/transport/verbs/connector_test.h"

namespace opennd::verbs {
namespace {

class VerbsDevice : public VerbsTest {
protected:
    VerbsDevice() : VerbsTest(IBV_TRANSPORT_IB) {}
    ~VerbsDevice() override {
        if (!second_) return;
        loop_.remove(second_->completion_channel()->fd);
        loop_.remove(second_->context()->async_fd);
    }

    Ref<Device> second_;
};

// Another user of librdmacm in the process has the context of each device too.
TEST_F(VerbsDevice, LeavesTheContextOfLibrdmacmAlone) {
    EXPECT_NE(device_->context(), &none_.context);
    EXPECT_EQ(fcntl(none_.context.async_fd, F_GETFL) & O_NONBLOCK, 0) << "its reader may wait for events";
    EXPECT_NE(fcntl(device_->context()->async_fd, F_GETFL) & O_NONBLOCK, 0);
}

TEST_F(VerbsDevice, IsOnePortOfADevice) {
    Result<Ref<Device>> second = Device::open({core_, loop_, *reaper_, *channel_}, bound_to(&none_.context, 2));
    ASSERT_TRUE(second.ok());
    second_ = second.take();
    EXPECT_EQ(device_->facts().port, 1);
    EXPECT_EQ(second_->facts().port, 2);
    EXPECT_TRUE(device_->serves(bound_to(&none_.context, 1)));
    EXPECT_TRUE(device_->serves(bound_to(&none_.context, 0))) << "a device that tells no port has one";
    EXPECT_FALSE(device_->serves(bound_to(&none_.context, 2)));
    EXPECT_TRUE(second_->serves(bound_to(&none_.context, 2)));
    EXPECT_FALSE(second_->serves(bound_to(nullptr, 2)));
}

class VerbsTrafficClass : public VerbsDevice {
protected:
    void open(const Settings& settings) {
        second_ = Device::open({core_, loop_, *reaper_, *channel_, settings}, bound_to(&none_.context, 1)).take();
        listener_ = make_ref<VerbsListener>(owner_, second_, make_ref<JournalledListener>(journal_));
        EXPECT_TRUE(listener_->bind(here_).ok());
        connector_ = VerbsConnector::connect(owner_, second_, make_ref<JournalledProgram>(journal_), here_,
                                             PortOrigin::drawn, there_, {5, 6}, {}, pair_);
        journal_.wait_for("resolve_addr");
    }
    ~VerbsTrafficClass() override {
        listener_->close();
        connector_->end(Ending::give_up);
    }

    const Ref<JournalledPair> pair_ = make_ref<JournalledPair>(journal_, device_);
    Ref<VerbsListener> listener_;
    Ref<TransportConnector> connector_;
};

TEST_F(VerbsTrafficClass, IsThatOfTheSettingForBothSides) {
    open({.traffic_class = 104});
    EXPECT_EQ(journal_.count("traffic class 104"), 2);
    EXPECT_TRUE(journal_.in_order("traffic class 104", "bind_addr"));
}

TEST_F(VerbsTrafficClass, IsLeftToTheDeviceWithoutASetting) {
    open({});
    for (const std::string& line : journal_.lines()) EXPECT_FALSE(line.starts_with("traffic class")) << line;
}

class VerbsPorts : public VerbsConnecting {};

TEST_P(VerbsPorts, HaveNoListenerOfAnother) {
    cm_.port = 2;
    listener_ = make_ref<VerbsListener>(owner_, device_, sink_);
    EXPECT_EQ(listener_->bind(here_).status(), Status::invalid_address);
    listener_->close();
    listener_ = nullptr;
}

TEST_P(VerbsPorts, ReachNoPeerThroughAnother) {
    cm_.port = 2;
    connect();
    journal_.wait_for("resolve_addr");
    tell(RDMA_CM_EVENT_ADDR_RESOLVED);
    journal_.wait_for("connect failed: network_unreachable, 0 octets");
}

INSTANTIATE_TEST_SUITE_P(Fabrics, VerbsPorts, both_fabrics(), fabric_name);

class VerbsPartition : public VerbsConnecting {};

TEST_P(VerbsPartition, IsThatOfTheAddress) {
    cm_.partition = 3;
    establish();
    ASSERT_TRUE(journal_.in_order("pair INIT", "pair RTR"));
    EXPECT_EQ(pair_->to_begin.first.pkey_index, 3);
    EXPECT_EQ(pair_->to_begin.second, IBV_QP_STATE | IBV_QP_PKEY_INDEX);
}

TEST_P(VerbsPartition, IsThatOfTheAddressForAPeerThatAsks) {
    cm_.partition = 3;
    accept();
    ASSERT_TRUE(journal_.in_order("pair INIT", "pair RTR"));
    EXPECT_EQ(pair_->to_begin.first.pkey_index, 3);
}

TEST_P(VerbsPartition, CostsNothingWhereItIsTheFirst) {
    establish();
    EXPECT_FALSE(journal_.has("pair INIT"));
}

TEST_P(VerbsPartition, OfWhichTheKernelKnowsNothingEndsTheConnection) {
    cm_.fail("init_qp_attr INIT", EINVAL);
    reply();
    connector_->complete();
    journal_.wait_for("establish failed: connection_aborted");
}

INSTANTIATE_TEST_SUITE_P(Fabrics, VerbsPartition, testing::Values(IBV_TRANSPORT_IB), fabric_name);

}  // namespace
}  // namespace opennd::verbs
