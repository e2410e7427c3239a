// SPDX-License-Identifier: MIT
// ND2_ADAPTER_INFO as a later version might have it, asked for by a program that knows today's alone.
#include "base/published_sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "ndspi.h"
#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;

struct LongerInfo {
    ND2_ADAPTER_INFO published;
    std::uint64_t added;
};
using LongerSizes = PublishedSizes<LongerInfo, sizeof(ND2_ADAPTER_INFO), sizeof(LongerInfo)>;

static_assert(sizeof(ND2_ADAPTER_INFO) == 96 && sizeof(LongerInfo) == 104);
static_assert(LongerSizes::within(95) == 0);
static_assert(LongerSizes::within(96) == 96);
static_assert(LongerSizes::within(103) == 96);
static_assert(LongerSizes::within(104) == 104);
static_assert(LongerSizes::within(4096) == 104);

TEST(PublishedSizes, FillAsFarAsTheProgramsVersionGoes) {
    proves("ND2-ADP-QUERY-01", "ND2-ADP-QUERY-03");
    LongerInfo info{};
    info.published.AdapterFlags = 0x1234;
    info.added = 0x5678;
    for (const ULONG room : {96u, 103u, 104u, 200u}) {
        SCOPED_TRACE(room);
        alignas(LongerInfo) unsigned char buffer[200];
        std::fill(std::begin(buffer), std::end(buffer), static_cast<unsigned char>(0xEE));
        ULONG bytes = 0;
        EXPECT_TRUE(LongerSizes::give(info, buffer, room, bytes));
        EXPECT_EQ(bytes, room < 104 ? 96u : 104u);
        EXPECT_TRUE(std::equal(buffer, buffer + bytes, reinterpret_cast<const unsigned char*>(&info)));
        EXPECT_TRUE(std::all_of(buffer + bytes, std::end(buffer), [](unsigned char byte) { return byte == 0xEE; }));
    }
}

TEST(PublishedSizes, TellTodaysSizeToAProgramWithoutRoomForTheFirst) {
    proves("ND2-ADP-QUERY-01", "ND2-ADP-QUERY-03");
    const LongerInfo info{};
    for (const ULONG room : {0u, 95u}) {
        unsigned char untouched = 0xEE;
        ULONG bytes = 0;
        EXPECT_FALSE(LongerSizes::give(info, &untouched, room, bytes));
        EXPECT_EQ(bytes, 104u);
        EXPECT_EQ(untouched, 0xEE);
    }
}

}  // namespace
}  // namespace opennd
