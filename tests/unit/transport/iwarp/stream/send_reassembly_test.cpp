// SPDX-License-Identifier: MIT
// Sends put together again, and the order in which their faults are found.
#include "transport/iwarp/stream/send_reassembly.h"

#include <gtest/gtest.h>

#include <optional>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

class SendReassemblyTest : public testing::Test {
protected:
    Checked<SendPlacement> accept(const Untagged& header, std::size_t payload_bytes,
                                  std::optional<std::uint32_t> receive = 100) {
        const Octets ulpdu = untagged_ulpdu(header, payload_bytes);
        return reassembly.accept(segment_of(ulpdu), receive);
    }
    TerminateCause refused(const Untagged& header, std::size_t payload_bytes,
                           std::optional<std::uint32_t> receive = 100) {
        return cause_of(accept(header, payload_bytes, receive));
    }
    void begin(std::size_t payload_bytes, Opcode opcode = Opcode::send, Stag invalidate = Stag::none) {
        ASSERT_TRUE(accept({.last = false, .opcode = opcode, .invalidate = invalidate}, payload_bytes).ok());
    }

    SendReassembly reassembly;
};

TEST_F(SendReassemblyTest, PlacesAMessageOfOneSegment) {
    const auto placed = accept({}, 7);
    ASSERT_TRUE(placed.ok());
    EXPECT_EQ(placed.value().message_offset, 0u);
    EXPECT_TRUE(placed.value().first && placed.value().last);
    EXPECT_EQ(placed.value().message_bytes, 7u);
    EXPECT_FALSE(reassembly.open());
}

TEST_F(SendReassemblyTest, PlacesSegmentsOneBehindTheOther) {
    begin(40);
    EXPECT_TRUE(reassembly.open());
    const auto second = accept({.offset = 40, .last = false}, 60, std::nullopt);
    ASSERT_TRUE(second.ok()) << "no second receive is taken";
    EXPECT_FALSE(second.value().first || second.value().last);
    EXPECT_EQ(second.value().message_offset, 40u);
    const auto third = accept({.offset = 100}, 0, std::nullopt);
    ASSERT_TRUE(third.ok());
    EXPECT_EQ(third.value().message_bytes, 100u);
    EXPECT_TRUE(third.value().last);
    EXPECT_TRUE(accept({.msn = 2}, 1).ok());
}

TEST_F(SendReassemblyTest, TakesAnEmptyMessageIntoAnEmptyReceive) {
    proves("IW-NEG-80");
    EXPECT_EQ(accept({}, 0, 0).value().message_bytes, 0u);
}

TEST_F(SendReassemblyTest, RefusesAnyOtherSequenceNumber) {
    proves("IW-DDP-15", "IW-NEG-70", "IW-NEG-120");
    for (const std::uint32_t msn : {0u, 2u, 0x80000001u}) EXPECT_EQ(refused({.msn = msn}, 1), term(1, 2, 3)) << msn;
    ASSERT_TRUE(accept({}, 1).ok());
    EXPECT_EQ(refused({.msn = 1}, 1), term(1, 2, 3)) << "repeated";
}

TEST_F(SendReassemblyTest, CountsSequenceNumbersPastTheirEnd) {
    proves("IW-NEG-71");
    reassembly = SendReassembly(0xffffffff);
    for (const std::uint32_t msn : {0xffffffffu, 0u, 1u}) EXPECT_TRUE(accept({.msn = msn}, 1).ok()) << msn;
}

TEST_F(SendReassemblyTest, RefusesAMessageWithoutReceiveUntilOneIsPosted) {
    proves("IW-NEG-72");
    EXPECT_EQ(refused({}, 1, std::nullopt), term(1, 2, 2));
    EXPECT_FALSE(reassembly.open());
    EXPECT_TRUE(accept({}, 1, 1).ok());
}

TEST_F(SendReassemblyTest, RefusesWhatTheReceiveDoesNotHold) {
    proves("IW-NEG-73", "IW-NEG-74");
    EXPECT_EQ(refused({}, 101), term(1, 2, 5));
    begin(100);
    EXPECT_EQ(refused({.offset = 100}, 1), term(1, 2, 5));
}

TEST_F(SendReassemblyTest, RefusesAnOffsetThatIsNotTheNext) {
    proves("IW-NEG-75", "IW-NEG-76", "IW-NEG-77");
    EXPECT_EQ(refused({.offset = 4}, 1), term(1, 2, 4));
    EXPECT_EQ(refused({.offset = 0xfffffff0}, 32), term(1, 2, 4)) << "nothing wraps";
    begin(40);
    for (const std::uint32_t offset : {0u, 39u, 41u, 0xffffffffu})
        EXPECT_EQ(refused({.offset = offset}, 1), term(1, 2, 4)) << offset;
}

TEST_F(SendReassemblyTest, RefusesASecondMessageWithinTheFirst) {
    proves("IW-NEG-78");
    begin(40);
    EXPECT_EQ(refused({.msn = 2}, 1), term(1, 2, 3));
}

TEST_F(SendReassemblyTest, RefusesAMessageThatChanges) {
    proves("IW-NEG-79");
    begin(40, Opcode::send_invalidate, Stag{5});
    EXPECT_EQ(refused({.offset = 40, .opcode = Opcode::send, .invalidate = Stag{5}}, 1), term(0, 2, 6));
    EXPECT_EQ(refused({.offset = 40, .opcode = Opcode::send_invalidate, .invalidate = Stag{6}}, 1), term(0, 2, 6));
    EXPECT_TRUE(accept({.offset = 40, .opcode = Opcode::send_invalidate, .invalidate = Stag{5}}, 1).ok());
}

TEST_F(SendReassemblyTest, DoesNotLookAtAnInvalidateStagWithoutMeaning) {
    begin(40, Opcode::send, Stag{5});
    EXPECT_TRUE(accept({.offset = 40, .invalidate = Stag{6}}, 1).ok());
}

TEST_F(SendReassemblyTest, RefusesEmptySegmentsWithoutEnd) {
    proves("IW-NEG-81");
    for (std::uint32_t i = 0; i < SendReassembly::kMaxEmptySegments; ++i) ASSERT_TRUE(accept({.last = false}, 0).ok());
    EXPECT_EQ(refused({.last = false}, 0), term(0, 2, 7));
    EXPECT_TRUE(accept({.last = false}, 1).ok()) << "the count is of those in a row";
    EXPECT_TRUE(accept({.offset = 1, .last = false}, 0).ok());
    EXPECT_TRUE(accept({.offset = 1}, 0).ok());
}

TEST_F(SendReassemblyTest, ChecksInTheOrderOfTheSpecification) {
    EXPECT_EQ(refused({.msn = 2, .offset = 1}, 200, std::nullopt), term(1, 2, 3));
    EXPECT_EQ(refused({.offset = 1}, 200, std::nullopt), term(1, 2, 2));
    EXPECT_EQ(refused({.offset = 1}, 200), term(1, 2, 4));
    begin(40);
    EXPECT_EQ(refused({.offset = 40, .opcode = Opcode::send_solicited}, 61), term(1, 2, 5));
}

}  // namespace
}  // namespace opennd::iwarp
