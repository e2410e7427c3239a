// SPDX-License-Identifier: MIT
#include "core/memory/memory_region.h"

#include <array>

#include "support/requirement.h"
#include "unit/core/fake_adapter_fixture.h"

namespace opennd {
namespace {

using support::proves;

class MemoryRegionTest : public FakeAdapterTest {
protected:
    ~MemoryRegionTest() override { region_->close(); }

    Status register_buffer() {
        return region_->register_memory(buffer_.data(), buffer_.size(), Access::none, recording(record_));
    }

    std::array<std::byte, 64> buffer_{};
    Ref<MemoryRegion> region_ = make_ref<MemoryRegion>(adapter_);
    RequestRecord record_;
};

TEST_F(MemoryRegionTest, HasTokensWhileRegistered) {
    proves("ND2-MR-TOK-01", "ND2-OVL-01");
    EXPECT_EQ(region_->local_token(), Token::none);
    ASSERT_EQ(register_buffer(), Status::success);
    EXPECT_EQ(record_.outcome(), Status::success);
    EXPECT_EQ(region_->local_token(), Token{0x11});
    EXPECT_EQ(region_->remote_token(), Token{0x22});
    RequestRecord deregistration;
    ASSERT_EQ(region_->deregister(recording(deregistration)), Status::success);
    EXPECT_EQ(deregistration.outcome(), Status::success);
    EXPECT_EQ(region_->remote_token(), Token::none);
    EXPECT_TRUE(transport_->memory->deregistered);
}

TEST_F(MemoryRegionTest, ChecksItsArgumentsInOrder) {
    proves("ND2-MR-REG-01");
    std::byte* const start = buffer_.data();
    EXPECT_EQ(region_->register_memory(nullptr, 0, Access::none, recording(record_)), Status::invalid_parameter);
    EXPECT_EQ(region_->register_memory(start, 0, Access::none, recording(record_)), Status::invalid_length);
    EXPECT_EQ(region_->register_memory(start, (1u << 20) + 1, Access::none, recording(record_)),
              Status::invalid_parameter);
    auto* const last = reinterpret_cast<std::byte*>(~std::uintptr_t{0});
    EXPECT_EQ(region_->register_memory(last, 2, Access::none, recording(record_)), Status::invalid_parameter);
    transport_->memory_failure = Status::access_violation;
    EXPECT_EQ(register_buffer(), Status::access_violation);
    transport_->memory_failure.reset();
    EXPECT_TRUE(record_.untouched());
    ASSERT_EQ(register_buffer(), Status::success);
    RequestRecord second;
    EXPECT_EQ(region_->register_memory(start, 1, Access::none, recording(second)), Status::invalid_state);
    EXPECT_TRUE(second.untouched());
}

TEST_F(MemoryRegionTest, RefusesToDeregisterNothing) {
    proves("ND2-MR-DEREG-01");
    EXPECT_EQ(region_->deregister(recording(record_)), Status::invalid_state);
    EXPECT_TRUE(record_.untouched());
}

TEST_F(MemoryRegionTest, DeregistersWhenReleased) {
    proves("ND2-MR-REL-01");
    const Ref<MemoryRegion> released = make_ref<MemoryRegion>(adapter_);
    ASSERT_EQ(released->register_memory(buffer_.data(), 1, Access::none, recording(record_)), Status::success);
    released->close();
    EXPECT_TRUE(transport_->memory->deregistered);
}

}  // namespace
}  // namespace opennd
