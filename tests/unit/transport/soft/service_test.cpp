// SPDX-License-Identifier: MIT
// The service thread beside a poller that stops: messages sent while their sender still relied on the poller are taken,
// and messages without a receive are left (tests/protocols/service.pml explores the whole).
#include <atomic>
#include <new>
#include <utility>

#include <gtest/gtest.h>

#include "scripted_queue_pair.h"
#include "support/deadline.h"
#include "support/requirement.h"
#include "transport/soft/adapter.h"
#include "transport/soft/engine/receive_turn.h"

namespace opennd::soft {
namespace {

using support::proves;
using test::ScriptedQueuePair;

class ServiceTest : public ScriptedQueuePair {
protected:
    ServiceTest() {
        channel_->show_arrivals();
        channel_->set_attention(Attention::polling);
        channel_->on_receive = [this](ReceiveTurn&) -> std::size_t {
            ++looks_;
            if (!takes_ || !channel_->has_arrival()) return 0;
            channel_->take();
            return 1;
        };
    }
    // Between the look of a round and the word to the peer, which saw that somebody polls and did not ring.
    void arrive_unrung() {
        channel_->on_attention = [this, came = false](Attention) mutable {
            if (!std::exchange(came, true)) channel_->arrive();
        };
    }

    bool takes_ = true;
    int looks_ = 0;
};

TEST_F(ServiceTest, TakesWhatCameBeforeItsSenderKnewThatItMustRing) {
    proves("IW-PERF-16", "ND2-CQ-NTF-08");
    arrive_unrung();
    const std::uint32_t before = channel_->taken();
    EXPECT_FALSE(queue_pair_->serve()) << "nothing is left to do";
    EXPECT_EQ(channel_->taken(), before + 1);
    EXPECT_EQ(channel_->attention(), Attention::asleep);
}

// It waits for a receive, or for a thread in the middle of a long copy: that one drives. The service thread does not
// turn for it.
TEST_F(ServiceTest, LooksOnceMoreAndLeavesWhatDoesNotMove) {
    proves("IW-PERF-16");
    takes_ = false;
    arrive_unrung();
    EXPECT_FALSE(queue_pair_->serve());
    EXPECT_EQ(looks_, 2);
}

class LeftToService : public ServiceTest {
protected:
    LeftToService() {
        const Ref<TransportQueuePair> made =
            adapter_->create_queue_pair({{4, 4, 2, 2, 0}, completions_, completions_, nullptr}).take();
        other_ = Ref<SoftQueuePair>(static_cast<SoftQueuePair*>(made.get()));
        scripted_->on_receive = [this](ReceiveTurn&) -> std::size_t {
            if (++other_looks_ <= poor_looks_) throw std::bad_alloc();
            return 0;
        };
        other_->attach(scripted_, nullptr, {1, 1});
    }
    ~LeftToService() override { other_->close(); }
    Service& service() { return static_cast<SoftAdapter&>(*adapter_).service(); }
    bool comes_more_often_than(int times) {
        return support::wait_until([&] { return other_looks_.load() > times; });
    }

    const Ref<test::ScriptedChannel> scripted_ = make_ref<test::ScriptedChannel>();
    Ref<SoftQueuePair> other_;
    std::atomic<int> other_looks_ = 0;
    std::atomic<int> poor_looks_ = 0;  // the looks that find no memory
};

TEST_F(LeftToService, ComesToThoseThatWereLeftToItAndToNoOthers) {
    proves("IW-PERF-16");
    for (int times = 0; times < 3; ++times) service().serve_later(*other_);
    EXPECT_TRUE(comes_more_often_than(0));
    EXPECT_EQ(looks_, 0);
    const int before = other_looks_.load();
    service().serve_later(*other_);
    EXPECT_TRUE(comes_more_often_than(before)) << "it can be left there again";
}

TEST_F(LeftToService, ComesAgainToOneThatHadNoMemory) {
    proves("ND2-GEN-02");
    poor_looks_ = other_looks_.load() + 3;
    service().serve_later(*other_);
    EXPECT_TRUE(comes_more_often_than(poor_looks_));
}

}  // namespace
}  // namespace opennd::soft
