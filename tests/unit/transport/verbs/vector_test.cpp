// SPDX-License-Identifier: MIT
// The interrupt vectors of completion queues, and the interrupts that a device holds back.
#include <utility>
#include <vector>

#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

class VectorTest : public DataPathTest {
protected:
    // The vectors of `count` queues whose program wants events at these processors.
    std::vector<int> vectors_of(const ProcessorGroup& wanted, std::size_t count) {
        const std::size_t before = fake_.counts().vectors.size();  // the trial of the limits
        CountingSink sink;
        sink.wanted = wanted;
        std::vector<Ref<TransportCompletionQueue>> queues;
        for (std::size_t i = 0; i < count; ++i)
            queues.push_back(adapter_->create_completion_queue(8, NotifyRule::level, sink).take());
        for (const auto& queue : queues) queue->close();
        const std::vector<int> vectors = fake_.counts().vectors;
        return {vectors.begin() + static_cast<std::ptrdiff_t>(before), vectors.end()};
    }
};

TEST_F(VectorTest, AreTakenInTurns) {
    std::vector<int> vectors = vectors_of({}, 6);
    EXPECT_EQ(vectors, (std::vector<int>{0, 1, 2, 3, 0, 1}));
}

// The device has 4 vectors.
TEST_F(VectorTest, AreThoseOfTheProcessorsThatTheProgramNames) {  // ND2-ADP-CQ-02, NDK-GEN-23
    EXPECT_EQ(vectors_of({0, 1 << 2}, 2), (std::vector<int>{2, 2}));
    EXPECT_EQ(vectors_of({0, 1 << 1 | 1 << 3}, 4), (std::vector<int>{1, 3, 1, 3}));
    EXPECT_EQ(vectors_of({1, 1 << 5}, 1), (std::vector<int>{1})) << "processor 69, of 4 vectors";
    EXPECT_EQ(vectors_of({0, std::uint64_t{1} << 63}, 1), (std::vector<int>{3}));
}

class ModerationTest : public VectorTest {
protected:
    using Asked = std::vector<std::pair<int, int>>;  // microseconds and results
    Asked asked() const {
        Asked all;
        for (const ibv_moderate_cq& each : fake_.counts().moderations) all.emplace_back(each.cq_period, each.cq_count);
        return all;
    }
};

TEST_F(ModerationTest, IsLeftToTheCallerWhereTheDeviceHasNone) {
    EXPECT_FALSE(can_.traits.moderates_interrupts);
    make(here_);
    EXPECT_FALSE(here_.queue->moderate(std::chrono::microseconds(20), 8));
    EXPECT_EQ(asked(), Asked{});
}

TEST_F(ModerationTest, IsTheDevicesAsFarAsItCounts) {  // NDK-CQ-MOD-01, -03
    fake_.moderates = true;
    EXPECT_TRUE(find_limits(*device_).value().traits.moderates_interrupts);
    make(here_);
    const std::size_t trial = asked().size();
    EXPECT_TRUE(here_.queue->moderate(std::chrono::microseconds(20), 8));
    EXPECT_TRUE(here_.queue->moderate(std::chrono::seconds(10), 0xFFFFFFFF));
    EXPECT_TRUE(here_.queue->moderate({}, 8));
    const Asked all = asked();
    EXPECT_EQ(Asked(all.begin() + static_cast<std::ptrdiff_t>(trial), all.end()),
              (Asked{{20, 8}, {65535, 65535}, {0, 0}}));
}

// A queue that needs more room gets a second one of the device.
TEST_F(ModerationTest, HoldsForQueuesOfTheDeviceThatAreMadeLater) {
    fake_.moderates = true;
    make(here_, NotifyRule::level, 8);
    EXPECT_TRUE(here_.queue->moderate(std::chrono::microseconds(20), 8));
    const std::size_t first = asked().size();
    QueuePairParameters parameters;
    parameters.limits = {512, 512, 1, 1, 0};
    parameters.receive_completion_queue = parameters.initiator_completion_queue = here_.queue;
    const Ref<HardwareQueuePair> large = HardwareQueuePair::create(adapter_, parameters).take();
    EXPECT_GT(asked().size(), first);
    EXPECT_EQ(asked().back(), std::pair(20, 8));
    large->close();
}

}  // namespace
}  // namespace opennd::verbs
