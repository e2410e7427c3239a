// SPDX-License-Identifier: MIT
// Long Reads that travel as messages: their answer may come while start() still runs, because it runs without the lock.
// And the request that a peer's refusal is blamed on.
#include "transport/soft/engine/initiator.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/checker.h"
#include "base/explanation.h"
#include "scripted_channel.h"
#include "support/requirement.h"
#include "unit/transport/connected_pair.h"

namespace opennd::soft {
namespace {

using support::proves;

class InitiatorTest : public testing::Test {
protected:
    InitiatorTest() {
        tokens_.enable(registration_);
        initiator_.set_read_limit(1);
    }

    void post_read() REQUIRES(lock_) { post(Operation::read); }
    void post(Operation operation) REQUIRES(lock_) {
        WorkRequest request;
        request.operation = operation;
        request.sges = {&sge_, 1};
        ASSERT_EQ(initiator_.post(request, sge_.length), Status::success);
        if (initiator_.start_posted(request, sge_.length, *channel_, lock_, progress_))
            initiator_.run(*channel_, lock_, progress_);
    }

    // The requirement that the failure in the call is explained by; empty if none was explained.
    template <typename Call>
    static std::string requirement_in(Call call) {
        std::string requirement;
        set_failure_sink(
            [](void* to, const Failure& failure) {
                *static_cast<std::string*>(to) = std::string_view(failure.requirement);
            },
            &requirement);
        call();
        set_failure_sink(nullptr, nullptr);
        return requirement;
    }
    // The requirement that a refusal of the operation with the reason is explained by.
    std::string requirement_of(Operation operation, Status reason) {
        channel_->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{1}}; };
        channel_->refusal = reason;
        const std::string requirement = requirement_in([&] {
            const Held lock(lock_);
            post(operation);
            initiator_.run(*channel_, lock_, progress_);
        });
        EXPECT_EQ(progress_.used, 1u);
        EXPECT_EQ(completions_[0].status, reason);
        return requirement;
    }

    static constexpr QueuePairLimits kLimits{4, 4, 4, 4, 0};

    std::vector<std::byte> memory_ = std::vector<std::byte>(kLongCopyBytes + 1);
    TokenTable tokens_ = TokenTable::create().take();
    test::CountingSink sink_;
    Ref<SoftCompletionQueue> queue_ =
        make_ref<SoftCompletionQueue>(8, OverrunRule::forgiving, NotifyRule::level, sink_);
    BoundWindows windows_;
    FastRegions regions_;
    Initiator initiator_{kLimits, tokens_, queue_->results(), nullptr, windows_, regions_};
    Ref<test::ScriptedChannel> channel_ = make_ref<test::ScriptedChannel>();
    BiasedLock lock_;
    std::array<Completion, 4> completions_;
    Progress progress_{queue_->results(), completions_};
    const TokenTable::Tokens registration_ = tokens_
                                                 .reserve({reinterpret_cast<std::uint64_t>(memory_.data()),
                                                           memory_.size(),
                                                           Access::local_write | Access::read_sink,
                                                           {}})
                                                 .value();
    const Sge sge_{memory_.data(), static_cast<std::uint32_t>(memory_.size()), registration_.local};
};

