// SPDX-License-Identifier: MIT
// A Connect over iwarp that meets a listener of the test: none, a full one, one that waits for the Reply.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <string>

#include "base/explanation.h"
#include "support/requirement.h"
#include "unit/transport/connected_pair.h"

namespace opennd::iwarp {
namespace {

using support::proves;

class ListeningSocket {
public:
    ListeningSocket() {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        auto* const raw = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(socket_.get(), raw, length), 0);
        EXPECT_EQ(::getsockname(socket_.get(), raw, &length), 0);
        port_ = ntohs(address.sin_port);
    }
    // One connection waits at most.
    void listen_for_one() { EXPECT_EQ(::listen(socket_.get(), 0), 0); }
    Descriptor connected() const {
        Descriptor other(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port_);
        EXPECT_EQ(::connect(other.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        return other;
    }
    // A call that waits ten seconds at most, and so do those of the socket that it gives.
    Descriptor accept() const {
        const timeval patience{10, 0};
        EXPECT_EQ(::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
        Descriptor taken(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        EXPECT_TRUE(taken);
        EXPECT_EQ(::setsockopt(taken.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
        return taken;
    }
    std::uint16_t port() const { return port_; }

private:
    const Descriptor socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    std::uint16_t port_ = 0;
};

// The octets of a Request of revision 2 without private data; fewer if they do not come.
std::size_t request_octets(const Descriptor& peer) {
    std::array<std::byte, 24> request;
    const ssize_t got = ::recv(peer.get(), request.data(), request.size(), MSG_WAITALL);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
}

class IwarpConnect : public testing::Test {
protected:
    IwarpConnect() {
        std::vector<std::unique_ptr<soft::Wire>> wires;
        wires.push_back(std::make_unique<IwarpWire>());
        transport_ = std::make_unique<soft::SoftTransport>(loop_, mappable_, std::move(wires));
        adapter_ = transport_->open(Interface{}, Face::nd2).take();
        completions_ = adapter_->create_completion_queue(8, NotifyRule::level, events_).take();
        queue_pair_ = adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_, nullptr}).take();
    }
    ~IwarpConnect() override {
        if (connector_) connector_->end(Ending::cancel);
        queue_pair_->close();
        completions_->close();
    }
    void connect() {
        connector_ = adapter_->connect(Ref<ConnectorSink>(sink_), test::loopback_address(), PortOrigin::drawn,
                                       test::loopback_address(listener_.port()), {1, 1}, {}, queue_pair_);
    }

    EventLoop loop_;
    MappableMemory mappable_;
    std::unique_ptr<soft::SoftTransport> transport_;
    Ref<TransportAdapter> adapter_;
    test::CountingSink events_;
    Ref<TransportCompletionQueue> completions_;
    Ref<TransportQueuePair> queue_pair_;
    Ref<test::RecordingSink> sink_ = make_ref<test::RecordingSink>();
    Ref<TransportConnector> connector_;
    ListeningSocket listener_;
};

TEST_F(IwarpConnect, ThatNobodyTakesIsExplainedByItsAddress) {
    proves("ND2-CON-CONN-05");
    std::string asked;
    set_failure_sink(
        [](void* to, const Failure& failure) { *static_cast<std::string*>(to) = std::string_view(failure.asked); },
        &asked);
    connect();
    EXPECT_EQ(sink_->replied.wait(), Status::connection_refused);
    set_failure_sink(nullptr, nullptr);
    EXPECT_EQ(asked, "a connection to 127.0.0.1:" + std::to_string(listener_.port()) + " over iwarp");
}

// Its first segment is lost at a listener that is full, and the system sends another a second later.
TEST_F(IwarpConnect, ThatIsNotConnectedAtOnceGoesOnWhenItIs) {
    proves("IW-CM-02", "ND2-CON-CONN-05");
    listener_.listen_for_one();
    const Descriptor other = listener_.connected();
    connect();
    const Descriptor others_end = listener_.accept(), peer = listener_.accept();
    EXPECT_EQ(request_octets(peer), 24u);
}

TEST_F(IwarpConnect, ThatIsCancelledIsReset) {
    proves("ND2-CON-ACC-10");
    listener_.listen_for_one();
    connect();
    const Descriptor peer = listener_.accept();
    ASSERT_EQ(request_octets(peer), 24u);
    connector_->end(Ending::cancel);
    std::byte octet;
    EXPECT_EQ(::recv(peer.get(), &octet, 1, 0), -1);
    EXPECT_EQ(errno, ECONNRESET);
}

TEST_F(IwarpConnect, ThatIsGivenUpEndsInOrder) {
    proves("ND2-CON-ACC-10");
    listener_.listen_for_one();
    connect();
    const Descriptor peer = listener_.accept();
    ASSERT_EQ(request_octets(peer), 24u);
    connector_->end(Ending::give_up);
    std::byte octet;
    EXPECT_EQ(::recv(peer.get(), &octet, 1, 0), 0);
}

}  // namespace
}  // namespace opennd::iwarp
