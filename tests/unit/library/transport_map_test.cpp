// SPDX-License-Identifier: MIT
// Which transport serves an interface: a transport of hardware stands in for the device.
#include "library/transport_map.h"

#include <gtest/gtest.h>

#include "base/explanation.h"
#include "transport/joint/adapter.h"
#include "transport/shm/wire.h"
#include "unit/core/fake_transport.h"

namespace opennd {
namespace {

// Serves one interface, by its index.
class OneDevice final : public HardwareTransport {
public:
    static constexpr std::uint32_t kServed = 7;

    bool serves(const Interface& on, std::string& reason) override {
        ++asked;
        if (on.index == kServed) return true;
        reason = failure;
        return false;
    }
    void set_overrun_rule(OverrunRule rule) override { overrun_rule = rule; }
    Result<Ref<TransportAdapter>> open(const Interface&, Face) override {
        return Ref<TransportAdapter>(make_ref<fake::FakeAdapter>());
    }
    TransportChoice explain(const Address&, const Address&) override { return {"verbs", "a device"}; }
    std::optional<DeviceReport> describe(const Address&, std::string& reason) override {
        reason = failure;
        if (!failure.empty() || !is_there) return std::nullopt;
        DeviceReport report;
        report.name = "one0";
        return report;
    }

    std::string failure;  // why it does not serve the others
    bool is_there = true;
    int asked = 0;
    OverrunRule overrun_rule = OverrunRule::forgiving;
};

class TransportMapTest : public testing::Test {
protected:
    TransportMapTest() { map_.select({"verbs", "shm"}); }

    static Interface interface(std::uint32_t index) { return {index, "eth", true, {*Address::parse("192.0.2.1")}}; }
    bool opens_hardware(std::uint32_t index) {
        const Result<Ref<TransportAdapter>> opened = map_.open(interface(index), Face::nd2);
        return opened.ok() && dynamic_cast<fake::FakeAdapter*>(opened.value().get()) != nullptr;
    }
    Ref<RefCounted> hold(std::uint32_t index, AdapterKinds kinds = AdapterKinds::any) {
        Result<Ref<RefCounted>> held = map_.hold_kind(interface(index), kinds);
        return held.ok() ? held.take() : nullptr;
    }

    EventLoop loop_;
    MappableMemory memory_;
    soft::SoftTransport software_{loop_, memory_, {}};
    OneDevice* const device_ = new OneDevice;
    TransportMap map_{software_, std::unique_ptr<HardwareTransport>(device_)};
};

TEST_F(TransportMapTest, ADeviceServesItsInterfaceAndSoftwareTheOthers) {
    const Ref<RefCounted> served = hold(OneDevice::kServed);
    const Ref<RefCounted> other = hold(1);
    ASSERT_TRUE(served);
    ASSERT_TRUE(other);
    EXPECT_TRUE(opens_hardware(OneDevice::kServed));
    EXPECT_FALSE(opens_hardware(1));
}

TEST_F(TransportMapTest, TheKindStaysWhileOneOfTheOpensLives) {
    Ref<RefCounted> first = hold(OneDevice::kServed);
    map_.select({"shm"});
    Ref<RefCounted> second = hold(OneDevice::kServed);
    EXPECT_EQ(first, second);
    EXPECT_TRUE(opens_hardware(OneDevice::kServed));
    first = nullptr;
    EXPECT_TRUE(opens_hardware(OneDevice::kServed));
    second = nullptr;
    const Ref<RefCounted> anew = hold(OneDevice::kServed);
    EXPECT_FALSE(opens_hardware(OneDevice::kServed));
}

TEST_F(TransportMapTest, AProgramThatNamesHardwareAloneGetsNothingElse) {
    map_.select({"verbs"});
    device_->failure = "no right to open /dev/infiniband/uverbs0";
    EXPECT_EQ(map_.hold_kind(interface(1), AdapterKinds::any).status(), Status::not_supported);
    EXPECT_NE(std::string_view(last_failure().limit).find("/dev/infiniband/uverbs0"), std::string_view::npos);
    device_->failure.clear();
    EXPECT_EQ(map_.hold_kind(interface(1), AdapterKinds::any).status(), Status::not_supported);
    EXPECT_NE(std::string_view(last_failure().limit).find("no RDMA device"), std::string_view::npos);
    EXPECT_TRUE(hold(OneDevice::kServed));
}

TEST_F(TransportMapTest, AnOpeningMayAskForOneKind) {  // NDK-HOST-03
    EXPECT_FALSE(hold(1, AdapterKinds::hardware));
    Ref<RefCounted> software = hold(OneDevice::kServed, AdapterKinds::software);
    ASSERT_TRUE(software);
    EXPECT_FALSE(opens_hardware(OneDevice::kServed));
    EXPECT_FALSE(hold(OneDevice::kServed, AdapterKinds::hardware));  // while the other kind is open
    software = nullptr;
    map_.select({"shm"});
    EXPECT_TRUE(hold(OneDevice::kServed, AdapterKinds::hardware));
}

TEST_F(TransportMapTest, NothingAsksTheDeviceWhereItsNameIsNotFirst) {
    map_.select({"shm", "verbs"});
    EXPECT_TRUE(hold(OneDevice::kServed));
    EXPECT_FALSE(opens_hardware(OneDevice::kServed));
    EXPECT_EQ(device_->asked, 0);
}

// A software transport with shared memory, as the library has it.
class JointMapTest : public testing::Test {
protected:
    JointMapTest() { map_.select({"verbs+shm", "shm"}); }
    static std::vector<std::unique_ptr<soft::Wire>> wires() {
        std::vector<std::unique_ptr<soft::Wire>> made;
        made.push_back(std::make_unique<shm::ShmWire>());
        return made;
    }
    template <typename Kind>
    bool opens(std::uint32_t index, Face face) {
        const Result<Ref<TransportAdapter>> opened = map_.open({index, "eth", true, {}}, face);
        return opened.ok() && dynamic_cast<Kind*>(opened.value().get()) != nullptr;
    }
    Ref<RefCounted> hold(std::uint32_t index, AdapterKinds kinds = AdapterKinds::any) {
        Result<Ref<RefCounted>> held = map_.hold_kind({index, "eth", true, {}}, kinds);
        return held.ok() ? held.take() : nullptr;
    }