TEST_F(InitiatorTest, TakesAnAnswerThatComesBeforeStartReturns) {
    channel_->on_start = [this] {
        // Another thread's work that moves the answer up.
        const Held lock(lock_);
        std::span<const Sge> target;
        ResolvedMemory memory;
        EXPECT_EQ(initiator_.read_target(target, memory), Status::success);
        EXPECT_EQ(target.size(), 1u);
        EXPECT_EQ(target[0].buffer, sge_.buffer);
        initiator_.read_done(Status::success);
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

TEST_F(InitiatorTest, HandsImmediateDataToTheChannel) {
    proves("ND2-IMM-DATA-01");
    channel_->on_start = [] { return StartResult{Start::blocked, Status::success, {}}; };
    const Held lock(lock_);
    WorkRequest request{Operation::write_with_immediate, RequestFlags::none, nullptr, {&sge_, 1}};
    request.extra = RequestExtra::immediate(0);
    ASSERT_EQ(initiator_.post(request, sge_.length), Status::success);
    (void)initiator_.start_posted(request, sge_.length, *channel_, lock_, progress_);
    EXPECT_EQ(channel_->immediate, 0u);
    channel_->immediate.reset();
    channel_->on_start = [] { return StartResult{Start::done, Status::success, {}}; };
    initiator_.run(*channel_, lock_, progress_);
    EXPECT_EQ(channel_->immediate, 0u) << "when it starts again, too";
    ASSERT_EQ(progress_.used, 1u);
    EXPECT_EQ(completions_[0].operation, Operation::write_with_immediate);
}

TEST_F(InitiatorTest, FailsImmediateDataThatThePeerDoesNotTake) {
    proves("ND2-IMM-PEER-01");
    channel_->takes_immediate = false;
    const Held lock(lock_);
    WorkRequest request{Operation::send_with_immediate, RequestFlags::none, nullptr, {&sge_, 1}};
    request.extra = RequestExtra::immediate(7);
    ASSERT_EQ(initiator_.post(request, sge_.length), Status::success);
    (void)initiator_.start_posted(request, sge_.length, *channel_, lock_, progress_);
    EXPECT_FALSE(channel_->immediate);
    ASSERT_EQ(progress_.used, 1u);
    EXPECT_EQ(completions_[0].status, Status::not_supported);
    EXPECT_TRUE(initiator_.failed());
}

TEST_F(InitiatorTest, AReadThatCouldNotStartAwaitsNoAnswer) {
    channel_->on_start = [] { return StartResult{Start::blocked, Status::success, {}}; };
    const Held lock(lock_);
    post_read();
    std::span<const Sge> target;
    ResolvedMemory memory;
    EXPECT_NE(initiator_.read_target(target, memory), Status::success);
    channel_->on_start = [] { return StartResult{Start::done, Status::success, {}}; };
    initiator_.run(*channel_, lock_, progress_);
    ASSERT_EQ(progress_.used, 1u);
    EXPECT_EQ(completions_[0].status, Status::success);
    post_read();
    EXPECT_EQ(progress_.used, 2u);
}

// Finished requests that the peer has reported complete before the rest is called canceled.
TEST_F(InitiatorTest, AFlushTellsOfWhatHadFinishedAsItFinished) {
    proves("ND2-QP-ERR-02");
    std::uint64_t ticket = 0;
    channel_->on_start = [&] { return StartResult{Start::in_flight, Status::success, Ticket{ticket++}}; };
    channel_->on_look = [this] { channel_->finished_before = 2; };
    const Held lock(lock_);
    for (int i = 0; i < 3; ++i) post(Operation::send);
    ASSERT_EQ(progress_.used, 0u);
    initiator_.flush(channel_.get(), progress_, Status::timed_out);
    ASSERT_EQ(progress_.used, 3u);
    EXPECT_EQ(completions_[0].status, Status::success);
    EXPECT_EQ(completions_[1].status, Status::success);
    EXPECT_EQ(completions_[2].status, Status::timed_out) << "the oldest of those that had not";
}

TEST_F(InitiatorTest, OneFailureIsToldAndTheRestIsCanceled) {
    proves("ND2-QP-ERR-01");
    channel_->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{1}}; };
    const Held lock(lock_);
    for (int i = 0; i < 3; ++i) post(Operation::send);
    channel_->refusal = Status::access_violation;
    initiator_.run(*channel_, lock_, progress_);
    ASSERT_EQ(progress_.used, 1u);
    EXPECT_EQ(completions_[0].status, Status::access_violation);
    initiator_.flush(channel_.get(), progress_, Status::timed_out);  // the connection was lost, too
    ASSERT_EQ(progress_.used, 3u);
    EXPECT_EQ(completions_[1].status, Status::canceled);
    EXPECT_EQ(completions_[2].status, Status::canceled);
}

