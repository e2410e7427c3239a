// SPDX-License-Identifier: MIT
//
// The table of completion statuses, row by row: each cause with its status at the requester and at the other side. The
// driver checks that no result of any other test has a status of another kind of request. Requirement ND2-QP-STAT-03.
#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

// Makes any token one of a registration that is over, or not yet.
constexpr std::uint32_t kOtherGeneration = 0x8000'0000;

constexpr Tag kRequest = 1, kReceive = 2, kBystander = 3;

class ResultStatus : public ConformanceTest {
protected:
    // Both results of the pair: the request at a, and at b the receive that waited for it and the other pending
    // requests.
    void expect(RequestKind kind, Outcome at_requester, Outcome at_receive) {
        EXPECT_TRUE(reports(*pair_.a.initiated, kind, kRequest, at_requester));
        if (at_receive == Outcome::canceled) {
            EXPECT_TRUE(are_flushed_with_the_peer(GetParam(), pair_.b, {kReceive, kBystander}));
            return;
        }
        EXPECT_TRUE(reports(*pair_.b.received, RequestKind::receive, kReceive, at_receive));
        if (at_requester == Outcome::success) return;
        EXPECT_TRUE(reports(*pair_.b.received, RequestKind::receive, kBystander, Outcome::canceled));
    }
    void post_receives(std::size_t length = 64) {
        ASSERT_EQ(pair_.b.receive(kReceive, 0, length), Outcome::success);
        ASSERT_EQ(pair_.b.receive(kBystander, 64, 64), Outcome::success);
    }

    ConnectedPair pair_{driver()};
};

TEST_P(ResultStatus, OfSuccess) {
    proves("ND2-QP-STAT-03");
    post_receives();
    ASSERT_EQ(pair_.a.send(kRequest, 0, 64), Outcome::success);
    expect(RequestKind::send, Outcome::success, Outcome::success);
}

TEST_P(ResultStatus, OfAReceiveThatIsTooSmall) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-QP-STAT-03");
    post_receives(8);
    ASSERT_EQ(pair_.a.send(kRequest, 0, 64), Outcome::success);
    expect(RequestKind::send, Outcome::data_error, Outcome::data_overrun);
}

TEST_P(ResultStatus, OfReceiveBuffersThatAreInvalid) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    provokes("CHECK-ENTRY");
    proves("ND2-QP-STAT-03");
    const Sge stray{pair_.b.memory.data(), 64, pair_.b.region->local_token() ^ kOtherGeneration};
    ASSERT_EQ(pair_.b.queue_pair->receive(kReceive, {&stray, 1}), Outcome::success);
    ASSERT_EQ(pair_.b.receive(kBystander), Outcome::success);
    ASSERT_EQ(pair_.a.send(kRequest, 0, 64), Outcome::success);
    expect(RequestKind::send, Outcome::data_error, Outcome::access_violation);
}

TEST_P(ResultStatus, OfATargetThatRefuses) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-QP-STAT-03");
    post_receives();
    Remote stray = pair_.b.remote();
    stray.token += 1;
    ASSERT_EQ(pair_.a.write(kRequest, 0, 64, stray), Outcome::success);
    expect(RequestKind::write, Outcome::access_violation, Outcome::canceled);
}

TEST_P(ResultStatus, OfOwnMemoryThatIsInvalid) {
    provokes("CHECK-ENTRY");
    proves("ND2-QP-STAT-03");
    post_receives();
    const Sge stray{pair_.a.memory.data(), 64, pair_.a.region->local_token() ^ kOtherGeneration};
    ASSERT_EQ(pair_.a.queue_pair->read(kRequest, {&stray, 1}, pair_.b.remote(), kNoFlags), Outcome::success);
    expect(RequestKind::read, Outcome::access_violation, Outcome::canceled);
}

TEST_P(ResultStatus, OfAFlush) {
    proves("ND2-QP-STAT-03");
    post_receives();
    ASSERT_EQ(pair_.a.queue_pair->flush(), Outcome::success);
    ASSERT_EQ(pair_.a.send(kRequest, 0, 64), Outcome::success);
    EXPECT_TRUE(reports(*pair_.a.initiated, RequestKind::send, kRequest, Outcome::canceled));
    ASSERT_EQ(pair_.a.connector->disconnect().wait(), Outcome::success);
    EXPECT_TRUE(are_flushed_with_the_peer(GetParam(), pair_.b, {kReceive, kBystander}));
}

TEST_P(ResultStatus, OfAMessageThatNobodyReceives) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-QP-STAT-03");
    ASSERT_EQ(pair_.a.send(kRequest, 0, 64), Outcome::success);
    EXPECT_TRUE(reports(*pair_.a.initiated, RequestKind::send, kRequest, Outcome::io_timeout));
    EXPECT_TRUE(pair_.b.received->poll(1).empty()) << "nothing at the other side";
}

INSTANTIATE_TEST_SUITE_P(, ResultStatus, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
