// SPDX-License-Identifier: MIT
// Every fault has a registered cause and a text that names a field, its value, and a requirement.
#include "transport/iwarp/wire/fault.h"

#include <gtest/gtest.h>

#include <string>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

TEST(Fault, HasARegisteredCauseWhateverItsKind) {
    proves("IW-RDMAP-47");
    for (int kind = 0; kind <= static_cast<int>(kLastFault); ++kind) {
        const Fault fault{static_cast<FaultKind>(kind), 7, 11};
        EXPECT_TRUE(is_registered(cause(fault))) << kind;
    }
}

TEST(Fault, SaysWhatWasSeenAndWhichRequirementRefusesIt) {
    for (int kind = 0; kind <= static_cast<int>(kLastFault); ++kind) {
        const Phrase text = describe({static_cast<FaultKind>(kind), 7, 11});
        const std::string line(text);
        EXPECT_NE(line.find("(IW-"), std::string::npos) << kind << ": " << line;
        EXPECT_EQ(line.find_first_of("{}"), std::string::npos) << kind << ": " << line;
        EXPECT_LT(line.size(), Phrase::kMaxBytes) << kind;
    }
    EXPECT_EQ(std::string_view(describe({FaultKind::msn_out_of_order, 7, 3})),
              "MSN is 7, the next of this queue is 3 (IW-DDP-15)");
    EXPECT_EQ(std::string_view(describe({FaultKind::crc_mismatch, 0x12, 0xe3069283})),
              "CRC is 0x00000012, computed 0xe3069283 (IW-MPA-21)");
}

TEST(TerminateCause, IsNamedIfARegistryHasIt) {
    EXPECT_EQ(name(term(2, 0, 2)), "CRC error");
    EXPECT_EQ(name(term(0, 0, 0x77)), "local catastrophic error") << "registered for every code";
    // The two traps of 2.9.
    EXPECT_EQ(name(term(0, 1, 4)), "TO wrap");
    EXPECT_EQ(name(term(1, 1, 3)), "TO wrap");
    EXPECT_EQ(name(term(0, 1, 3)), name(term(1, 1, 2)));
    EXPECT_EQ(name(term(1, 3, 0)), "") << "reserved for the lower layer";
    EXPECT_EQ(name(term(9, 9, 9)), "");
}

}  // namespace
}  // namespace opennd::iwarp