TEST_F(InitiatorTest, NoMoreReadsAreOnTheirWayThanTheLimit) {
    proves("ND2-QP-READ-02", "ND1-EP-READ-08");
    constexpr int kLimit = 2, kReads = 4;
    initiator_.set_read_limit(kLimit);
    int started = 0;
    channel_->on_start = [&] {
        ++started;
        return StartResult{Start::in_flight, Status::success, Ticket{1}};
    };
    const Held lock(lock_);
    for (int i = 0; i < kReads; ++i) post_read();
    for (int answered = 0; answered < kReads; ++answered) {
        EXPECT_EQ(started, std::min(answered + kLimit, kReads));
        initiator_.read_done(Status::success);
        initiator_.run(*channel_, lock_, progress_);
    }
    EXPECT_EQ(progress_.used, static_cast<std::size_t>(kReads));
}

// The program withdrew the memory after the Read had started.
TEST_F(InitiatorTest, AReadWhoseAnswerCannotBePlacedHasTheCause) {
    channel_->on_start = [this] {
        const Held lock(lock_);
        initiator_.read_done(Status::access_violation);
        return StartResult{Start::in_flight, Status::success, Ticket{1}};
    };
    const Held lock(lock_);
    post_read();
    initiator_.run(*channel_, lock_, progress_);
    ASSERT_EQ(progress_.used, 1u);
    EXPECT_EQ(completions_[0].status, Status::access_violation);
    EXPECT_TRUE(initiator_.failed());
}

TEST_F(InitiatorTest, StartsNothingBehindOneThatFailedThoughOthersAreInFlight) {
    int starts = 0;
    channel_->on_start = [&starts] {
        if (++starts == 1) return StartResult{Start::in_flight, Status::success, Ticket{1}};
        return StartResult{Start::done, Status::access_violation, {}};
    };
    const Held lock(lock_);
    for (int request = 0; request < 3; ++request) post(Operation::send);
    initiator_.run(*channel_, lock_, progress_);
    EXPECT_EQ(starts, 2);
    EXPECT_EQ(progress_.used, 0u) << "the first has not ended";
    initiator_.flush(channel_.get(), progress_, Status::canceled);
    ASSERT_EQ(progress_.used, 3u);
    EXPECT_EQ(completions_[0].status, Status::canceled);
    EXPECT_EQ(completions_[1].status, Status::access_violation);
    EXPECT_EQ(completions_[2].status, Status::canceled);
}

// Decides whether a queue pair must be revisited.
TEST_F(InitiatorTest, ASilentRequestOnItsWayIsNoWorkAndOneThatWaitsForRoomIs) {
    proves("ND2-QP-POST-13", "IW-PERF-16");
    WorkRequest silent{Operation::send, RequestFlags::silent_success, nullptr, {&sge_, 1}};
    const auto post_silent = [&]() REQUIRES(lock_) {
        ASSERT_EQ(initiator_.post(silent, sge_.length), Status::success);
        initiator_.start_posted(silent, sge_.length, *channel_, lock_, progress_);
    };
    const Held lock(lock_);
    channel_->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{1}}; };
    post_silent();
    EXPECT_FALSE(initiator_.owes_reports());
    EXPECT_FALSE(initiator_.has_work());
    EXPECT_FALSE(initiator_.waits_for_peer());
    channel_->on_start = [] { return StartResult{Start::blocked, Status::success, {}}; };
    post_silent();
    EXPECT_FALSE(initiator_.owes_reports());
    EXPECT_TRUE(initiator_.has_work());
    EXPECT_TRUE(initiator_.waits_for_peer());
}

TEST_F(InitiatorTest, AReadOnItsWayWaitsForThePeerAndASendDoesNot) {
    proves("IW-PERF-16");
    const Held lock(lock_);
    channel_->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{1}}; };
    post(Operation::send);
    EXPECT_TRUE(initiator_.owes_reports());
    EXPECT_FALSE(initiator_.waits_for_peer());
    post_read();
    EXPECT_TRUE(initiator_.waits_for_peer());
}

