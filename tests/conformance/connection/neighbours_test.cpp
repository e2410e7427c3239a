// SPDX-License-Identifier: MIT
//
// Connections between the same two adapters end one after the other, in each order of their ends: another one lives on.
// Requirements ND2-CON-DISC-*, ND2-CON-NTF-*.
#include <functional>
#include <vector>

#include "conformance/queue/crowd.h"

namespace opennd::conformance {
namespace {

class Neighbours : public CrowdTest {
protected:
    // Both ends of the newest connection.
    void both_end(CrowdSide& first, CrowdSide& second) {
        const std::size_t index = first.size() - 1;
        const Operation told = second.connector(index).notify_disconnect();
        first.drop(index);
        ASSERT_NE(told.wait(), Outcome::pending);
        second.drop(index);
    }
    void disconnect_and_end(CrowdSide& first, CrowdSide& second) {
        const std::size_t index = first.size() - 1;
        const Operation told = second.connector(index).notify_disconnect();
        ASSERT_EQ(first.connector(index).disconnect().wait(), Outcome::success);
        ASSERT_NE(told.wait(), Outcome::pending);
        second.drop(index);
        first.drop(index);
    }
    // The last words of both ends meet on their way.
    void end_at_once(CrowdSide& first, CrowdSide& second) {
        const std::size_t index = first.size() - 1;
        first.drop(index);
        second.drop(index);
    }
};

TEST_P(Neighbours, LiveOnHoweverOthersEnd) {
    proves("ND2-CON-DISC-05", "ND2-CON-NTF-01");
    constexpr int kOfEachWay = 40;
    connect(1);
    const std::vector<std::function<void()>> ways = {
        [&] { both_end(*a_, *b_); },           [&] { both_end(*b_, *a_); },    [&] { disconnect_and_end(*a_, *b_); },
        [&] { disconnect_and_end(*b_, *a_); }, [&] { end_at_once(*a_, *b_); }, [&] { end_at_once(*b_, *a_); }};
    const auto expect_alive = [&] {
        std::vector<int> received(1), sent(1);
        send(0, 1);
        poll_for(*b_->results, RequestKind::receive, 1, 4, received);
        poll_for(*a_->results, RequestKind::send, 1, 4, sent);
    };
    for (std::size_t way = 0; way < ways.size(); ++way) {
        SCOPED_TRACE(way);
        for (int i = 0; i < kOfEachWay; ++i) {
            ASSERT_NO_FATAL_FAILURE(connect_one_more());
            ASSERT_NO_FATAL_FAILURE(ways[way]());
        }
        expect_alive();
        if (HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(, Neighbours, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
