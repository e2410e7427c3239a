// SPDX-License-Identifier: MIT
// Results that are hidden until their time, or until a flush.
#include "transport/faults/late_results.h"

#include <gtest/gtest.h>

#include <chrono>

namespace opennd::faults {
namespace {

using namespace std::chrono_literals;
using Found = LateResults::Found;
using soft::Start;
using soft::StartResult;
using soft::Ticket;

constexpr std::uint64_t kPlan = 3;
const SteadyTime kPast = now() - 1h;
const SteadyTime kFuture = now() + 1h;

TEST(LateResults, AreInFlightUntilTheirTime) {
    LateResults late;
    const StartResult hidden = late.hide({Start::done}, kFuture, kPlan);
    EXPECT_EQ(hidden.start, Start::in_flight);
    EXPECT_EQ(late.find(hidden.ticket, kPlan), Found::late);
    EXPECT_EQ(late.next(), kFuture);
    const StartResult over = late.hide({Start::done}, kPast, kPlan);
    EXPECT_NE(over.ticket, hidden.ticket);
    EXPECT_EQ(late.find(over.ticket, kPlan), Found::done);
    EXPECT_EQ(late.find(over.ticket, kPlan), Found::of_wire) << "it is told once";
    EXPECT_EQ(late.next(), kFuture);
}

TEST(LateResults, OfARequestInFlightKeepItsTicket) {
    LateResults late;
    EXPECT_EQ(late.hide({Start::in_flight, Status::success, Ticket{7}}, kFuture, kPlan).ticket, Ticket{7});
    EXPECT_EQ(late.find(Ticket{7}, kPlan), Found::late);
    EXPECT_EQ(late.find(Ticket{8}, kPlan), Found::of_wire);
    LateResults over;
    (void)over.hide({Start::in_flight, Status::success, Ticket{7}}, kPast, kPlan);
    EXPECT_EQ(over.find(Ticket{7}, kPlan), Found::of_wire) << "the wire knows when it is done";
    EXPECT_EQ(over.next(), std::nullopt);
}

TEST(LateResults, AreAllToldByAFlush) {
    LateResults late;
    const StartResult done = late.hide({Start::done}, kFuture, kPlan);
    (void)late.hide({Start::in_flight, Status::success, Ticket{7}}, kFuture, kPlan);
    late.reveal();
    EXPECT_EQ(late.next(), std::nullopt);
    EXPECT_EQ(late.find(done.ticket, kPlan), Found::done);
    EXPECT_EQ(late.find(Ticket{7}, kPlan), Found::of_wire);
    EXPECT_EQ(late.hide({Start::done}, kFuture, kPlan).start, Start::done) << "and of those behind it";
}

TEST(LateResults, AreAllToldOnceTheirPlanIsOver) {
    LateResults late;
    const StartResult done = late.hide({Start::done}, kFuture, kPlan);
    EXPECT_EQ(late.find(done.ticket, kPlan), Found::late);
    EXPECT_EQ(late.find(done.ticket, kPlan + 1), Found::done);
}

}  // namespace
}  // namespace opennd::faults
