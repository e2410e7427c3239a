// SPDX-License-Identifier: MIT
//
// The first failure of a queue pair: nothing behind it succeeds that the peer has not taken, and nothing after it has a cause of its own,
// be it a request or a receive. Requirements ND2-QP-ERR-01, ND2-QP-ERR-02, ND2-QP-POST-11, ND1-EP-GEN-10, NDK-QP-COMP-01.
#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

constexpr std::size_t kMessageBytes = 64;

// ---- behind a request that waits ------------------------------------------------------------------------------------

// Side a posts: 1, a Send for which b has no receive; 2, which needs nothing of b. Then something ends 1.
class BehindAWaitingSend : public ConformanceTest {
public:
    struct Follower {
        const char* name;
        Outcome (*post)(BehindAWaitingSend&);
    };

    void SetUp() override {
        if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
        provokes("CHECK-NO-RECEIVE");
    }
    void make_pair() {
        bound_.reset();
        window_.reset();
        pair_ = std::make_unique<ConnectedPair>(driver());
        there_ = pair_->b.remote();
        window_ = a().adapter->create_memory_window();
        bound_ = a().adapter->create_memory_window();
        ASSERT_EQ(bind(0, *bound_), Outcome::success);
        ASSERT_TRUE(reports(*a().initiated, RequestKind::bind, 0, Outcome::success));
        ASSERT_EQ(a().send(1, 0, kMessageBytes), Outcome::success);
    }
    Outcome bind(Tag tag, MemoryWindow& window) {
        return a().queue_pair->bind(tag, *a().region, window, a().memory.data(), kMessageBytes, kAllowRead);
    }

    Endpoint& a() { return pair_->a; }
    Endpoint& b() { return pair_->b; }

    static const std::vector<Follower>& followers() {
        static const std::vector<Follower> all{
            {"Write of no bytes", [](BehindAWaitingSend& test) { return test.a().write(2, 0, 0, test.there_); }},
            {"silent Write of no bytes",
             [](BehindAWaitingSend& test) { return test.a().write(2, 0, 0, test.there_, kSilent); }},
            {"fenced Write of no bytes",
             [](BehindAWaitingSend& test) { return test.a().write(2, 0, 0, test.there_, kReadFence); }},
            {"Read of no bytes", [](BehindAWaitingSend& test) { return test.a().read(2, 0, 0, test.there_); }},
            {"silent Read of no bytes",
             [](BehindAWaitingSend& test) { return test.a().read(2, 0, 0, test.there_, kSilent); }},
            {"Send of no bytes", [](BehindAWaitingSend& test) { return test.a().send(2); }},
            {"Write", [](BehindAWaitingSend& test) { return test.a().write(2, 0, kMessageBytes, test.there_); }},
            {"silent Write",
             [](BehindAWaitingSend& test) { return test.a().write(2, 0, kMessageBytes, test.there_, kSilent); }},
            {"Read", [](BehindAWaitingSend& test) { return test.a().read(2, 0, kMessageBytes, test.there_); }},
            {"Bind", [](BehindAWaitingSend& test) { return test.bind(2, *test.window_); }},
            {"Invalidate",
             [](BehindAWaitingSend& test) { return test.a().queue_pair->invalidate(2, *test.bound_, kNoFlags); }},
        };
        return all;
    }

    std::unique_ptr<ConnectedPair> pair_;
    Remote there_;
    std::unique_ptr<MemoryWindow> window_, bound_;
};

TEST_P(BehindAWaitingSend, NothingSucceedsWhenItIsFlushed) {
    proves("ND2-QP-ERR-01", "ND2-QP-FLUSH-01", "ND2-QP-RDMA-02", "ND1-EP-GEN-10", "NDK-QP-FLUSH-01");
    for (const Follower& follower : followers()) {
        SCOPED_TRACE(follower.name);
        make_pair();
        ASSERT_EQ(follower.post(*this), Outcome::success);
        ASSERT_EQ(a().queue_pair->flush(), Outcome::success);
        EXPECT_TRUE(reports_exactly(*a().initiated, {1, 2}, Outcome::canceled));
    }
}

TEST_P(BehindAWaitingSend, NothingSucceedsWhenThePeerRefusesIt) {
    proves("ND2-QP-ERR-01", "ND2-QP-SEND-06", "ND2-QP-RDMA-02", "ND1-EP-GEN-10", "NDK-QP-COMP-01");
    for (const Follower& follower : followers()) {
        SCOPED_TRACE(follower.name);
        make_pair();
        ASSERT_EQ(follower.post(*this), Outcome::success);
        ASSERT_EQ(b().queue_pair->flush(), Outcome::success);
        const bool is_flushed = std::string_view(follower.name) == "Bind" &&
                                std::string_view(GetParam().face) == "Ndk" &&
                                support::lacks(support::Ability::names_sends_before_binds);
        EXPECT_TRUE(
            reports(*a().initiated, RequestKind::send, 1, is_flushed ? Outcome::canceled : Outcome::io_timeout));
        EXPECT_TRUE(reports_exactly(*a().initiated, {2}, Outcome::canceled));
    }
}

