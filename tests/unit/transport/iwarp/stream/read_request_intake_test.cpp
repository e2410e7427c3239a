// SPDX-License-Identifier: MIT
// Read Requests up to the depth agreed on, and the faults of others.
#include "transport/iwarp/stream/read_request_intake.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

class ReadRequestIntakeTest : public testing::Test {
protected:
    static Octets request(std::uint32_t msn, std::uint32_t size) {
        return copy(ReadRequest{Stag{1}, 2, size, Stag{3}, 4}.message(msn));
    }
    Checked<ReadRequest> accept(const Octets& ulpdu) { return intake.accept(segment_of(ulpdu)); }
    TerminateCause refused(const Octets& ulpdu) { return cause_of(accept(ulpdu)); }

    ReadRequestIntake intake{2};
};

TEST_F(ReadRequestIntakeTest, TakesTheGoldenRequest) {
    const auto taken = accept(ulpdu_of(vectors::kReadRequest));
    ASSERT_TRUE(taken.ok());
    EXPECT_EQ(taken.value().size, 4u);
    EXPECT_EQ(intake.open(), 1u);
}

TEST_F(ReadRequestIntakeTest, TakesAsManyAsWereAgreedOn) {
    proves("IW-RDMAP-26", "IW-NEG-91");
    EXPECT_TRUE(accept(request(1, 8)).ok() && accept(request(2, 8)).ok());
    EXPECT_EQ(refused(request(3, 8)), term(1, 2, 2));
    intake.answered();
    EXPECT_TRUE(accept(request(3, 8)).ok());
}

TEST_F(ReadRequestIntakeTest, KeepsOneSlotForARequestOfSizeZero) {
    proves("IW-CM-26", "IW-NEG-92");
    intake = ReadRequestIntake(0);
    EXPECT_EQ(refused(request(1, 8)), term(1, 2, 2));
    EXPECT_TRUE(accept(ulpdu_of(vectors::kRtrRead)).ok());
    EXPECT_EQ(refused(request(2, 0)), term(1, 2, 2)) << "one, not any number";
    intake.answered();
    EXPECT_TRUE(accept(request(2, 0)).ok());
}

TEST_F(ReadRequestIntakeTest, DoesNotCountTheSpareSlotAgainstTheOthers) {
    ASSERT_TRUE(accept(request(1, 8)).ok() && accept(request(2, 0)).ok() && accept(request(3, 8)).ok());
    EXPECT_EQ(refused(request(4, 8)), term(1, 2, 2));
    intake.answered();
    ASSERT_TRUE(accept(request(4, 8)).ok());
    EXPECT_EQ(refused(request(5, 0)), term(1, 2, 2)) << "the spare slot is in use yet";
    intake.answered();
    EXPECT_TRUE(accept(request(5, 0)).ok());
}

TEST_F(ReadRequestIntakeTest, RefusesAnyOtherSequenceNumber) {
    proves("IW-NEG-96");
    EXPECT_EQ(refused(request(0, 8)), term(1, 2, 3));
    EXPECT_EQ(refused(request(2, 8)), term(1, 2, 3));
    ASSERT_TRUE(accept(request(1, 8)).ok());
    EXPECT_EQ(refused(request(1, 8)), term(1, 2, 3));
}

TEST_F(ReadRequestIntakeTest, CountsSequenceNumbersPastTheirEnd) {
    intake = ReadRequestIntake(2, 0xffffffff);
    EXPECT_TRUE(accept(request(0xffffffff, 8)).ok() && accept(request(0, 8)).ok());
    EXPECT_EQ(intake.open(), 2u);
}

TEST_F(ReadRequestIntakeTest, RefusesOneThatIsCutTooLongOrUnfinished) {
    proves("IW-NEG-93", "IW-NEG-94", "IW-NEG-95");
    Octets ulpdu = request(1, 8);
    ulpdu.resize(45);
    EXPECT_EQ(refused(ulpdu), term(0, 2, 7));
    ulpdu.resize(18);
    EXPECT_EQ(refused(ulpdu), term(0, 2, 7));
    ulpdu = request(1, 8);
    ulpdu.resize(47);
    EXPECT_EQ(refused(ulpdu), term(1, 2, 5));
    ulpdu = request(1, 8);
    ulpdu[0] &= ~std::byte{0x40};
    EXPECT_EQ(refused(ulpdu), term(0, 2, 7));
    ulpdu = request(1, 8);
    ulpdu[17] = std::byte{4};
    EXPECT_EQ(refused(ulpdu), term(1, 2, 4));
}

}  // namespace
}  // namespace opennd::iwarp
