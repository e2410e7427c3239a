// SPDX-License-Identifier: MIT
// The software RNIC's shared receive queue by itself: which starving queue pair is woken, and when its program is.
#include "transport/soft/engine/shared_receive_queue.h"

#include <gtest/gtest.h>

#include <fstream>

#include "scripted_queue_pair.h"
#include "support/requirement.h"
#include "transport/soft/progress/completion_queue.h"

namespace opennd::soft {
namespace {

using support::proves;

class LowCounter final : public SharedReceiveQueueSink {
public:
    int low = 0;
    void on_low() override { ++low; }
    void on_failed() override {}
};

class Starving : public test::ScriptedQueuePair {
protected:
    Starving() {
        const Ref<TransportQueuePair> made =
            adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_, nullptr}).take();
        other_ = Ref<SoftQueuePair>(static_cast<SoftQueuePair*>(made.get()));
        other_->attach(others_channel_, nullptr, {1, 1});
        channel_->on_receive = [this](ReceiveTurn&) -> std::size_t { return ++wakings_, 0; };
        others_channel_->on_receive = [this](ReceiveTurn&) -> std::size_t { return ++others_wakings_, 0; };
    }
    ~Starving() override {
        others_channel_->on_receive = channel_->on_receive = [](ReceiveTurn&) { return std::size_t{0}; };
        queue_->close();
        other_->close();
    }
    bool take(SoftQueuePair& queue_pair) {
        Progress progress;
        const bool taken = queue_->take(queue_pair, held_, progress);
        progress.after.run();
        return taken;
    }

    LowCounter sink_;
    const Ref<SoftSharedReceiveQueue> queue_ =
        make_ref<SoftSharedReceiveQueue>(SharedReceiveQueueLimits{4, 1, 2}, sink_);
    ReceiveQueue held_{0, 1};
    Ref<SoftQueuePair> other_;
    Ref<test::ScriptedChannel> others_channel_ = make_ref<test::ScriptedChannel>();
    int wakings_ = 0, others_wakings_ = 0;
};

// The first does not take it: its message may be gone.
TEST_F(Starving, EachIsWokenOnceForAReceiveThatNobodyTakes) {
    proves("ND2-SRQ-RECV-03");
    EXPECT_FALSE(take(*queue_pair_));
    EXPECT_FALSE(take(*other_));
    ASSERT_EQ(queue_->post(nullptr, {}), Status::success);
    EXPECT_EQ(wakings_, 1);
    EXPECT_EQ(others_wakings_, 1);
    ASSERT_EQ(queue_->post(nullptr, {}), Status::success);
    EXPECT_EQ(wakings_, 1);
}

TEST_F(Starving, WhoGotItsReceiveIsNotWokenForTheNext) {
    proves("ND2-SRQ-RECV-03");
    ASSERT_FALSE(take(*queue_pair_));
    ASSERT_FALSE(take(*other_));
    bool taken = false;
    channel_->on_receive = [&](ReceiveTurn&) -> std::size_t {
        taken = taken || take(*other_);  // it comes first by another way
        return 0;
    };
    ASSERT_EQ(queue_->post(nullptr, {}), Status::success);
    ASSERT_TRUE(taken);
    ASSERT_EQ(queue_->post(nullptr, {}), Status::success);
    EXPECT_EQ(others_wakings_, 0);
}

TEST_F(Starving, AShortageIsToldOnceForEachArming) {
    proves("ND2-SRQ-NTF-01");
    for (int i = 0; i < 4; ++i) ASSERT_EQ(queue_->post(nullptr, {}), Status::success);
    queue_->arm();
    EXPECT_EQ(sink_.low, 0);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(take(*queue_pair_));
    EXPECT_EQ(sink_.low, 0) << "as many as the threshold are left";
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(take(*queue_pair_));
    EXPECT_EQ(sink_.low, 1);
    queue_->arm();
    EXPECT_EQ(sink_.low, 2);
}

// Their receives take memory, which a completion queue that once had results of them does not keep.
TEST_F(Starving, NoMemoryIsKeptOfQueuesThatAreGone) {
    proves("ND2-SRQ-RECV-04");
    constexpr std::uint32_t kReceives = 1 << 15;
    const auto come_and_go = [this] {
        const auto shared = adapter_->create_shared_receive_queue({kReceives, 1, 0}, sink_).take();
        const auto queue_pair =
            adapter_->create_queue_pair({{0, 4, 1, 1, 0}, completions_, completions_, nullptr, shared}).take();
        for (std::uint32_t i = 0; i < kReceives; ++i) ASSERT_EQ(shared->post(nullptr, {}), Status::success);
        queue_pair->close();
        shared->close();
    };
    const auto mapped = [] {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        return pages;
    };
    come_and_go();
    const std::size_t before = mapped();
    constexpr std::size_t kTimes = 64, kPagesOfOne = kReceives * sizeof(Sge) / 4096;
    for (std::size_t times = 0; times < kTimes; ++times) come_and_go();
    EXPECT_LT(mapped(), before + kTimes / 2 * kPagesOfOne);
}

}  // namespace
}  // namespace opennd::soft
