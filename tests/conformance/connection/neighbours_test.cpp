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

// The first Connect to a listener may show its side a way that later ones take.
TEST_P(Neighbours, ConnectToTheListenerThatIsThereNow) {
    proves("ND2-LIS-BIND-03", "ND2-CON-CONN-05");
    connect(2);
    const SocketAddress address = address_of(*listener_);
    const auto connect_to_nobody = [&] {
        QueuePair& queue_pair = a_->add();
        ASSERT_EQ(a_->newest_connector().bind(local_address()), Outcome::success);
        const Operation connect = a_->newest_connector().connect(queue_pair, address, {}, {});
        EXPECT_EQ(connect.wait(), Outcome::connection_refused);
        a_->drop(a_->size() - 1);
    };
    listener_.reset();
    ASSERT_NO_FATAL_FAILURE(connect_to_nobody());
    const std::unique_ptr<Adapter> other_open = driver().open_adapter();
    for (Adapter* const open : {&b_->adapter(), other_open.get()}) {
        listener_ = open->create_listener();
        ASSERT_EQ(listener_->bind(address), Outcome::success);
        ASSERT_EQ(listener_->listen(0), Outcome::success);
        if (open == other_open.get()) {
            const auto connector = open->create_connector();
            const Operation request = listener_->get_request(*connector);
            QueuePair& queue_pair = a_->add();
            ASSERT_EQ(a_->newest_connector().bind(local_address()), Outcome::success);
            const Operation connect = a_->newest_connector().connect(queue_pair, address, {}, {});
            ASSERT_EQ(request.wait(), Outcome::success);
            ASSERT_EQ(connector->reject({}), Outcome::success);
            EXPECT_EQ(connect.wait(), Outcome::connection_refused);
            a_->drop(a_->size() - 1);
        } else {
            ASSERT_NO_FATAL_FAILURE(connect_one_more());
            ASSERT_NO_FATAL_FAILURE(connect_one_more());
        }
        listener_.reset();
        ASSERT_NO_FATAL_FAILURE(connect_to_nobody());
    }
}

// Two listeners of one open, asked in turn.
TEST_P(Neighbours, ConnectToEachListenerOfThePeer) {
    proves("ND2-LIS-REQ-01");
    connect(2);
    auto other = listening(b_->adapter());
    for (int i = 0; i < 6; ++i) {
        std::swap(listener_, other);
        ASSERT_NO_FATAL_FAILURE(connect_one_more());
    }
}

INSTANTIATE_TEST_SUITE_P(, Neighbours, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
