// SPDX-License-Identifier: MIT
// A ledger has the counts of each wire apart, also of channels that are gone.
#include <gtest/gtest.h>

#include <memory>

#include "base/ref.h"
#include "support/requirement.h"
#include "transport/soft/channel/traffic_ledger.h"

namespace opennd::soft {
namespace {

using support::proves;

TEST(TrafficLedger, HasNoWireBeforeItHadAChannel) { EXPECT_TRUE(make_ref<TrafficLedger>()->read().empty()); }

TEST(TrafficLedger, AddsUpTheChannelsOfEachWire) {
    const Ref<TrafficLedger> ledger = make_ref<TrafficLedger>();
    TrafficMeter first(ledger, "shm"), second(ledger, "shm"), other(ledger, "iwarp");
    first.started.out(100);
    second.started.out(10, 2);
    second.taken.in(7);
    other.taken.in(1000, 3);
    const auto wires = ledger->read();
    ASSERT_EQ(wires.size(), 2u);
    EXPECT_EQ(wires.at("iwarp").octets_in, 1000u);
    EXPECT_EQ(wires.at("iwarp").frames_in, 3u);
    EXPECT_EQ(wires.at("iwarp").octets_out, 0u);
    EXPECT_EQ(wires.at("shm").octets_out, 110u);
    EXPECT_EQ(wires.at("shm").frames_out, 3u);
    EXPECT_EQ(wires.at("shm").octets_in, 7u);
}

TEST(TrafficLedger, KeepsTheCountsOfAChannelThatIsGone) {
    proves("NDK-STAT-03");
    const Ref<TrafficLedger> ledger = make_ref<TrafficLedger>();
    auto ended = std::make_unique<TrafficMeter>(ledger, "shm");
    ended->started.out(100);
    ended.reset();
    TrafficMeter next(ledger, "shm");
    next.started.out(1);
    ASSERT_EQ(ledger->read().size(), 1u);
    EXPECT_EQ(ledger->read().at("shm").octets_out, 101u);
    EXPECT_EQ(ledger->read().at("shm").frames_out, 2u);
}

}  // namespace
}  // namespace opennd::soft