TEST_F(InitiatorTest, OwesNothingForWhatIsDone) {
    proves("IW-PERF-16");
    channel_->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{1}}; };
    const Held lock(lock_);
    post_read();
    post(Operation::send);
    channel_->finished_before = 2;
    initiator_.run(*channel_, lock_, progress_);
    ASSERT_EQ(progress_.used, 2u);
    EXPECT_FALSE(initiator_.owes_reports());
    EXPECT_FALSE(initiator_.waits_for_peer());
}

TEST_F(InitiatorTest, ASilentRequestThatFailsIsTold) {
    proves("ND2-QP-POST-13");
    channel_->on_start = [] { return StartResult{Start::done, Status::access_violation, {}}; };
    WorkRequest silent{Operation::send, RequestFlags::silent_success, nullptr, {&sge_, 1}};
    const Held lock(lock_);
    ASSERT_EQ(initiator_.post(silent, sge_.length), Status::success);
    initiator_.start_posted(silent, sge_.length, *channel_, lock_, progress_);
    initiator_.run(*channel_, lock_, progress_);
    ASSERT_EQ(progress_.used, 1u);
    EXPECT_EQ(completions_[0].status, Status::access_violation);
}

TEST_F(InitiatorTest, CarriesOutNothingThatMustGoAnotherWay) {
    proves("ND2-QP-RDMA-02", "NDK-QP-READ-04", "ND2-QP-ERR-01");
    channel_->carries_out = true;
    const Sge one{memory_.data(), 8, registration_.local}, nothing{memory_.data(), 0, registration_.local};
    const auto carried_out = [&](Operation operation, const Sge& sge, RequestFlags flags = RequestFlags::none) {
        const Held lock(lock_);
        return initiator_.carry_out({operation, flags, nullptr, {&sge, 1}}, sge.length, *channel_, progress_);
    };
    EXPECT_TRUE(carried_out(Operation::write, one));
    ASSERT_EQ(progress_.used, 1u);
    EXPECT_FALSE(completions_[0].solicited()) << "success of this side's own request";
    EXPECT_FALSE(carried_out(Operation::write, nothing)) << "it may be for the peer to see";
    EXPECT_FALSE(carried_out(Operation::read, one, RequestFlags::local_invalidate)) << "it ends a registration";
    channel_->on_start = [] { return StartResult{Start::done, Status::access_violation, {}}; };
    {
        const Held lock(lock_);
        post(Operation::send);
    }
    EXPECT_FALSE(carried_out(Operation::write, one)) << "behind one that failed";
}

// The list in the call may be gone when there is room.
TEST_F(InitiatorTest, ARequestThatWaitsForRoomKeepsItsMemory) {
    proves("ND2-QP-POST-02");
    channel_->on_start = [] { return StartResult{Start::blocked, Status::success, {}}; };
    const Held lock(lock_);
    Sge list{memory_.data() + 5, 3, registration_.local};
    const WorkRequest send{Operation::send, RequestFlags::none, nullptr, {&list, 1}};
    ASSERT_EQ(initiator_.post(send, list.length), Status::success);
    initiator_.start_posted(send, list.length, *channel_, lock_, progress_);
    list = {};
    channel_->on_start = [] { return StartResult{Start::done, Status::success, {}}; };
    initiator_.run(*channel_, lock_, progress_);
    ASSERT_EQ(channel_->entries.size(), 1u);
    EXPECT_EQ(channel_->entries[0].buffer, memory_.data() + 5);
    EXPECT_EQ(channel_->entries[0].length, 3u);
    EXPECT_EQ(channel_->entries[0].token, registration_.local);
    EXPECT_EQ(progress_.used, 1u);
}

