// SPDX-License-Identifier: MIT
// Chunks are shared by the connections of a link: none starves another, few are the same few, and the memory of many goes back.
#include "transport/local/arena/chunk_pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/kernel_limits.h"
#include "transport/local/arena/chunks_in_flight.h"

namespace opennd::local {
namespace {

constexpr std::size_t kLarge = kChunkKinds.size() - 1;

// One for a connection that has `held` of the kind.
std::optional<std::uint32_t> take_one(ChunkPool& pool, std::size_t kind, std::size_t held) {
    ChunkPool::Counts counts{};
    counts[kind] = static_cast<std::uint16_t>(held);
    std::uint16_t chunk = 0;
    if (pool.take(kind, counts, {&chunk, 1}) == 0) return std::nullopt;
    return chunk;
}
void give_one(ChunkPool& pool, std::uint32_t chunk, std::size_t held) {
    ChunkPool::Counts counts{};
    counts[Chunks::kind_of(chunk)] = static_cast<std::uint16_t>(held);
    const auto number = static_cast<std::uint16_t>(chunk);
    pool.give({&number, 1}, counts);
}

class ChunkPoolTest : public testing::Test {
protected:
    // As one connection takes as many as it can.
    std::vector<std::uint32_t> take_all(std::size_t kind) {
        std::vector<std::uint32_t> taken;
        while (const auto chunk = take_one(*pool_, kind, taken.size())) taken.push_back(*chunk);
        return taken;
    }
    void give_all(std::vector<std::uint32_t>& taken) {
        for (; !taken.empty(); taken.pop_back()) give_one(*pool_, taken.back(), taken.size());
    }
    bool has_memory(std::uint32_t chunk) const {
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        auto* const address = reinterpret_cast<std::byte*>(
            (reinterpret_cast<std::uintptr_t>(pool_->memory(chunk)) + page - 1) / page * page);
        unsigned char resident = 0;
        EXPECT_EQ(::mincore(address, 1, &resident), 0);
        return (resident & 1) != 0;
    }

