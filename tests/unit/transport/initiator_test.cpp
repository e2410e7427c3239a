// SPDX-License-Identifier: MIT
// Long Reads that travel as messages: their answer may come while start() still runs, because it runs without the lock.
#include "transport/soft/initiator.h"

#include <array>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "connected_pair.h"

namespace opennd::soft {
namespace {

// A wire whose start() does what the test says.
class ScriptedChannel final : public Channel {
public:
    std::function<StartResult()> on_start;

    StartResult start(const OutboundRequest&) override { return on_start(); }
    std::size_t receive(Responder&, std::size_t) override { return 0; }
    bool receive_waits_for_peer() const override { return false; }
    bool finished(Ticket, Status&) override { return false; }
    void look() override {}
    Status unfinished() const override { return Status::canceled; }
    void refuse(Status) override {}
    bool broken() const override { return false; }
    bool has_outcome() const override { return false; }
    Attention attention() const override { return Attention::polling; }
    void set_attention(Attention) override {}
    bool rung() const override { return false; }
    void nudge() override {}
    void wait_for_peer_access(Token) override {}
    void close() override {}
    std::string_view bulk_path() const override { return "ring"; }
};

class InitiatorTest : public testing::Test {
protected:
    InitiatorTest() {
        tokens_.enable(registration_);
        initiator_.set_read_limit(1);
    }

    void post_read() REQUIRES(lock_) {
        WorkRequest request;
        request.operation = Operation::read;
        request.sges = {&sge_, 1};
        ASSERT_EQ(initiator_.post(request, sge_.length), Status::success);
        if (initiator_.start_posted(request, sge_.length, *channel_, lock_, progress_))
            initiator_.run(*channel_, lock_, progress_);
    }

    static constexpr QueuePairLimits kLimits{4, 4, 4, 4, 0};

    std::vector<std::byte> memory_ = std::vector<std::byte>(kLongCopyBytes + 1);
    TokenTable tokens_ = TokenTable::create().take();
    test::CountingSink sink_;
    Ref<SoftCompletionQueue> queue_ =
        make_ref<SoftCompletionQueue>(8, OverrunRule::forgiving, NotifyRule::level, sink_);
    BoundWindows windows_;
    Initiator initiator_{kLimits, tokens_, *queue_, nullptr, windows_};
    Ref<ScriptedChannel> channel_ = make_ref<ScriptedChannel>();
    BiasedLock lock_;
    std::array<Completion, 4> completions_;
    Progress progress_{*queue_, completions_};
    const TokenTable::Tokens registration_ =
        tokens_.reserve({reinterpret_cast<std::uint64_t>(memory_.data()), memory_.size(), Access::local_write, {}})
            .value();
    const Sge sge_{memory_.data(), static_cast<std::uint32_t>(memory_.size()), registration_.local};
};

TEST_F(InitiatorTest, TakesAnAnswerThatComesBeforeStartReturns) {
    channel_->on_start = [this] {
        // What another thread does that moves the answer up.
        const Held lock(lock_);
        std::span<const Sge> target;
        EXPECT_EQ(initiator_.read_target(target), Status::success);
        EXPECT_EQ(target.size(), 1u);
        EXPECT_EQ(target[0].buffer, sge_.buffer);
        initiator_.read_done();
        return StartResult{Start::in_flight, Status::success, Ticket{1}};
    };
    const Held lock(lock_);
    post_read();
    ASSERT_EQ(progress_.used, 1u);
    EXPECT_EQ(completions_[0].status, Status::success);
    post_read();  // the limit of one Read in flight has room again
    EXPECT_EQ(progress_.used, 2u);
    EXPECT_FALSE(initiator_.failed());
}

TEST_F(InitiatorTest, AReadThatCouldNotStartAwaitsNoAnswer) {
    channel_->on_start = [] { return StartResult{Start::blocked, Status::success, {}}; };
    const Held lock(lock_);
    post_read();
    std::span<const Sge> target;
    EXPECT_NE(initiator_.read_target(target), Status::success);
    channel_->on_start = [] { return StartResult{Start::done, Status::success, {}}; };
    initiator_.run(*channel_, lock_, progress_);
    ASSERT_EQ(progress_.used, 1u);
    EXPECT_EQ(completions_[0].status, Status::success);
    post_read();
    EXPECT_EQ(progress_.used, 2u);
}

}  // namespace
}  // namespace opennd::soft