TEST_P(BehindAWaitingSend, EverythingSucceedsWhenItIsReceived) {
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-QP-RDMA-02", "ND2-CQ-GET-04");
    for (const Follower& follower : followers()) {
        SCOPED_TRACE(follower.name);
        make_pair();
        ASSERT_EQ(follower.post(*this), Outcome::success);
        ASSERT_EQ(b().receive(3, 0, kMessageBytes), Outcome::success);
        ASSERT_EQ(b().receive(4), Outcome::success);  // for a Send
        EXPECT_TRUE(reports(*a().initiated, RequestKind::send, 1, Outcome::success));
        if (std::string_view(follower.name).starts_with("silent")) {
            ASSERT_EQ(a().send(6), Outcome::success);
            EXPECT_TRUE(reports(*a().initiated, RequestKind::send, 6, Outcome::success));
        } else {
            EXPECT_TRUE(reports_exactly(*a().initiated, {2}, Outcome::success));
        }
    }
}

// ---- one cause ------------------------------------------------------------------------------------------------------

class FirstFailure : public ConformanceTest {
protected:
    void SetUp() override {
        if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
        if (const char* const why = support::lacks(support::Ability::fails_behind_waiting)) GTEST_SKIP() << why;
        provokes("CHECK-ENTRY", "CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    }
    // An entry of a registration that has ended.
    static Sge stale(Endpoint& side) {
        auto region = registered(*side.adapter, side.memory.data(), kMessageBytes, kAllRights);
        const Sge entry{side.memory.data(), kMessageBytes, region->local_token()};
        EXPECT_EQ(region->withdraw().wait(), Outcome::success);
        return entry;
    }
    // Of side a: 1 is in flight, and 2 is known to fail.
    static void let_a_request_be_about_to_fail(ConnectedPair& pair, RequestKind kind) {
        const Sge entry = stale(pair.a);
        ASSERT_EQ(pair.a.send(1, 0, kMessageBytes), Outcome::success);
        QueuePair& queue_pair = *pair.a.queue_pair;
        const Remote there = pair.b.remote();
        const Outcome posted = kind == RequestKind::send    ? queue_pair.send(2, {&entry, 1}, kNoFlags)
                               : kind == RequestKind::write ? queue_pair.write(2, {&entry, 1}, there, kNoFlags)
                                                            : queue_pair.read(2, {&entry, 1}, there, kNoFlags);
        ASSERT_EQ(posted, Outcome::success);
    }
};

TEST_P(FirstFailure, OfAReceiveLeavesRequestsWithoutACause) {
    proves("ND2-QP-ERR-01", "ND2-QP-RECV-02", "ND1-EP-GEN-10", "NDK-QP-COMP-01");
    for (const RequestKind kind : {RequestKind::send, RequestKind::write, RequestKind::read}) {
        SCOPED_TRACE(static_cast<int>(kind));
        ConnectedPair pair(driver());
        let_a_request_be_about_to_fail(pair, kind);
        const Sge entry = stale(pair.a);
        ASSERT_EQ(pair.a.queue_pair->receive(3, {&entry, 1}), Outcome::success);
        ASSERT_EQ(pair.a.receive(4, 0, kMessageBytes), Outcome::success);
        ASSERT_EQ(pair.b.send(5, 0, kMessageBytes), Outcome::success);
        EXPECT_TRUE(reports(*pair.a.received, RequestKind::receive, 3, Outcome::access_violation));
        EXPECT_TRUE(reports_exactly(*pair.a.received, {4}, Outcome::canceled));
        EXPECT_TRUE(reports_exactly(*pair.a.initiated, {1, 2}, Outcome::canceled));
    }
}

TEST_P(FirstFailure, OfATooShortReceiveLeavesRequestsWithoutACause) {
    proves("ND2-QP-ERR-01", "ND2-QP-SEND-07", "ND1-EP-GEN-10", "NDK-QP-COMP-01");
    ConnectedPair pair(driver());
    let_a_request_be_about_to_fail(pair, RequestKind::send);
    ASSERT_EQ(pair.a.receive(3, 0, kMessageBytes - 1), Outcome::success);
    ASSERT_EQ(pair.b.send(5, 0, kMessageBytes), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.received, RequestKind::receive, 3, Outcome::data_overrun));
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {1, 2}, Outcome::canceled));
}

