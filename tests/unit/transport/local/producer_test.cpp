// SPDX-License-Identifier: MIT
// The producer believes its peer's counters only as far as they can be, and does not look at the rest again and again.
#include "transport/local/producer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include "transport/local/consumer.h"

namespace opennd::local {
namespace {

class ProducerTest : public testing::Test {
protected:
    // One frame is on its way.
    void SetUp() override {
        ASSERT_NE(producer.reserve(8), nullptr);
        number = producer.publish({FrameKind::send, kFirst | kLast, 8}, 0);
    }

    const Ref<Arena> arena = Arena::create().take();
    const Ref<LinkMemory> memory = make_ref<LinkMemory>(nullptr, arena, 0);
    Lane* const lane = &arena->segment(0).lanes[0];
    Producer producer{*lane, *memory, 0};
    Consumer consumer{*lane, *make_ref<LinkMemory>(nullptr, arena, 1), 0};
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

TEST_F(ProducerTest, LooksWhetherAllIsConsumed) {
    EXPECT_FALSE(producer.all_consumed());
    lane->counters.consumed.store(1);
    EXPECT_FALSE(producer.all_known_consumed()) << "it has not looked";
    EXPECT_TRUE(producer.all_consumed());
    EXPECT_TRUE(producer.all_known_consumed());
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

// Payload too long for a frame lies in a chunk, which serves again once the peer has read it, and not before.
TEST_F(ProducerTest, HasAChunkOfItsOwnForEachLongFrameOnItsWay) {
    std::set<const std::byte*> chunks_in_use;
    while (std::byte* const chunk = producer.reserve(kMostPayload)) {
        ASSERT_LT(chunks_in_use.size(), kFrames) << "more than a lane has";
        EXPECT_TRUE(chunks_in_use.insert(chunk).second);
        number = producer.publish({FrameKind::send, kFirst | kLast, kMostPayload, kMostPayload}, 0);
    }
    EXPECT_GT(chunks_in_use.size(), kFrames / 2);
    lane->counters.consumed.store(2);  // the one of SetUp, and the oldest of these
    EXPECT_NE(producer.reserve(kMostPayload), nullptr);
}

TEST_F(ProducerTest, UsesNoMoreThanTheChunksThatHaveTurnsForAPeerThatKeepsUp) {
    std::set<const std::byte*> chunks_in_use;
    for (int message = 0; message < 5000; ++message) {
        chunks_in_use.insert(producer.reserve(4096));
        number = producer.publish({FrameKind::send, kFirst | kLast, 4096, 4096}, 0);
        producer.acknowledge(number + 1);
    }
    EXPECT_EQ(chunks_in_use.size(), kChunkKinds[ChunkPool::kind_for(4096)].kept);
}

TEST_F(ProducerTest, ReturnsTheChunksOfFramesThatItTookBackButForAnswers) {
    const std::byte* const answer = producer.reserve(4096);
    (void)producer.publish({FrameKind::read_reply, kFirst | kLast, 4096, 4096}, 0);
    const std::byte* const taken_back = producer.reserve(4096);
    (void)producer.publish({FrameKind::send, kFirst | kLast, 4096, 4096}, 0);
    producer.hide_unconsumed();
    producer.show_unconsumed();
    bool is_free = false, answer_is_free = false;
    for (std::uint32_t chunk = 0; chunk < kChunks; ++chunk) {
        ChunkPool::Counts none{};
        std::uint16_t taken = 0;
        ASSERT_EQ(memory->chunk_pool()->take(ChunkPool::kind_for(4096), none, {&taken, 1}), 1u);
        is_free = is_free || memory->chunk_pool()->memory(taken) == taken_back;
        answer_is_free = answer_is_free || memory->chunk_pool()->memory(taken) == answer;
        memory->chunk_pool()->give({&taken, 1}, none);
    }
    EXPECT_TRUE(is_free);
    EXPECT_FALSE(answer_is_free);
}

// A lane grows while frames are on their way; each is found where the one before the last named it, in order and whole.
TEST_F(ProducerTest, HasItsFramesFoundInOrderAsTheLaneGrowsAndShrinks) {
    std::uint32_t made = 1, taken = 0;
    for (int burst = 0; burst < 200; ++burst) {
        const auto most = static_cast<std::uint32_t>(burst * 7 % 80);
        for (std::uint32_t frame = 0; frame < most; ++frame) {
            std::byte* const payload = producer.reserve(sizeof made);
            if (!payload) break;
            std::memcpy(payload, &made, sizeof made);
            ++made;
            (void)producer.publish({FrameKind::send, kFirst | kLast, sizeof made, sizeof made}, 0);
        }
        Consumer::Header header;
        for (const std::uint32_t until = burst % 3 == 0 ? made : taken + most / 2; taken < until; ++taken) {
            if (!consumer.peek(header)) break;
            if (taken > 0) {
                std::uint32_t content = 0;
                std::memcpy(&content, header.payload, sizeof content);
                ASSERT_EQ(content, taken) << "in burst " << burst;
            }
            consumer.advance(header);
        }
        consumer.publish();
        producer.refresh();
        ASSERT_EQ(producer.consumed(taken), false);
        if (producer.can_give_back()) producer.give_back();
    }
    EXPECT_GT(made, 3000u);
}

TEST_F(ProducerTest, HasRoomForManyFramesThatThePeerHasNotConsumed) {
    std::uint32_t frames = 1;
    for (; producer.reserve(8) != nullptr; ++frames) (void)producer.publish({FrameKind::send, kFirst | kLast, 8, 8}, 0);
    EXPECT_EQ(frames, kFrames - 2);
    lane->counters.consumed.store(1);
    EXPECT_NE(producer.reserve(8), nullptr);
    (void)producer.publish({FrameKind::send, kFirst | kLast, 8, 8}, 0);
    EXPECT_EQ(producer.reserve(8), nullptr);
}

// Frames of one connection never show on another's lane, whatever slots they had.
TEST_F(ProducerTest, FindsNothingOfAnotherConnectionInASlotThatItHasAfterIt) {
    Lane& other_lane = arena->segment(1).lanes[0];
    auto other = std::make_unique<Producer>(other_lane, *memory, 1);
    while (other->reserve(8)) (void)other->publish({FrameKind::send, kFirst | kLast, 8, 8}, 0);
    other = nullptr;
    Consumer::Header header;
    ASSERT_TRUE(consumer.peek(header));
    consumer.advance(header);
    for (std::uint32_t frame = 0; frame < 40; ++frame) {
        EXPECT_FALSE(consumer.peek(header)) << frame;
        for (int at_once = 0; at_once < 8; ++at_once) {
            ASSERT_NE(producer.reserve(8), nullptr);
            (void)producer.publish({FrameKind::send, kFirst | kLast, 8, 8}, 0);
        }
        for (int at_once = 0; at_once < 8; ++at_once) {
            ASSERT_TRUE(consumer.peek(header));
            consumer.advance(header);
        }
        consumer.publish();
        producer.refresh();
    }
}

// Slots of many connections without frames on their way serve those that have some.
TEST_F(ProducerTest, LeavesTheSlotsOfIdleConnectionsToOthers) {
    std::vector<std::unique_ptr<Producer>> others;
    for (std::uint32_t connection = 1; connection < kConnections; ++connection) {
        Lane& its_lane = arena->segment(connection).lanes[0];
        Producer& other = *others.emplace_back(std::make_unique<Producer>(its_lane, *memory, connection));
        std::uint32_t frames = 0;
        for (; other.reserve(8) != nullptr; ++frames) (void)other.publish({FrameKind::send, kFirst | kLast, 8, 8}, 0);
        ASSERT_EQ(frames, kFrames - 2) << "of connection " << connection;
        its_lane.counters.consumed.store(frames);
        other.refresh();
        if (other.can_give_back()) other.give_back();
        EXPECT_FALSE(other.can_give_back());
    }
}

// Where all have frames on their way that nobody consumes, each has room.
TEST_F(ProducerTest, LeavesRoomToEachOfManyThatAreFull) {
    std::vector<std::unique_ptr<Producer>> others;
    for (std::uint32_t connection = 1; connection < kConnections; ++connection) {
        Producer& other =
            *others.emplace_back(std::make_unique<Producer>(arena->segment(connection).lanes[0], *memory, connection));
        std::uint32_t frames = 0;
        for (; other.reserve(8) != nullptr; ++frames) (void)other.publish({FrameKind::send, kFirst | kLast, 8, 8}, 0);
        ASSERT_GE(frames, kHomeSlots - 2) << "of connection " << connection;
    }
}

}  // namespace
}  // namespace opennd::local
