// SPDX-License-Identifier: MIT
//
// The first failure of a queue pair: nothing behind it succeeds that the peer has not taken, and nothing after it has a cause of its own,
// be it a request or a receive. Requirements ND2-QP-ERR-01, ND2-QP-ERR-02, ND2-QP-POST-11, ND1-EP-GEN-10, NDK-QP-COMP-01.
#include <string>
#include <string_view>
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
        EXPECT_TRUE(reports(*a().initiated, RequestKind::send, 1, Outcome::io_timeout));
        EXPECT_TRUE(reports_exactly(*a().initiated, {2}, Outcome::canceled));
    }
}

TEST_P(BehindAWaitingSend, EverythingSucceedsWhenItIsReceived) {
    provokes("CHECK-RECEIVE-LATE");
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

INSTANTIATE_TEST_SUITE_P(, BehindAWaitingSend, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
