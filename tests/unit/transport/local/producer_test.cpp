// SPDX-License-Identifier: MIT
// The producer believes its peer's counters only as far as they can be, and does not look at the rest again and again.
#include "transport/local/producer.h"

#include <gtest/gtest.h>

#include <memory>

namespace opennd::local {
namespace {

class ProducerTest : public testing::Test {
protected:
    // One frame is on its way.
    void SetUp() override {
        ASSERT_NE(producer.reserve(8), nullptr);
        number = producer.publish({FrameKind::send, kFirst | kLast, 8}, 0);
    }

    const std::unique_ptr<Lane> lane = std::make_unique<Lane>();
    Producer producer{*lane};
    std::uint32_t number = 0;
};

TEST_F(ProducerTest, HearsOfWhatWasConsumedOnce) {
    EXPECT_FALSE(producer.has_news());
    lane->counters.consumed.store(1);
    EXPECT_TRUE(producer.has_news());
    producer.refresh();
    EXPECT_TRUE(producer.consumed(number));
    EXPECT_FALSE(producer.has_news());
}

TEST_F(ProducerTest, ACountOfFramesNeverSentIsNoNews) {
    for (const std::uint32_t impossible : {2u, 500u, 0x80000000u, 0xffffffffu}) {
        lane->counters.consumed.store(impossible);
        EXPECT_FALSE(producer.has_news()) << impossible;
        producer.refresh();
        EXPECT_FALSE(producer.consumed(number)) << impossible;
    }
}

TEST_F(ProducerTest, ARefusalOfAFrameNeverSentIsNoNews) {
    std::uint32_t refused = 0, reason = 0;
    lane->counters.refused.store(number + 2);
    EXPECT_FALSE(producer.has_news());
    producer.refresh();
    EXPECT_FALSE(producer.refusal(refused, reason));
    lane->counters.refused.store(number + 1);
    EXPECT_TRUE(producer.has_news());
    producer.refresh();
    EXPECT_TRUE(producer.refusal(refused, reason));
    EXPECT_EQ(refused, number);
    EXPECT_FALSE(producer.has_news());
}

// Payloads too long for a frame lie in a stretch that is used again once the peer has read it, and not before.
TEST_F(ProducerTest, StagesNothingOverWhatThePeerHasNotRead) {
    constexpr std::uint32_t kBytes = kStagingBytes / 4;
    static_assert(kBytes > sizeof Frame::payload);
    std::uint32_t frames = 0;
    while (producer.reserve(kBytes) != nullptr) {
        number = producer.publish({FrameKind::send, kFirst | kLast, kBytes, kBytes}, 0);
        ASSERT_LE(++frames, 4u) << "more than there is room for";
    }
    EXPECT_GE(frames, 3u);
    lane->counters.consumed.store(2);  // the one of SetUp, and the oldest of these
    EXPECT_NE(producer.reserve(kBytes), nullptr);
}

}  // namespace
}  // namespace opennd::local
