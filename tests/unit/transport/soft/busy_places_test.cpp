// SPDX-License-Identifier: MIT
// The few queue pairs of a crowd that each poll visits.
#include "transport/soft/progress/busy_places.h"

#include <vector>

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd::soft {
namespace {

using support::proves;

std::vector<int> visited(BusyPlaces& busy, bool had = false) {
    std::vector<int> places;
    const auto visit = [&](Place place, bool) {
        places.push_back(static_cast<int>(place));
        return had;
    };
    busy.visit_all(visit, [](Place) {});
    return places;
}

int visits_of(BusyPlaces& busy) {
    int visits = 0;
    while (!visited(busy).empty()) ++visits;
    return visits;
}

TEST(BusyPlaces, AreVisitedTheMoreTheMoreOftenTheyAreNamed) {
    proves("IW-PERF-16");
    BusyPlaces busy;
    EXPECT_EQ(visits_of(busy), 0);
    busy.note(Place(7));
    EXPECT_EQ(visits_of(busy), 0) << "maybe it is one of many";
    busy.note(Place(7));
    const int visits = visits_of(busy);
    EXPECT_GT(visits, 0);
    busy.note(Place(7));
    EXPECT_EQ(visits_of(busy), 2 * visits);
    for (int i = 0; i < 100; ++i) busy.note(Place(7));
    EXPECT_LE(visits_of(busy), 1 << 16) << "it ends";
}

TEST(BusyPlaces, CountVisitsInVainAnewAfterOneThatWasNot) {
    proves("IW-PERF-16");
    BusyPlaces busy;
    busy.note(Place(7));
    busy.note(Place(7));
    for (int i = 0; i < 100; ++i) EXPECT_EQ(visited(busy, true), (std::vector<int>{7}));
}

TEST(BusyPlaces, AreFewAndTheNewest) {
    proves("IW-PERF-16");
    BusyPlaces busy;
    for (int place = 0; place < 100; ++place) {
        busy.note(Place(place));
        busy.note(Place(place));
    }
    const auto places = visited(busy);
    EXPECT_LE(places.size(), 8u);
    EXPECT_FALSE(places.empty());
    for (const int place : places) EXPECT_GE(place, 92);
    busy.forget(Place(99));
    for (const int place : visited(busy)) EXPECT_NE(place, 99);
}

TEST(BusyPlaces, AreFollowedWhenTheyAreNamedOverAndOver) {
    proves("IW-PERF-16");
    BusyPlaces busy;
    int names = 1;
    while (!busy.note(Place(7)) && names < 100) ++names;
    EXPECT_GT(names, 2) << "two may be of one message";
    EXPECT_LE(names, 8);
    busy.follow(Place(7));
    EXPECT_FALSE(busy.note(Place(7))) << "it is followed already";
    for (int place = 10; place < 20; ++place) busy.note(Place(place));
    EXPECT_EQ(visited(busy, true), (std::vector<int>{7})) << "others take its place";
}

TEST(BusyPlaces, AreNamedAgainAfterManyLooksInVain) {
    proves("IW-PERF-16");
    BusyPlaces busy;
    while (!busy.note(Place(7))) {
    }
    busy.follow(Place(7));
    int visits = 0, lost = 0;
    const auto visit = [&](Place, bool followed) { return visits += followed ? 1 : 100'000, false; };
    for (int polls = 0; polls < 100'000 && lost == 0; ++polls)
        busy.visit_all(visit, [&](Place place) { lost = static_cast<int>(place); });
    EXPECT_EQ(lost, 7);
    EXPECT_GE(visits, 1000) << "a barrier on all processors is due each time";
    EXPECT_TRUE(visited(busy).empty());
}

TEST(BusyPlaces, AreLetGoOnce) {
    proves("IW-PERF-16");
    BusyPlaces busy;
    while (!busy.note(Place(7))) {
    }
    busy.follow(Place(7));
    int followed = 0, let_go = 0;
    busy.visit_followed([&](Place) { ++followed; });
    for (int times = 0; times < 2; ++times) busy.let_go([&](Place) { ++let_go; });
    EXPECT_EQ(followed, 1);
    EXPECT_EQ(let_go, 1);
}

}  // namespace
}  // namespace opennd::soft
