// SPDX-License-Identifier: MIT
// A listener of this process that connections within it find: no other process of the host can.
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "connected_pair.h"
#include "support/requirement.h"

namespace opennd::test {
namespace {

class Requests final : public ListenerSink {
public:
    void on_request(Ref<TransportConnector> connector, ConnectionRequest) override { connector->end(Ending::give_up); }
};

class LoopbackListenerTest : public testing::Test {
protected:
    LoopbackListenerTest() {
        std::vector<std::unique_ptr<soft::Wire>> wires;
        wires.push_back(std::make_unique<loopback::LoopbackWire>());
        transport_ = std::make_unique<soft::SoftTransport>(loop_, memory_, std::move(wires));
        adapter_ = transport_->open(Interface{}, Face::nd2).take();
    }

    Ref<TransportListener> listener() { return adapter_->create_listener(Ref<ListenerSink>(requests_)).take(); }

    EventLoop loop_;
    MappableMemory memory_;
    std::unique_ptr<soft::SoftTransport> transport_;
    Ref<TransportAdapter> adapter_;
    Ref<Requests> requests_ = make_ref<Requests>();
};

// Every named Unix socket stands in this list, and every reader of the list may connect.
std::vector<std::string> socket_names_with(const std::string& part) {
    std::vector<std::string> names;
    std::ifstream list("/proc/net/unix");
    EXPECT_TRUE(list.is_open());
    for (std::string line; std::getline(list, line);)
        if (line.find(part) != std::string::npos) names.push_back(line.substr(line.find_last_of(' ') + 1));
    return names;
}

TEST_F(LoopbackListenerTest, HasNoNameThatAnotherProcessCouldConnectTo) {
    const auto listener = this->listener();
    const Address bound = listener->bind(loopback_address(0)).take();
    ASSERT_EQ(listener->listen(0), Status::success);
    EXPECT_EQ(transport_->explain({}, bound).transport, "loopback");
    EXPECT_EQ(socket_names_with("/" + bound.text()), std::vector<std::string>{});
    listener->close();
}

TEST_F(LoopbackListenerTest, HasItsAddressFromBindToClose) {
    support::proves("ND2-LIS-BIND-01", "ND2-LIS-BIND-03");
    const auto first = listener(), second = listener();
    const Address bound = first->bind(loopback_address(0)).take();
    EXPECT_EQ(second->bind(bound).status(), Status::address_in_use);
    EXPECT_EQ(transport_->explain({}, bound).transport, "") << "found before it listens";
    ASSERT_EQ(first->listen(0), Status::success);
    EXPECT_EQ(transport_->explain({}, bound).transport, "loopback");
    first->close();
    EXPECT_EQ(transport_->explain({}, bound).transport, "");
    EXPECT_TRUE(second->bind(bound).ok());
    second->close();
}

}  // namespace
}  // namespace opennd::test
