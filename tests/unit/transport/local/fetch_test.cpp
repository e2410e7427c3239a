// SPDX-License-Identifier: MIT
// Messages that the receiver fetches out of memory it maps: at once, when the segment comes, or never if it cannot be.
#include <vector>

#include <gtest/gtest.h>

#include "ring_receiver.h"

namespace opennd::local {
namespace {

class FetchTest : public RingReceiver {};

TEST_F(FetchTest, WaitsForASegmentThatIsNotMappedYet) {
    post_receive();
    offer(kSegmentBytes - kMessageBytes);
    EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(asked_for_, kSegment);
    EXPECT_EQ(refusal(), Status::success);
    give_segment();
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
    EXPECT_EQ(completion_.length_bytes, kMessageBytes);
    EXPECT_EQ(received_, std::vector<std::byte>(kMessageBytes, std::byte{0x5a}));
}

TEST_F(FetchTest, TakenBackWhileItWaitsIsPassedOverAndLeavesTheReceiveToTheNext) {
    post_receive();
    offer(0);
    EXPECT_EQ(poll(), 0u);
    sender_->hide_unconsumed();
    give_segment();
    EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(received_, std::vector<std::byte>(kMessageBytes));
    sender_->show_unconsumed();
    EXPECT_EQ(poll(), 0u);
    offer(0);
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
    EXPECT_EQ(refusal(), Status::success);
}

TEST_F(FetchTest, OutsideItsSegmentIsRefusedAtOnce) {
    give_segment();
    post_receive();
    offer(kSegmentBytes - kMessageBytes + 1);
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::canceled);  // the receive: no message came for it
    EXPECT_EQ(refusal(), Status::access_violation);
    EXPECT_EQ(received_, std::vector<std::byte>(kMessageBytes));
}

TEST_F(FetchTest, OutsideASegmentThatComesIsRefusedThen) {
    post_receive();
    offer(kSegmentBytes);
    EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(refusal(), Status::success);
    give_segment();
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(refusal(), Status::access_violation);
}

TEST_F(FetchTest, AReadIsCompleteWithItsLastOctet) {
    post_read(16);
    answer(kFirst, 8);
    EXPECT_EQ(poll(), 0u);
    answer(kLast, 8);
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
}

TEST_F(FetchTest, AReadOfWhichTooLittleComesFails) {
    post_read(16);
    answer(kFirst | kLast, 8);
    ASSERT_EQ(poll(), 1u);
    EXPECT_NE(completion_.status, Status::success);
    EXPECT_TRUE(channel_->broken());
}

}  // namespace
}  // namespace opennd::local
