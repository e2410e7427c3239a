// SPDX-License-Identifier: MIT
// Receipts: the octets of one, which of the peer's are right, and when this side tells its own.
#include "transport/iwarp/stream/receipts.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

TEST(Receipt, IsAWriteOfNothingThatAnyPeerTakes) {
    proves("IW-RDMAP-50");
    const auto octets = Receipt{0x1122334455667788}.message();
    const auto segment = Segment::load(octets);
    ASSERT_TRUE(segment.ok());
    EXPECT_EQ(segment.value().opcode, Opcode::write);
    EXPECT_TRUE(segment.value().last);
    EXPECT_TRUE(segment.value().payload().empty());
    EXPECT_TRUE(segment.value().receipt);
    EXPECT_EQ(segment.value().tagged.offset, 0x1122334455667788u);
    EXPECT_EQ(segment.value().tagged.stag, Stag::none);
}

TEST(PeerReceipts, GoUpToWhatWasSent) {
    proves("IW-RDMAP-49", "IW-RDMAP-51");
    PeerReceipts receipts;
    EXPECT_FALSE(receipts.accept({0}, 0));
    EXPECT_FALSE(receipts.accept({100}, 100));
    EXPECT_FALSE(receipts.accept({100}, 200)) << "again";
    EXPECT_EQ(receipts.placed(), 100u);
    const auto ahead = receipts.accept({201}, 200);
    ASSERT_TRUE(ahead);
    EXPECT_EQ(ahead->kind, FaultKind::receipt_wrong);
    EXPECT_TRUE(receipts.accept({99}, 200)) << "back";
    EXPECT_EQ(receipts.placed(), 100u);
}

TEST(PeerReceipts, GoOnBeyondTheirThirtyTwoBits) {
    proves("IW-RDMAP-50", "IW-RDMAP-51");
    PeerReceipts receipts;
    std::uint64_t sent = 0;
    for (int step = 0; step < 40; ++step) {
        const std::uint64_t before = sent;
        sent += 0x3fff'fff1;
        ASSERT_FALSE(receipts.accept(receipts.widened(static_cast<std::uint32_t>(sent)), sent));
        EXPECT_EQ(receipts.placed(), sent);
        EXPECT_TRUE(receipts.accept(receipts.widened(static_cast<std::uint32_t>(before)), sent)) << "back";
        EXPECT_TRUE(receipts.accept(receipts.widened(static_cast<std::uint32_t>(sent + 1)), sent)) << "ahead";
    }
}

TEST(OwedReceipts, AreOwedUntilTold) {
    OwedReceipts receipts;
    EXPECT_EQ(receipts.owed(0), 0u);
    EXPECT_EQ(receipts.owed(32), 32u);
    receipts.tell(32);
    EXPECT_EQ(receipts.owed(32), 0u);
    EXPECT_EQ(receipts.owed(64), 32u);
}

TEST(OwedReceipts, WaitForNoneThatSleeps) {
    proves("IW-RDMAP-52");
    OwedReceipts receipts;
    EXPECT_FALSE(receipts.may_wait(32, false, true));
    EXPECT_FALSE(receipts.may_wait(32, false, false));
}

TEST(OwedReceipts, WaitForTheNextLookOfAThreadWithResults) {
    proves("IW-RDMAP-52");
    OwedReceipts receipts;
    EXPECT_TRUE(receipts.may_wait(32, true, true));
    EXPECT_TRUE(receipts.may_wait(64, true, true)) << "more results";
    EXPECT_FALSE(receipts.may_wait(64, true, false)) << "it has come again, and found nothing";
    receipts.tell(64);
    EXPECT_TRUE(receipts.may_wait(64 + OwedReceipts::kMostWaiting, true, true)) << "one message of any length";
    EXPECT_FALSE(receipts.may_wait(96 + OwedReceipts::kMostWaiting, true, true)) << "too much";
}

TEST(OwedReceipts, WaitForTheAnswerToAWriteWhereOneTendsToCome) {
    proves("IW-RDMAP-52");
    OwedReceipts receipts;
    EXPECT_FALSE(receipts.may_wait(32, true, false)) << "nothing is known yet";
    receipts.tell(32);
    receipts.message_begins(32);
    EXPECT_TRUE(receipts.may_wait(64, true, false)) << "an answer came before";
    receipts.message_begins(64);
    receipts.tell(64);
    EXPECT_TRUE(receipts.may_wait(96, true, false));
    EXPECT_FALSE(receipts.may_wait(96, true, false)) << "none came this time";
    receipts.tell(96);
    EXPECT_FALSE(receipts.may_wait(128, true, false)) << "nor is one expected";
}

}  // namespace
}  // namespace opennd::iwarp
