// SPDX-License-Identifier: MIT
// The sizes of 2.3 and 2.11.
#include "transport/iwarp/wire/fpdu.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

TEST(Fpdu, IsAMultipleOfFourOctets) {
    proves("IW-MPA-17", "IW-MPA-18");
    for (std::size_t ulpdu = 0; ulpdu <= kMaxUlpdu; ++ulpdu) {
        ASSERT_EQ(fpdu_bytes(ulpdu) % 4, 0u);
        ASSERT_LT(pad_bytes(ulpdu), 4u);
    }
    EXPECT_EQ(fpdu_bytes(TaggedHeader::kBytes), 20u);
    EXPECT_EQ(fpdu_bytes(UntaggedHeader::kBytes), 24u);
    EXPECT_EQ(fpdu_bytes(ReadRequest::kUlpduBytes), 52u);
    EXPECT_EQ(fpdu_bytes(22), 28u);
    EXPECT_EQ(fpdu_bytes(70), 76u);
}

TEST(Fpdu, FillsOneTcpSegment) {
    proves("IW-MPA-19", "IW-MPA-20");
    constexpr std::size_t kTable[][2] = {{536, 530},   {1428, 1422}, {1440, 1434},   {1448, 1442},
                                         {1460, 1454}, {8948, 8942}, {32741, 32734}, {65483, 64768}};
    for (const auto& [emss, expected] : kTable) {
        EXPECT_EQ(mulpdu(emss, Markers::none), expected) << emss;
        EXPECT_TRUE(expected == kMaxMulpdu || fpdu_bytes(expected) == emss - emss % 4) << emss;
    }
    EXPECT_EQ(mulpdu(1448, Markers::inserted), 1448u - 6 - 4 * 3);
    for (const std::size_t emss : {0, 1, 6, 100, 133}) EXPECT_EQ(mulpdu(emss, Markers::none), kMinMulpdu) << emss;
}

}  // namespace
}  // namespace opennd::iwarp