    EventLoop loop_;
    MappableMemory memory_;
    soft::SoftTransport software_{loop_, memory_, wires()};
    OneDevice* const device_ = new OneDevice;
    TransportMap map_{software_, std::unique_ptr<HardwareTransport>(device_)};
};

TEST_F(JointMapTest, ADeviceIsJoinedWithSharedMemoryButForTheKernelsInterface) {
    const Ref<RefCounted> served = hold(OneDevice::kServed), other = hold(1);
    ASSERT_TRUE(served);
    ASSERT_TRUE(other);
    for (const Face face : {Face::nd1, Face::nd2}) EXPECT_TRUE(opens<joint::JointAdapter>(OneDevice::kServed, face));
    EXPECT_TRUE(opens<fake::FakeAdapter>(OneDevice::kServed, Face::ndk));
    EXPECT_TRUE(opens<soft::SoftAdapter>(1, Face::nd2)) << "no device serves it";
    EXPECT_TRUE(hold(OneDevice::kServed, AdapterKinds::hardware)) << "it is hardware";
    EXPECT_FALSE(hold(OneDevice::kServed, AdapterKinds::software)) << "while it is open";
}

TEST_F(JointMapTest, NamedAloneItIsReplacedByNothing) {
    map_.select({"verbs+shm"});
    EXPECT_TRUE(hold(OneDevice::kServed));
    EXPECT_FALSE(hold(1));
}

TEST_F(TransportMapTest, AnOverrunRuleIsForBothKinds) {
    map_.set_overrun_rule(OverrunRule::strict);
    EXPECT_EQ(device_->overrun_rule, OverrunRule::strict);
    EXPECT_EQ(software_.overrun_rule(), OverrunRule::strict);
}

TEST(TransportMapWithoutHardware, SaysThatTheLibraryWasBuiltWithoutIt) {
    EventLoop loop;
    MappableMemory memory;
    soft::SoftTransport software(loop, memory, {});
    TransportMap map(software, nullptr);
    map.select({"verbs"});
    const Interface on{1, "lo", true, {*Address::parse("127.0.0.1")}};
    EXPECT_EQ(map.hold_kind(on, AdapterKinds::any).status(), Status::not_supported);
    EXPECT_NE(std::string_view(last_failure().limit).find("built without"), std::string_view::npos);
    map.select({"verbs", "shm"});
    EXPECT_TRUE(map.hold_kind(on, AdapterKinds::any).ok());
}

TEST_F(TransportMapTest, ADeviceIsDescribedWhateverIsChosen) {
    map_.select({"shm"});
    std::string reason;
    const auto report = map_.describe_device(*Address::parse("192.0.2.1"), reason);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->name, "one0");
    device_->failure = "no RDMA device has it";
    EXPECT_FALSE(map_.describe_device(*Address::parse("192.0.2.2"), reason));
    EXPECT_EQ(reason, "no RDMA device has it");
    device_->failure.clear();
    device_->is_there = false;
    EXPECT_FALSE(map_.describe_device(*Address::parse("192.0.2.2"), reason));
    EXPECT_NE(reason.find("this host has no RDMA device"), std::string::npos) << reason;
}

}  // namespace
}  // namespace opennd
