// SPDX-License-Identifier: MIT
// The registrations that a fast region takes, and a queue pair's requests for it, against a transport that the test
// plays.
#include "core/memory/fast_region.h"

#include <string_view>
#include <vector>

#include "base/explanation.h"
#include "support/requirement.h"
#include "unit/core/fake_adapter_fixture.h"

namespace opennd {
namespace {

using support::proves;

class FastRegionTest : public FakeAdapterTest {
protected:
    ~FastRegionTest() override { region_->close(); }

    Status register_pages(const PageList& pages, Access access = Access::none) {
        return queue_pair_->fast_register(*region_, pages, access, RequestFlags::none, nullptr);
    }
    fake::FakeFastRegion& wire() { return *transport_->fast_region; }

    const std::vector<std::uint64_t> pages_{0x7000, 0x3000};
    Ref<FastRegion> region_ = make_ref<FastRegion>(adapter_);
    Ref<QueuePair> queue_pair_ = make_queue_pair();
    Ref<fake::FakeQueuePair> queue_pair_wire_ = transport_->queue_pair;
};

TEST_F(FastRegionTest, HasTokensFromItsFirstInitialisationOn) {
    proves("NDK-MR-TOK-01", "NDK-MR-FRMR-01", "NDK-MR-FRMR-02", "NDK-MR-FRMR-03");
    EXPECT_EQ(region_->local_token(), Token::none);
    EXPECT_EQ(region_->remote_token(), Token::none);
    EXPECT_EQ(region_->initialize(0, Reach::peers), Status::invalid_parameter);
    EXPECT_EQ(region_->initialize(transport_->adapter_traits.max_fast_pages + 1, Reach::peers),
              Status::insufficient_resources);
    EXPECT_EQ(region_->remote_token(), Token::none);
    ASSERT_EQ(region_->initialize(transport_->adapter_traits.max_fast_pages, Reach::peers), Status::success);
    const Token remote = region_->remote_token();
    EXPECT_NE(remote, Token::none);
    ASSERT_EQ(region_->initialize(1, Reach::local), Status::success);
    EXPECT_EQ(region_->remote_token(), remote);
    wire().registered = true;
    EXPECT_TRUE(region_->valid());
    EXPECT_EQ(region_->initialize(1, Reach::local), Status::invalid_state);
}

TEST_F(FastRegionTest, IsOfThisSideAloneWhereKeysForPeersDoNotStay) {
    proves("NDK-MAP-10");
    transport_->adapter_traits.fast_regions_for_peers = false;
    EXPECT_EQ(region_->initialize(4, Reach::peers), Status::not_supported);
    EXPECT_NE(std::string_view(last_failure().object).find(adapter_->opened_on().name), std::string_view::npos);
    EXPECT_EQ(region_->local_token(), Token::none);
    ASSERT_EQ(region_->initialize(4, Reach::local), Status::success);
    EXPECT_EQ(register_pages({pages_, 0, 0x1000, 64}, Access::remote_read), Status::access_violation);
}

TEST_F(FastRegionTest, TakesNoMorePagesThanItWasInitialisedFor) {
    proves("NDK-QP-FREG-01");
    EXPECT_EQ(register_pages({pages_, 0, 0, 1}), Status::invalid_parameter) << "never initialised";
    ASSERT_EQ(region_->initialize(2, Reach::peers), Status::success);
    const std::vector<std::uint64_t> three{0x1000, 0x2000, 0x3000}, odd{0x1001};
    EXPECT_EQ(register_pages({{}, 0, 0, 1}), Status::invalid_parameter);
    EXPECT_EQ(register_pages({three, 0, 0, 1}), Status::invalid_parameter);
    EXPECT_EQ(register_pages({odd, 0, 0, 1}), Status::invalid_parameter);
    EXPECT_EQ(register_pages({pages_, 4096, 4096, 1}), Status::invalid_parameter);
    EXPECT_EQ(register_pages({pages_, 0, 0, 0}), Status::invalid_parameter);
    EXPECT_EQ(register_pages({pages_, 0, 0, 8193}), Status::invalid_parameter);
    EXPECT_EQ(register_pages({pages_, 16, 0x10010, 8177}), Status::invalid_parameter);
    EXPECT_TRUE(queue_pair_wire_->posted.empty());
    ASSERT_EQ(register_pages({pages_, 16, 0x10010, 8176}, Access::remote_read), Status::success);
    EXPECT_EQ(queue_pair_wire_->posted, std::vector{Operation::fast_register});
    EXPECT_EQ(wire().pages, pages_);
    EXPECT_EQ(wire().access, Access::remote_read);
    EXPECT_EQ(wire().reach, Reach::peers);
}

TEST_F(FastRegionTest, TakesAnyBaseThatDoesNotWrap) {
    proves("NDK-QP-FREG-03", "NDK-QP-FREG-07", "NDK-CONS-27");
    ASSERT_EQ(region_->initialize(2, Reach::peers), Status::success);
    EXPECT_EQ(register_pages({pages_, 0, 0, 8192}), Status::success);
    EXPECT_EQ(wire().first_byte, 0u);
    EXPECT_EQ(register_pages({pages_, 0, 0xdead'beef'dead'b123, 8192 - 0x123}), Status::success);
    EXPECT_EQ(wire().first_byte, 0x123u);
    EXPECT_EQ(register_pages({pages_, 0, 0xdead'beef'dead'b123, 8192 - 0x122}), Status::invalid_parameter);
    EXPECT_EQ(register_pages({pages_, 0x10, 0x20, 1}), Status::invalid_parameter)
        << "the base is elsewhere in its page";
    EXPECT_EQ(register_pages({pages_, 0, ~std::uint64_t{0xfff}, 4096}), Status::invalid_parameter) << "wraps";
    EXPECT_EQ(register_pages({pages_, 0, ~std::uint64_t{0xfff}, 4095}), Status::success);
}

TEST_F(FastRegionTest, GivesPeersRightsOnlyWhereTheyMayUseIt) {
    proves("NDK-QP-FREG-02");
    ASSERT_EQ(region_->initialize(2, Reach::local), Status::success);
    EXPECT_EQ(register_pages({pages_, 0, 0, 1}, Access::remote_read), Status::access_violation);
    EXPECT_EQ(register_pages({pages_, 0, 0, 1}, Access::remote_write), Status::access_violation);
    EXPECT_EQ(register_pages({pages_, 0, 0, 1}, Access::local_write), Status::success);
    EXPECT_EQ(wire().reach, Reach::local);
}

TEST_F(FastRegionTest, IsInvalidatedByRequests) {
    proves("NDK-QP-INV-02");
    EXPECT_EQ(queue_pair_->invalidate(*region_, RequestFlags::none, nullptr), Status::invalid_parameter);
    ASSERT_EQ(region_->initialize(2, Reach::local), Status::success);
    EXPECT_EQ(queue_pair_->invalidate(*region_, RequestFlags::none, nullptr), Status::success);
    EXPECT_EQ(queue_pair_wire_->posted, std::vector{Operation::invalidate});
}

TEST_F(FastRegionTest, IsAllThatAReadMayEnd) {
    proves("NDK-QP-READ-05");
    ASSERT_EQ(region_->initialize(2, Reach::local), Status::success);
    const Sge plain{nullptr, 8, static_cast<Token>(0x11)}, fast{nullptr, 8, region_->local_token()};
    WorkRequest read{Operation::read, RequestFlags::none, nullptr, {}};
    EXPECT_EQ(queue_pair_->read_and_invalidate(read), Status::invalid_parameter);
    read.sges = {&plain, 1};
    EXPECT_EQ(queue_pair_->read_and_invalidate(read), Status::invalid_parameter);
    EXPECT_TRUE(queue_pair_wire_->posted.empty());
    read.sges = {&fast, 1};
    EXPECT_EQ(queue_pair_->read_and_invalidate(read), Status::success);
    EXPECT_TRUE(has(queue_pair_wire_->last_flags, RequestFlags::local_invalidate));
}

TEST_F(FastRegionTest, EndsWithItsClose) {
    proves("NDK-MR-REG-06");
    ASSERT_EQ(region_->initialize(2, Reach::local), Status::success);
    const auto wire = transport_->fast_region;
    region_->close();
    EXPECT_TRUE(wire->closed);
    EXPECT_EQ(region_->local_token(), Token::none);
    EXPECT_EQ(register_pages({pages_, 0, 0, 1}), Status::invalid_parameter);
}

TEST_F(FakeAdapterTest, TheWholeAddressSpaceHasOneToken) {
    proves("NDK-PD-02", "NDK-PD-03");
    const auto token = adapter_->address_space_token();
    ASSERT_TRUE(token.ok());
    const auto memory = transport_->memory;
    EXPECT_EQ(adapter_->address_space_token().value(), token.value());
    EXPECT_EQ(transport_->memory, memory) << "registered once";
}

}  // namespace
}  // namespace opennd
