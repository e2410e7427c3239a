// SPDX-License-Identifier: MIT
// The few queue pairs of a crowd that each poll visits.
#include "transport/soft/engine/busy_places.h"

#include <vector>

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd::soft {
namespace {

using support::proves;

std::vector<int> visited(BusyPlaces& busy, bool had = false) {
    std::vector<int> places;
    busy.visit_all([&](Place place) {
        places.push_back(static_cast<int>(place));
        return had;
    });
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

}  // namespace
}  // namespace opennd::soft