    const Ref<Arena> arena_ = Arena::create().take();
    const Ref<ChunkPool> pool_ = make_ref<ChunkPool>(nullptr, arena_, 0);
};

TEST_F(ChunkPoolTest, GivesTheSmallestChunkThatHoldsThePayload) {
    for (std::size_t kind = 0; kind < kChunkKinds.size(); ++kind) {
        EXPECT_EQ(ChunkPool::kind_for(kChunkKinds[kind].payload), kind);
        EXPECT_EQ(ChunkPool::kind_for(kind > 0 ? kChunkKinds[kind - 1].payload + 1 : 1), kind);
    }
}

TEST_F(ChunkPoolTest, GivesNoChunkTwice) {
    std::set<const std::byte*> begins;
    for (std::size_t kind = 0; kind < kChunkKinds.size(); ++kind)
        for (const std::uint32_t chunk : take_all(kind)) {
            const std::byte* const begin = pool_->memory(chunk);
            EXPECT_TRUE(begins.insert(begin).second);
            if (begin != *begins.begin()) {
                EXPECT_GE(begin - *std::prev(begins.find(begin)), kChunkKinds[kind].payload);
            }
        }
}

// Connections whose peers do not consume hold their chunks for ever; any number of them may.
TEST_F(ChunkPoolTest, HasOneForEachConnectionWhateverTheOthersHold) {
    for (std::size_t kind = 0; kind < kChunkKinds.size(); ++kind) {
        for (std::uint32_t connection = 0; connection < kConnections - 1; ++connection) (void)take_all(kind);
        EXPECT_TRUE(take_one(*pool_, kind, 0)) << kind;
    }
}

TEST_F(ChunkPoolTest, GivesEachOfManyTheSameShare) {
    const std::size_t alone = take_all(kLarge).size();
    EXPECT_GE(alone, std::size_t{kFrames}) << "one connection can have its lane full";
    EXPECT_LE(alone, kChunkKinds[kLarge].shared / 2 + 1);
    std::size_t last = 0;
    for (int connection = 0; connection < 3; ++connection) last = take_all(kLarge).size();
    EXPECT_GT(last, 1u) << "those that came first left nothing";
}

TEST_F(ChunkPoolTest, SharesAgainWhatCameBack) {
    auto first = take_all(kLarge);
    const std::size_t alone = first.size();
    give_all(first);
    EXPECT_EQ(take_all(kLarge).size(), alone);
}

// The one that was used longest ago is out of the caches of both sides.
TEST_F(ChunkPoolTest, TakesChunksInTurns) {
    std::set<std::uint32_t> taken;
    for (std::uint32_t turn = 0; turn < kChunkKinds[kLarge].kept; ++turn) {
        const auto chunk = take_one(*pool_, kLarge, 0);
        EXPECT_TRUE(taken.insert(*chunk).second) << "turn " << turn;
        give_one(*pool_, *chunk, 1);
    }
    const auto again = take_one(*pool_, kLarge, 0);
    EXPECT_EQ(taken.count(*again), 1u);
}

TEST_F(ChunkPoolTest, TakesNoFurtherOnesWhileOneIsFree) {
    std::vector<std::uint32_t> held;
    for (std::uint32_t turn = 0; turn + 1 < kChunkKinds[kLarge].kept; ++turn)
        held.push_back(*take_one(*pool_, kLarge, 0));
    for (std::uint32_t turn = 0; turn < 10; ++turn) {
        const auto chunk = take_one(*pool_, kLarge, 0);
        EXPECT_LT(*chunk - chunk_origin(kLarge).number, kChunkKinds[kLarge].kept);
        give_one(*pool_, *chunk, 1);
    }
}

TEST_F(ChunkPoolTest, ReturnsTheMemoryOfManyThatAreNotUsedAnyMore) {
    if (const std::string reason = support::keeps_removed_pages(); !reason.empty()) GTEST_SKIP() << reason;
    std::vector<std::vector<std::uint32_t>> connections;
    for (int connection = 0; connection < 8; ++connection) connections.push_back(take_all(kLarge));
    std::uint32_t highest = 0, lowest = UINT32_MAX;
    for (const auto& chunks : connections)
        for (const std::uint32_t chunk : chunks) {
            *pool_->memory(chunk) = std::byte{1};
            std::fill_n(pool_->memory(chunk), kMostPayload, std::byte{1});
            highest = std::max(highest, chunk);
            lowest = std::min(lowest, chunk);
        }
    ASSERT_GT(highest - lowest, kChunkKinds[kLarge].kept);
    for (auto& chunks : connections) give_all(chunks);
    EXPECT_TRUE(pool_->return_memory());
    EXPECT_TRUE(has_memory(highest)) << "it was used since the look before";
    while (pool_->return_memory()) continue;
    EXPECT_FALSE(has_memory(highest));
    EXPECT_TRUE(has_memory(lowest)) << "it has turns";
    EXPECT_TRUE(take_one(*pool_, kLarge, 0));
}

TEST_F(ChunkPoolTest, SharesAsBeforeOnceItsMemoryWentBack) {
    std::vector<std::uint32_t> first = take_all(kLarge);
    const std::size_t alone = first.size();
    std::vector<std::uint32_t> second = take_all(kLarge);
    give_all(second);
    give_all(first);
    while (pool_->return_memory()) continue;
    EXPECT_EQ(take_all(kLarge).size(), alone);
    for (std::uint32_t connection = 1; connection < kConnections - 1; ++connection) (void)take_all(kLarge);
    EXPECT_TRUE(take_one(*pool_, kLarge, 0)) << "one is for each";
}

TEST_F(ChunkPoolTest, LeavesTheMemoryOfThoseThatAreTaken) {
    std::vector<std::vector<std::uint32_t>> connections;
    for (int connection = 0; connection < 8; ++connection) connections.push_back(take_all(kLarge));
    std::uint32_t highest = 0;
    for (const auto& chunks : connections) highest = std::max(highest, *std::max_element(chunks.begin(), chunks.end()));
    *pool_->memory(highest) = std::byte{7};
    for (auto& chunks : connections) {
        if (chunks.back() == highest) chunks.pop_back();
        give_all(chunks);
    }
    for (int look = 0; look < 3; ++look) (void)pool_->return_memory();
    EXPECT_EQ(*pool_->memory(highest), std::byte{7});
}

TEST_F(ChunkPoolTest, HasBackWhatAProducerLeft) {
    const std::size_t before = take_all(kLarge).size();
    {
        const Ref<ChunkPool> pool = make_ref<ChunkPool>(nullptr, arena_, 0);
        auto left = std::make_unique<ChunksInFlight>(pool);
        for (std::uint32_t frame = 0; frame < 5; ++frame) {
            ASSERT_NE(left->reserve(kMostPayload), nullptr);
            (void)left->keep(frame, false);
        }
        ASSERT_NE(left->reserve(4096), nullptr);
        left = nullptr;
        std::uint32_t held = 0;
        while (take_one(*pool, kLarge, held)) ++held;
        EXPECT_EQ(held, before);
    }
}

// ---- some at a time

// As a program sends a message after the other, and the peer consumes each at once.
class Stream {
public:
    explicit Stream(Ref<ChunkPool> pool) : chunks_(std::move(pool)) {}
    // Returns the chunk of the next frame, which is consumed before the one after it.
    std::uint16_t send() {
        chunks_.return_many(next_);
        EXPECT_NE(chunks_.reserve(kMostPayload), nullptr);
        return chunks_.keep(next_++, false);
    }
    ChunksInFlight& chunks() { return chunks_; }
    std::uint32_t next() const { return next_; }

private:
    ChunksInFlight chunks_;
    std::uint32_t next_ = 0;
};

// The chunks of the largest kind that connections have beyond their first one.
std::size_t shared_in_use(ChunkPool& pool) {
    std::size_t free = 0;
    while (take_one(pool, kLarge, 1)) ++free;
    return kChunkKinds[kLarge].shared - free;
}

TEST_F(ChunkPoolTest, ComesOutOfTurnForNoFrameThoughSomeAreTakenAtATime) {
    Stream stream(pool_);
    for (std::uint32_t turn = 0; turn < 3 * kChunkKinds[kLarge].kept; ++turn)
        EXPECT_EQ(stream.send() - chunk_origin(kLarge).number, turn % kChunkKinds[kLarge].kept);
}

TEST_F(ChunkPoolTest, AConnectionKeepsFewWhoseFramesAreConsumed) {
    Stream stream(pool_);
    for (int frame = 0; frame < 1000; ++frame) stream.send();
    EXPECT_LT(shared_in_use(*pool_), std::size_t{2} * ChunksInFlight::kAtOnce);
}

TEST_F(ChunkPoolTest, WhatConnectionsKeepForFramesToComeMakesNoneShort) {
    std::vector<std::unique_ptr<Stream>> idle;
    for (std::uint32_t connection = 0; connection < kChunkKinds[kLarge].kept / 2; ++connection) {
        idle.push_back(std::make_unique<Stream>(pool_));
        idle.back()->send();
    }
    EXPECT_FALSE(pool_->has_plenty());
    for (const auto& each : idle) each->chunks().return_consumed(each->next());
    EXPECT_FALSE(pool_->is_short()) << "no frame is on its way";
}

// Without the connections that hold them doing anything.
TEST_F(ChunkPoolTest, WhatConnectionsKeepLeavesEachOtherOneAndItsShare) {
    std::vector<std::unique_ptr<Stream>> idle;
    for (std::uint32_t connection = 0; connection < kConnections - 1; ++connection) {
        idle.push_back(std::make_unique<Stream>(pool_));
        idle.back()->send();
    }
    EXPECT_GE(take_all(kLarge).size(), std::size_t{kChunkKinds[kLarge].shared} / 2 - kChunkKinds[kLarge].kept / 4);
}

TEST_F(ChunkPoolTest, WhatAConnectionKeepsComesBackWhenItIsToGiveBack) {
    Stream stream(pool_);
    stream.send();
    stream.chunks().return_consumed(stream.next());
    stream.chunks().return_unused();
    EXPECT_EQ(shared_in_use(*pool_), 0u);
}

TEST(Chunks, AreFoundByNumbersThatThereAreAndForPayloadThatFits) {
    const Ref<Arena> arena = Arena::create().take();
    Chunks& chunks = arena->chunks(1);
    const std::byte* const end = chunks.memory + sizeof chunks.memory;
    for (std::uint32_t number = 0; number <= UINT16_MAX; ++number) {
        if (number >= kChunks) {
            ASSERT_EQ(chunks.find(number, 1), nullptr);
            continue;
        }
        const std::uint32_t payload = kChunkKinds[Chunks::kind_of(number)].payload;
        const std::byte* const chunk = chunks.find(number, payload);
        ASSERT_TRUE(chunk >= chunks.memory && chunk + payload <= end) << number;
        ASSERT_EQ(chunks.find(number, payload + 1), nullptr);
    }
}

}  // namespace
}  // namespace opennd::local
