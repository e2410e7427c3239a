// SPDX-License-Identifier: MIT
// Long copies: each way copies the same bytes, wherever source and target lie, and the choice by given times.
#include "platform/memory/long_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "platform/memory/copy_choice.h"
#include "platform/memory/guarded_copy.h"

namespace opennd {
namespace {

using std::chrono::nanoseconds;

constexpr CopyWay kAll[] = {CopyWay::strides, CopyWay::library, CopyWay::instruction};
constexpr nanoseconds kLacking = nanoseconds::max();

class LongCopy : public testing::Test {
protected:
    ~LongCopy() override { set_copy_ways(before_); }

    // Copies with these distances of source and target from a page's begin, and looks at every byte around the target.
    void copy(std::size_t to, std::size_t from, std::size_t bytes) {
        constexpr std::byte kUntouched{0xee};
        std::fill(target_.begin(), target_.end(), kUntouched);
        ASSERT_TRUE(copy_guarded(page(target_) + to, page(source_) + from, bytes));
        const auto begin = page(target_) + to - target_.data();
        const auto end = begin + static_cast<std::ptrdiff_t>(bytes);
        ASSERT_TRUE(std::equal(target_.begin() + begin, target_.begin() + end, page(source_) + from));
        ASSERT_EQ(std::count(target_.begin(), target_.begin() + begin, kUntouched), begin);
        ASSERT_EQ(std::count(target_.begin() + end, target_.end(), kUntouched), target_.end() - target_.begin() - end);
    }

    std::vector<std::byte> source_ = pattern(), target_ = std::vector<std::byte>(source_.size());

private:
    static std::vector<std::byte> pattern() {
        std::vector<std::byte> bytes(96 * 1024);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 + (i >> 6));
        return bytes;
    }
    static std::byte* page(std::vector<std::byte>& memory) {
        const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
        return memory.data() + (kCopyPage - address % kCopyPage) % kCopyPage;
    }

    const CopyWays before_ = copy_ways();
};

TEST_F(LongCopy, IsTheSameByEachWay) {
    for (const CopyWay way : kAll) {
        if (!has(way)) continue;
        set_copy_ways({way, way});
        for (const std::size_t bytes : {1u, 2048u, 2049u, 4096u, 6151u, 65536u, 65599u})
            for (const std::size_t to : {0u, 1u, 32u, 64u, 2080u})
                for (const std::size_t from : {0u, 1u, 33u, 4090u}) copy(to, from, bytes);
    }
}

// The way of a target just behind the source, as seen within a page, is its own.
TEST_F(LongCopy, OfATargetJustBehindItsSourceHasItsOwnWay) {
    const CopyChoice choice = choice_by_times({{nanoseconds(900), nanoseconds(600), nanoseconds(700)},
                                               {nanoseconds(900), nanoseconds(9000), nanoseconds(9000)}});
    EXPECT_EQ(choice.ways.apart, CopyWay::library);
    EXPECT_EQ(choice.ways.behind, CopyWay::strides);
    EXPECT_EQ(choice.ground, Ground::measured);
    const Choice seen = shown(choice);
    EXPECT_EQ(seen.value, "library; strides for a target just behind the source within a page");
    EXPECT_EQ(seen.reason,
              "64 KiB took, in nanoseconds: strides 900, library 600, instruction 700; with the target just behind the "
              "source within a page: strides 900, library 9000, instruction 9000");
    EXPECT_EQ(seen.setting, "OPENND_COPY");
}

TEST_F(LongCopy, GoesByTheQuickestWay) {
    const auto quickest = [](int strides, int library, int instruction) {
        return quickest_copy({nanoseconds(strides), nanoseconds(library), nanoseconds(instruction)});
    };
    EXPECT_EQ(quickest(1600, 800, 400), CopyWay::instruction);
    EXPECT_EQ(quickest(1600, 800, 790), CopyWay::library) << "not quicker by a sixteenth";
    EXPECT_EQ(quickest(1600, 1500, 1500), CopyWay::strides);
    EXPECT_EQ(quickest(1600, 1499, 1600), CopyWay::library);
    EXPECT_EQ(quickest(0, 0, 0), CopyWay::strides);
    EXPECT_EQ(quickest_copy({nanoseconds(1600), nanoseconds(1700), kLacking}), CopyWay::strides);
}

// A clock that stands still decides nothing.
TEST_F(LongCopy, IsTimedByEachWayThatTheProcessorHas) {
    const CopyContest contest = time_copies([] { return SteadyTime{}; });
    for (const CopyWay way : kAll) {
        const nanoseconds expected = has(way) ? nanoseconds(0) : kLacking;
        EXPECT_EQ(contest.apart[static_cast<std::size_t>(way)], expected);
        EXPECT_EQ(contest.behind[static_cast<std::size_t>(way)], expected);
    }
    EXPECT_EQ(choice_by_times(contest).ways.apart, CopyWay::strides);
}

TEST_F(LongCopy, IsChosenOnceAProcess) {
    const CopyChoice& choice = copy_choice();
    pin_copies(CopyWay::strides);
    EXPECT_EQ(&copy_choice(), &choice);
    EXPECT_EQ(copy_ways().apart, choice.ways.apart);
    EXPECT_EQ(copy_ways().behind, choice.ways.behind);
}

}  // namespace
}  // namespace opennd
