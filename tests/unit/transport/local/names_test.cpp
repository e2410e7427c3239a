// SPDX-License-Identifier: MIT
// The names that a link's producers give to the crowds of its other side: the test is the consumer.
#include "transport/local/arena/names.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "transport/local/link/name_writer.h"

namespace opennd::local {
namespace {

using support::proves;
using Attention = soft::Attention;

class NamerTest : public testing::Test {
protected:
    NamerTest() {
        for (Names::Crowd& crowd : names_->crowds) say(crowd, Attention::polling);
    }
    static void say(Names::Crowd& crowd, Attention attention) {
        crowd.attention.store(static_cast<std::uint32_t>(attention));
    }
    // The names of a crowd that are there, in order.
    std::vector<std::uint32_t> take(std::uint32_t crowd = 0) {
        std::vector<std::uint32_t> numbers;
        for (std::uint64_t& at = taken_[crowd];; ++at) {
            const std::uint64_t name = names_->rings[crowd].names[at % kConnections].load();
            if (!Names::is_at(name, at)) break;
            numbers.push_back(static_cast<std::uint32_t>(name));
        }
        names_->crowds[crowd].taken.store(taken_[crowd]);
        return numbers;
    }
    bool name(std::uint32_t number, std::uint32_t crowd = 0) { return name_writer_.name(number, crowd); }

    const std::unique_ptr<Names> names_ = std::make_unique<Names>();
    std::uint64_t taken_[kCrowds] = {};
    NameWriter name_writer_{*names_, NameWriter::create_history().take()};
};

using Numbers = std::vector<std::uint32_t>;

TEST_F(NamerTest, NamesInOrder) {
    proves("IW-PERF-16");
    EXPECT_EQ(take(), Numbers{});
    EXPECT_FALSE(name(7));
    EXPECT_FALSE(name(kConnections - 1));
    EXPECT_EQ(take(), (Numbers{7, kConnections - 1}));
    EXPECT_EQ(take(), Numbers{});
}

TEST_F(NamerTest, NamesOnceUntilTheNameIsTaken) {
    proves("IW-PERF-16");
    for (int i = 0; i < 3; ++i) (void)name(7);
    EXPECT_EQ(take(), Numbers{7});
    (void)name(7);
    EXPECT_EQ(take(), Numbers{7}) << "what came after the name was taken";
}

TEST_F(NamerTest, HasRoomForAllConnections) {
    proves("IW-PERF-16", "ND2-ADP-QP-07");
    for (int round = 0; round < 3; ++round) {
        for (std::uint32_t number = 0; number < kConnections; ++number) {
            (void)name(number);
            (void)name(number / 2);
        }
        EXPECT_EQ(take().size(), kConnections);
    }
}

TEST_F(NamerTest, NamesToTheCrowdThatWishes) {
    proves("IW-PERF-16");
    (void)name(7, 1);
    (void)name(8, 3);
    EXPECT_EQ(take(0), Numbers{});
    EXPECT_EQ(take(1), Numbers{7});
    EXPECT_EQ(take(3), Numbers{8});
}

TEST_F(NamerTest, RingsASleeperOnce) {
    proves("ND2-CQ-NTF-08");
    say(names_->crowds[0], Attention::awake);
    EXPECT_FALSE(name(6));
    say(names_->crowds[0], Attention::asleep);
    EXPECT_TRUE(name(7));
    EXPECT_FALSE(name(8)) << "it was rung";
    EXPECT_EQ(names_->crowds[0].attention.load(), kAsleepRung);
    EXPECT_EQ(take(), (Numbers{6, 7, 8}));
    EXPECT_FALSE(name(7, 1)) << "another one polls";
}

TEST_F(NamerTest, RingsForANameThatWasThere) {
    proves("ND2-CQ-NTF-08");
    (void)name(7);
    say(names_->crowds[0], Attention::asleep);
    EXPECT_TRUE(name(7));
}

TEST_F(NamerTest, RingsAgainIfItCouldNot) {
    proves("ND2-CQ-NTF-08");
    say(names_->crowds[0], Attention::asleep);
    ASSERT_TRUE(name(7));
    name_writer_.could_not_ring(0);
    EXPECT_TRUE(name(8));
}

TEST_F(NamerTest, KnowsWhetherAThreadPolls) {
    proves("ND2-OVL-24");
    EXPECT_TRUE(name_writer_.is_polled(2));
    for (Names::Crowd& crowd : names_->crowds) say(crowd, Attention::asleep);
    EXPECT_FALSE(name_writer_.is_polled());
    say(names_->crowds[2], Attention::awake);
    EXPECT_TRUE(name_writer_.is_polled());
    names_->crowds[2].attention.store(kAsleepRung);
    EXPECT_FALSE(name_writer_.is_polled());
    names_->polled.store(1);
    EXPECT_TRUE(name_writer_.is_polled()) << "outside crowds";
}

// Counts that cannot be: it names more than it must, or nothing, into the ring alone.
TEST_F(NamerTest, TakesNoHarmFromImpossibleCounts) {
    proves("ND2-OVL-24");
    for (const std::uint64_t count : {UINT64_MAX, std::uint64_t{0}, std::uint64_t{1} << 40}) {
        names_->crowds[0].taken.store(count);
        for (std::uint32_t number = 0; number < 2 * kConnections; ++number) (void)name(number % kConnections);
        EXPECT_EQ(names_->rings[1].names[0].load(), 0u);
        EXPECT_EQ(names_->crowds[1].taken.load(), 0u);
    }
}

}  // namespace
}  // namespace opennd::local