// The peer has one Send, and refuses the next; the Read before them has no answer.
TEST_F(InitiatorTest, AFlushTellsAndExplainsTheOneFailureThatIsKnown) {
    proves("ND2-QP-ERR-01", "ND2-QP-ERR-02", "ND2-QP-SEND-07");
    std::uint64_t ticket = 9;
    channel_->on_start = [&] { return StartResult{Start::in_flight, Status::success, Ticket{ticket}}; };
    channel_->refusal = Status::remote_data_error;
    channel_->finished_before = 1;
    channel_->refused_before = 2;
    const std::string requirement = requirement_in([&] {
        const Held lock(lock_);
        post_read();
        for (ticket = 0; ticket < 3; ++ticket) post(Operation::send);
        initiator_.flush(channel_.get(), progress_, Status::canceled);
        EXPECT_EQ(initiator_.reads_in_flight(), 0u);
        EXPECT_FALSE(initiator_.waits_for_peer());
    });
    EXPECT_EQ(requirement, "ND2-QP-SEND-07");
    ASSERT_EQ(progress_.used, 4u);
    EXPECT_EQ(completions_[0].status, Status::canceled);
    EXPECT_EQ(completions_[1].status, Status::success);
    EXPECT_EQ(completions_[2].status, Status::remote_data_error);
    EXPECT_EQ(completions_[3].status, Status::canceled);
}

TEST_F(InitiatorTest, ShowsWhetherItsOldestRequestIsOnItsWay) {
    channel_->on_start = [] { return StartResult{Start::blocked, Status::success, {}}; };
    const Held lock(lock_);
    const auto oldest = [this] {
        QueuePairUse use;
        initiator_.describe(use);
        return use.oldest;
    };
    EXPECT_FALSE(oldest());
    post(Operation::send);
    ASSERT_TRUE(oldest());
    EXPECT_FALSE(oldest()->started) << "it waits for room";
    channel_->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{1}}; };
    initiator_.run(*channel_, lock_, progress_);
    EXPECT_TRUE(oldest()->started);
}

TEST_F(InitiatorTest, AFlushTellsOfWhatThePeerHasBehindWhatItHasNot) {
    proves("ND2-QP-ERR-02");
    std::uint64_t ticket = 5;
    channel_->on_start = [&] { return StartResult{Start::in_flight, Status::success, Ticket{ticket}}; };
    const Held lock(lock_);
    post_read();
    ticket = 0;
    post(Operation::send);
    channel_->finished_before = 1;
    initiator_.flush(channel_.get(), progress_, Status::canceled);
    ASSERT_EQ(progress_.used, 2u);
    EXPECT_EQ(completions_[0].status, Status::canceled);
    EXPECT_EQ(completions_[1].status, Status::success);
    EXPECT_EQ(channel_->withdrawals, 1) << "the peer takes none of the rest";
}

TEST_F(InitiatorTest, AFlushDoesNotTellOfAWriteOfNoBytesBehindWhatThePeerHasNot) {
    proves("ND2-QP-ERR-01", "ND2-QP-RDMA-02");
    channel_->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{5}}; };
    const WorkRequest nothing{Operation::write, RequestFlags::none, nullptr, {}};
    const Held lock(lock_);
    post_read();
    channel_->on_start = [] { return StartResult{Start::done, Status::success, {}}; };
    ASSERT_EQ(initiator_.post(nothing, 0), Status::success);
    initiator_.start_posted(nothing, 0, *channel_, lock_, progress_);
    post(Operation::write);
    initiator_.flush(channel_.get(), progress_, Status::canceled);
    ASSERT_EQ(progress_.used, 3u);
    EXPECT_EQ(completions_[0].status, Status::canceled);
    EXPECT_EQ(completions_[1].status, Status::canceled) << "the peer knows nothing of it";
    EXPECT_EQ(completions_[2].status, Status::success) << "the peer has its bytes";
}

