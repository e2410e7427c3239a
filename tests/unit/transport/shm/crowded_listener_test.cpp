// SPDX-License-Identifier: MIT
// A Connect on one host to a listener with a full socket: it waits for a place, as it waits for an answer
// (ND2-CON-CONN-07). The listener is played here, socket by socket.
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "platform/descriptor/local_socket.h"
#include "support/requirement.h"
#include "transport/local/link/control_message.h"
#include "transport/local/listener.h"
#include "unit/transport/connected_pair.h"

namespace opennd::test {
namespace {

using local::ControlType;

class CrowdedListener : public testing::Test {
protected:
    CrowdedListener() {
        std::vector<std::unique_ptr<soft::Wire>> wires;
        wires.push_back(std::make_unique<shm::ShmWire>());
        transport_ = std::make_unique<soft::SoftTransport>(loop_, memory_, std::move(wires));
        side_.adapter = transport_->open(Interface{}, Face::nd2).take();
        side_.completions = side_.adapter->create_completion_queue(8, NotifyRule::level, side_.events).take();
        side_.queue_pair =
            side_.adapter->create_queue_pair({{4, 4, 1, 1, 0}, side_.completions, side_.completions, &side_}).take();
        crowd();
    }
    ~CrowdedListener() override {
        side_.connector->end(Ending::give_up);
        side_.queue_pair->close();
        side_.completions->close();
    }

    void connect() {
        side_.connector = side_.adapter->connect(
            Ref<ConnectorSink>(side_.sink), test::loopback_address(static_cast<std::uint16_t>(port_ - 1)),
            PortOrigin::program, test::loopback_address(port_), {1, 1}, {}, side_.queue_pair);
    }

    // Takes connections from the queue until a connector's request arrives, at most ten seconds: how many were taken.
    std::size_t taken_until_request() {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        std::vector<LocalSocket> taken;
        while (std::chrono::steady_clock::now() < deadline) {
            if (auto socket = listener_.accept(); socket.ok()) taken.push_back(socket.take());
            for (LocalSocket& socket : taken) {
                const auto heard = local::receive(socket);
                if (heard.ok() && heard.value().message.type == ControlType::request) return taken.size();
            }
            std::this_thread::yield();
        }
        ADD_FAILURE() << "no request came";
        return 0;
    }

    EventLoop loop_;
    MappableMemory memory_;
    std::unique_ptr<soft::SoftTransport> transport_;
    Side side_;
    opennd::LocalListener listener_;
    std::vector<LocalSocket> crowd_;

private:
    // At the first port of its own: other processes may be at the others.
    std::string bind() {
        for (;; ++port_) {
            std::string name = local::SocketListener::socket_name("opennd/shm", test::loopback_address(port_));
            auto bound = opennd::LocalListener::bind(name);
            if (bound.status() == Status::address_in_use) continue;
            listener_ = bound.take();
            return name;
        }
    }

    void crowd() {
        const std::string name = bind();
        ASSERT_EQ(listener_.listen(1), Status::success);
        for (;;) {
            auto socket = LocalSocket::connect(name);
            if (socket.status() == Status::would_block) return;
            ASSERT_EQ(socket.status(), Status::success);
            crowd_.push_back(socket.take());
        }
    }

    std::uint16_t port_ = 40017;
};

TEST_F(CrowdedListener, IsAskedAgainUntilItHasRoom) {
    support::proves("ND2-CON-CONN-07", "ND2-LIS-LIST-01");
    connect();
    EXPECT_EQ(taken_until_request(), crowd_.size() + 1);
}

TEST_F(CrowdedListener, ThatGoesRefuses) {
    connect();
    listener_ = opennd::LocalListener();
    EXPECT_EQ(side_.sink->replied.wait(), Status::connection_refused);
}

TEST_F(CrowdedListener, IsNotAskedAgainByAConnectorThatWasClosed) {
    connect();
    side_.connector->end(Ending::cancel);
    const auto closed = side_.connector;
    connect();
    EXPECT_EQ(taken_until_request(), crowd_.size() + 1);
}

}  // namespace
}  // namespace opennd::test
