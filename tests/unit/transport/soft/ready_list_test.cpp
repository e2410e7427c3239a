// SPDX-License-Identifier: MIT
// The list of queue pairs that have something to do.
#include "transport/soft/channel/ready_list.h"

#include <vector>

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd::soft {
namespace {

using support::proves;

std::vector<int> taken(ReadyList& list) {
    std::vector<int> all;
    while (!list.empty()) all.push_back(static_cast<int>(list.take()));
    return all;
}

TEST(ReadyList, GivesEachOnceOldestFirst) {
    proves("IW-PERF-16");
    ReadyList list;
    list.reserve(8);
    for (const int place : {5, 1, 5, 7, 1}) list.add(Place(place));
    EXPECT_EQ(list.size(), 3u);
    EXPECT_EQ(taken(list), (std::vector<int>{5, 1, 7}));
    list.add(Place(5));
    EXPECT_EQ(taken(list), (std::vector<int>{5})) << "it may come again";
}

TEST(ReadyList, HoldsAllPlacesAtOnceOverAndOver) {
    proves("IW-PERF-16");
    ReadyList list;
    list.reserve(5);
    for (int round = 0; round < 4; ++round) {
        list.add(Place(round));
        for (int place = 0; place < 5; ++place) list.add(Place(place));
        EXPECT_EQ(taken(list).size(), 5u);
    }
}

// A peer may have chosen the number.
TEST(ReadyList, TakesNoPlaceThatIsNone) {
    proves("IW-PERF-16");
    ReadyList list;
    list.add(Place(0));
    EXPECT_TRUE(list.empty()) << "it has no room at all";
    list.reserve(3);
    list.add(Place(1u << 31));
    list.add(Place(UINT32_MAX));
    EXPECT_TRUE(list.empty());
}

TEST(ReadyList, StaysAsItIsWhenItGrows) {
    proves("IW-PERF-16");
    ReadyList list;
    list.reserve(4);
    for (const int place : {0, 1, 2, 3}) list.add(Place(place));
    (void)list.take();
    (void)list.take();
    list.add(Place(0));  // behind the end of the ring
    list.reserve(9);
    list.add(Place(8));
    list.add(Place(3));
    EXPECT_EQ(taken(list), (std::vector<int>{2, 3, 0, 8}));
}

}  // namespace
}  // namespace opennd::soft
