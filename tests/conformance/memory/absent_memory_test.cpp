// SPDX-License-Identifier: MIT
//
// Registered memory whose pages go away: the request that meets it ends with an access violation, on either side, also in the middle
// of a copy; the rest of the queue pair is canceled, and no process ends. And memory that a NIC could not hold is refused at Register.
// Requirements ND2-MR-REG-01, ND2-MR-REG-07.
#include <optional>
#include <tuple>

#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"
#include "support/vanishing_memory.h"

namespace opennd::conformance {
namespace {

using support::VanishingMemory;
using support::Way;

using AbsentVariant = std::tuple<Variant, Way>;

class AbsentMemory : public testing::TestWithParam<AbsentVariant> {
protected:
    // Short and long requests of each path: in one word, in a frame, in a chunk, in parts, by the kernel, of several megabytes. Of the
    // last three the memory goes in the middle.
    struct Length {
        std::size_t bytes, kept;
    };
    static constexpr Length kLengths[] = {{1, 0},
                                          {8, 0},
                                          {9, 0},
                                          {60, 0},
                                          {300, 0},
                                          {1000, 0},
                                          {5000, 0},
                                          {20'000, 0},
                                          {20'000, 16'384},
                                          {300'000, 65'536},
                                          {3'000'000, 2'000'000}};

    void SetUp() override { provokes("CHECK-MEMORY-GONE"); }

    template <typename Test>
    void with_each_length(Test test) {
        for (const Length& length : kLengths) {
            SCOPED_TRACE(testing::Message() << length.bytes << " bytes, of which " << length.kept << " stay");
            pair_.emplace(*driver_, EndpointOptions{.memory_bytes = 4 << 20});
            memory_.emplace(std::get<Way>(GetParam()), length.bytes);
            test(length);
            region_.reset();
            pair_.reset();
            memory_.reset();
            if (HasFatalFailure()) return;
        }
    }

    // The memory belongs to this side from here on, and pages of it are gone.
    Sge lost_by(Endpoint& side, const Length& length) {
        region_ = registered(*side.adapter, memory_->data(), memory_->size(), kAllRights);
        memory_->vanish(length.kept);
        return {memory_->data(), static_cast<std::uint32_t>(length.bytes), region_->local_token()};
    }
    Remote remote_of(Endpoint& side) const {
        return {reinterpret_cast<std::uint64_t>(memory_->data()), side.queue_pair->grant(*region_)};
    }

    Endpoint& a() { return pair_->a; }
    Endpoint& b() { return pair_->b; }

    PinnedTransport transport_{std::get<Variant>(GetParam()).transport};
    std::unique_ptr<Driver> driver_ = std::get<Variant>(GetParam()).open();
    std::optional<VanishingMemory> memory_;
    std::optional<ConnectedPair> pair_;
    std::unique_ptr<MemoryRegion> region_;
};

TEST_P(AbsentMemory, OfASendFailsTheSend) {
    proves("ND2-MR-REG-07");
    with_each_length([&](const Length& length) {
        ASSERT_EQ(b().receive(9, 0, length.bytes), Outcome::success);
        const Sge sge = lost_by(a(), length);
        ASSERT_EQ(a().queue_pair->send(1, {&sge, 1}, kNoFlags), Outcome::success);
        EXPECT_TRUE(reports(*a().initiated, RequestKind::send, 1, Outcome::access_violation));
        EXPECT_TRUE(are_flushed_with_the_peer(std::get<Variant>(GetParam()), b(), {9}));
    });
}

TEST_P(AbsentMemory, OfAReceiveFailsTheReceive) {
    proves("ND2-MR-REG-07", "ND2-QP-ERR-01");
    with_each_length([&](const Length& length) {
        const Sge sge = lost_by(b(), length);
        ASSERT_EQ(b().queue_pair->receive(9, {&sge, 1}), Outcome::success);
        ASSERT_EQ(b().receive(10, 0, 64), Outcome::success);
        ASSERT_EQ(a().send(1, 0, length.bytes), Outcome::success);
        EXPECT_TRUE(reports(*b().received, RequestKind::receive, 9, Outcome::access_violation));
        EXPECT_TRUE(reports(*b().received, RequestKind::receive, 10, Outcome::canceled));
        EXPECT_TRUE(reports(*a().initiated, RequestKind::send, 1, Outcome::data_error));
    });
}

TEST_P(AbsentMemory, OfAWriteFailsTheWrite) {
    proves("ND2-MR-REG-07");
    with_each_length([&](const Length& length) {
        const Sge sge = lost_by(a(), length);
        ASSERT_EQ(a().queue_pair->write(1, {&sge, 1}, b().remote(), kNoFlags), Outcome::success);
        EXPECT_TRUE(reports(*a().initiated, RequestKind::write, 1, Outcome::access_violation));
    });
}

TEST_P(AbsentMemory, OfAReadFailsTheRead) {
    proves("ND2-MR-REG-07");
    with_each_length([&](const Length& length) {
        const Sge sge = lost_by(a(), length);
        ASSERT_EQ(a().queue_pair->read(1, {&sge, 1}, b().remote(), kNoFlags), Outcome::success);
        EXPECT_TRUE(reports(*a().initiated, RequestKind::read, 1, Outcome::access_violation));
    });
}

TEST_P(AbsentMemory, AtThePeerFailsTheWrite) {
    proves("ND2-MR-REG-07", "ND2-QP-RDMA-03");
    with_each_length([&](const Length& length) {
        (void)lost_by(b(), length);
        ASSERT_EQ(a().write(1, 0, length.bytes, remote_of(b())), Outcome::success);
        EXPECT_TRUE(reports(*a().initiated, RequestKind::write, 1, Outcome::access_violation));
    });
}

TEST_P(AbsentMemory, AtThePeerFailsTheRead) {
    proves("ND2-MR-REG-07", "ND2-QP-RDMA-03");
    with_each_length([&](const Length& length) {
        (void)lost_by(b(), length);
        ASSERT_EQ(a().read(1, 0, length.bytes, remote_of(b())), Outcome::success);
        EXPECT_TRUE(reports(*a().initiated, RequestKind::read, 1, Outcome::access_violation));
    });
}

std::string absent_variant_name(const testing::TestParamInfo<AbsentVariant>& info) {
    return name_of(std::get<Variant>(info.param)) + name_of(std::get<Way>(info.param));
}

INSTANTIATE_TEST_SUITE_P(, AbsentMemory,
                         testing::Combine(testing::ValuesIn(every_variant()),
                                          testing::Values(Way::unmapped, Way::protected_, Way::cut_short)),
                         absent_variant_name);

}  // namespace
}  // namespace opennd::conformance