// The request's failure is told by a run that also takes the message, or by one before it.
TEST_P(FirstFailure, OfARequestOrAReceiveIsTheOnlyOne) {
    proves("ND2-QP-ERR-01", "ND1-EP-GEN-10", "NDK-QP-COMP-01");
    for (int round = 0; round < 20; ++round) {
        ConnectedPair pair(driver());
        let_a_request_be_about_to_fail(pair, RequestKind::send);
        const Sge entry = stale(pair.a);
        ASSERT_EQ(pair.a.receive(3, 0, kMessageBytes), Outcome::success);
        ASSERT_EQ(pair.a.queue_pair->receive(4, {&entry, 1}), Outcome::success);
        ASSERT_EQ(pair.b.receive(1, 0, kMessageBytes), Outcome::success);
        for (const std::uint64_t number : {5, 6}) {
            const Outcome sent = pair.b.send(number, 0, kMessageBytes);
            ASSERT_TRUE(sent == Outcome::success || sent == Outcome::connection_invalid)  // the failure ended it before
                << sent;
        }
        std::size_t causes = 0;
        for (CompletionQueue* queue : {pair.a.initiated.get(), pair.a.received.get()})
            for (const Completion& result : next(*queue, 2))
                if (result.outcome != Outcome::success && result.outcome != Outcome::canceled) {
                    EXPECT_EQ(result.outcome, Outcome::access_violation) << result;
                    ++causes;
                }
        ASSERT_EQ(causes, 1u) << "round " << round;
    }
}

// ---- the peer's Disconnect ------------------------------------------------------------------------------------------

// Nobody flushed before the end, and until then there was a receive for each message: none timed out.
class EndAmidTraffic : public ConformanceTest {};

TEST_P(EndAmidTraffic, CancelsWhatWasNotTakenThoughAThreadPollsThere) {
    if (const char* const why = support::lacks(support::Ability::tells_ends_apart)) GTEST_SKIP() << why;
    proves("ND2-CON-DISC-05", "ND2-CON-DISC-01", "ND2-QP-ERR-03");
    constexpr Tag kMessages = 12;
    for (int round = 0; round < 60; ++round) {
        const EndpointOptions options{.queue_pair = {.receive_depth = 64, .initiator_depth = 64}};
        ConnectedPair pair(driver(), options);
        for (Tag tag = 0; tag < 4 * kMessages; ++tag)
            ASSERT_EQ(pair.b.receive(tag, 0, kMessageBytes), Outcome::success);
        for (Tag tag = 0; tag < kMessages; ++tag) ASSERT_EQ(pair.a.receive(tag, 0, kMessageBytes), Outcome::success);
        std::atomic<bool> over = false;
        std::thread poller([&] {
            while (!over) (void)pair.b.received->poll(4), (void)pair.b.initiated->poll(4);
        });
        std::thread talker([&] {
            for (Tag tag = 0; tag < kMessages; ++tag) (void)pair.b.send(tag, 0, kMessageBytes);
        });
        std::size_t posted = 0;
        for (Tag tag = 0; tag < 2 * kMessages; ++tag)
            posted += pair.a.send(tag, 0, kMessageBytes) == Outcome::success ? 1 : 0;
        talker.join();
        const Operation told = pair.a.connector->notify_disconnect();
        const Operation ended = pair.b.connector->disconnect();
        for (Tag tag = 0; tag < kMessages; ++tag)
            posted += pair.a.send(tag, 0, kMessageBytes) == Outcome::success ? 1 : 0;
        if (std::string_view(GetParam().face) == "Nd1") {  // its requests wait for the program (ND1-EP-GEN-21)
            ASSERT_NE(told.wait(), Outcome::nothing_by_the_deadline);
            ASSERT_EQ(pair.a.queue_pair->flush(), Outcome::success);
        }
        std::vector<Completion> results;
        const bool all = wait_until([&] {
            for (const Completion& each : pair.a.initiated->poll(16)) results.push_back(each);
            return results.size() == posted;
        });
        over = true;
        poller.join();
        ASSERT_TRUE(all) << results.size() << " of " << posted;
        ASSERT_EQ(ended.wait(), Outcome::success);
        for (const Completion& each : results)
            ASSERT_TRUE(each.outcome == Outcome::success || each.outcome == Outcome::canceled)
                << "round " << round << ": " << each;
    }
}

INSTANTIATE_TEST_SUITE_P(, BehindAWaitingSend, testing::ValuesIn(every_variant()), variant_name);
INSTANTIATE_TEST_SUITE_P(, FirstFailure, testing::ValuesIn(every_variant()), variant_name);
INSTANTIATE_TEST_SUITE_P(, EndAmidTraffic, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