// The queue pair's first failure was that of a receive.
TEST_F(InitiatorTest, AFailureBehindThatOfAReceiveIsCanceled) {
    proves("ND2-QP-ERR-01", "NDK-QP-COMP-01");
    channel_->on_start = [] { return StartResult{Start::done, Status::access_violation, {}}; };
    const Held lock(lock_);
    EXPECT_EQ(initiator_.tell_failure(Status::receive_too_small), Status::receive_too_small);
    post(Operation::send);
    initiator_.run(*channel_, lock_, progress_);
    ASSERT_EQ(progress_.used, 1u);
    EXPECT_EQ(completions_[0].status, Status::canceled);
    EXPECT_EQ(completions_[0].provider_code(), 0u);
}

TEST_F(InitiatorTest, AFlushAsksWhatBecameOfHalfAMessageAndCancelsTheRest) {
    proves("ND2-QP-ERR-02", "ND2-QP-FLUSH-01");
    channel_->on_start = [] { return StartResult{Start::blocked, Status::success, {}}; };
    channel_->half = Status::remote_data_error;
    const Held lock(lock_);
    for (int i = 0; i < 3; ++i) post(Operation::send);
    initiator_.flush(channel_.get(), progress_, Status::timed_out);
    ASSERT_EQ(progress_.used, 3u);
    EXPECT_EQ(completions_[0].status, Status::remote_data_error);
    EXPECT_EQ(completions_[1].status, Status::canceled);
    EXPECT_EQ(completions_[2].status, Status::canceled);
}

TEST_F(InitiatorTest, AReadThatFailsByItsAnswerStopsThoseBehindItAtOnce) {
    proves("ND2-QP-ERR-01");
    int starts = 0;
    channel_->on_start = [&starts] {
        ++starts;
        return StartResult{Start::in_flight, Status::success, Ticket{1}};
    };
    const Held lock(lock_);
    post_read();
    initiator_.read_done(Status::access_violation);
    post(Operation::send);
    EXPECT_EQ(starts, 1);
}

TEST_F(InitiatorTest, ASendIsRefusedForTheReceiveItMet) {
    EXPECT_EQ(requirement_of(Operation::send, Status::remote_data_error), "ND2-QP-SEND-07");
}

// Keeps the rules that are broken.
class RuleListener final : public Checker {
public:
    RuleListener() { set_checker(this); }
    ~RuleListener() { set_checker(nullptr); }

    std::vector<CheckRule> rules;
    void tell(const Misuse& misuse) noexcept override { rules.push_back(misuse.rule); }
    void made(const void*, std::string_view) noexcept override {}
    void released(const void*) noexcept override {}
    void used_after_release(const void*, std::string_view) noexcept override {}
    void began(const void*, const void*) noexcept override {}
    void ends(const void*) noexcept override {}
    void asked(const void*, const void*) noexcept override {}
    void at_exit() noexcept override {}
};

TEST_F(InitiatorTest, ASendThatFoundNoReceiveIsAMisuse) {
    RuleListener listener;
    requirement_of(Operation::send, Status::timed_out);
    EXPECT_EQ(listener.rules, std::vector{CheckRule::no_receive});
}

TEST_F(InitiatorTest, ASendThatIsRefusedOtherwiseIsNone) {
    RuleListener listener;
    requirement_of(Operation::send, Status::access_violation);
    EXPECT_TRUE(listener.rules.empty());
}

// A Read takes no receive of the peer: the connection ended under it.
TEST_F(InitiatorTest, AReadIsNotRefusedForAReceive) {
    EXPECT_EQ(requirement_of(Operation::read, Status::remote_data_error), "ND2-CON-CONN-05");
}

TEST_F(InitiatorTest, AReadOfAFlushedQueuePairDoesNotWaitForAReceive) {
    EXPECT_EQ(requirement_of(Operation::read, Status::timed_out), "ND2-QP-FLUSH-03");
}

TEST_F(InitiatorTest, AReadIsRefusedForTheMemoryItNamed) {
    EXPECT_EQ(requirement_of(Operation::read, Status::access_violation), "ND2-QP-RDMA-03");
}

}  // namespace
}  // namespace opennd::soft
