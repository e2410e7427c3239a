// SPDX-License-Identifier: MIT
// TCP sockets: the options that the kernel gets for a connection, and its reports of one.
#include "platform/descriptor/tcp_socket.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;

Address loopback_address() {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return *Address::from(reinterpret_cast<const sockaddr*>(&in), sizeof in);
}

int option(const TcpSocket& socket, int level, int name) {
    int value = 0;
    socklen_t length = sizeof value;
    EXPECT_EQ(::getsockopt(socket.descriptor(), level, name, &value, &length), 0);
    return value;
}

linger linger_of(const TcpSocket& socket) {
    linger value{};
    socklen_t length = sizeof value;
    EXPECT_EQ(::getsockopt(socket.descriptor(), SOL_SOCKET, SO_LINGER, &value, &length), 0);
    return value;
}

bool becomes_readable(int descriptor) {
    pollfd entry{descriptor, POLLIN, 0};
    return ::poll(&entry, 1, 10'000) == 1;
}

class TcpSocketTest : public testing::Test {
protected:
    void SetUp() override {
        auto bound = TcpListener::bind(loopback_address());
        ASSERT_TRUE(bound.ok());
        listener_ = bound.take();
        ASSERT_EQ(listener_.listen(1, options_), Status::success);
        sockaddr_in in{};
        socklen_t length = sizeof in;
        ASSERT_EQ(::getsockname(listener_.descriptor(), reinterpret_cast<sockaddr*>(&in), &length), 0);
        address_ = loopback_address().with_port(ntohs(in.sin_port));
    }
    TcpSocket accepted() {
        EXPECT_TRUE(becomes_readable(listener_.descriptor()));
        auto socket = listener_.accept();
        EXPECT_TRUE(socket.ok());
        return socket.take().socket;
    }

    const TcpOptions options_{.dead_after = std::chrono::seconds(12)};
    TcpListener listener_;
    Address address_;
};

TEST_F(TcpSocketTest, AsksTheKernelToNoticeADeadPeer) {
    proves("IW-CM-02", "IW-CM-01");
    auto connected = TcpSocket::connect(loopback_address(), address_, 0, options_);
    ASSERT_TRUE(connected.ok());
    TcpSocket active = connected.take();
    const TcpSocket passive = accepted();
    active.probe_when_idle(options_);
    for (const TcpSocket* const end : std::initializer_list<const TcpSocket*>{&active, &passive}) {
        EXPECT_NE(option(*end, SOL_SOCKET, SO_KEEPALIVE), 0);
        EXPECT_EQ(option(*end, IPPROTO_TCP, TCP_USER_TIMEOUT), 12'000);
        EXPECT_EQ(option(*end, IPPROTO_TCP, TCP_KEEPIDLE) +
                      option(*end, IPPROTO_TCP, TCP_KEEPCNT) * option(*end, IPPROTO_TCP, TCP_KEEPINTVL),
                  12)
            << "probes of an idle connection give up as late";
        EXPECT_NE(option(*end, IPPROTO_TCP, TCP_NODELAY), 0);
        EXPECT_NE(option(*end, SOL_SOCKET, SO_OOBINLINE), 0);
        EXPECT_EQ(option(*end, IPPROTO_TCP, TCP_NOTSENT_LOWAT), option(active, IPPROTO_TCP, TCP_NOTSENT_LOWAT));
        EXPECT_EQ(linger_of(*end).l_onoff, 1) << "an end that dies is reset";
        EXPECT_EQ(linger_of(*end).l_linger, 0);
    }
}

TEST_F(TcpSocketTest, TellsTheSegmentThatThePeerTakes) {
    proves("IW-CM-03");
    constexpr int kSmall = 600;
    const Descriptor peer(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::setsockopt(peer.get(), IPPROTO_TCP, TCP_MAXSEG, &kSmall, sizeof kSmall), 0);
    const sockaddr_storage raw = address_.to_sockaddr();
    ASSERT_EQ(::connect(peer.get(), reinterpret_cast<const sockaddr*>(&raw),
                        static_cast<socklen_t>(address_.sockaddr_length())),
              0);
    const std::size_t segment = accepted().segment_bytes();
    EXPECT_LE(segment, std::size_t{kSmall});
    EXPECT_GE(segment, std::size_t{kSmall} - 40) << "but for the options of TCP";
}

TEST_F(TcpSocketTest, AListenerSharesItsAddressWithNobodyFromBindOn) {
    proves("ND2-LIS-BIND-01");
    listener_ = TcpListener();
    auto first = TcpListener::bind(address_);
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(TcpListener::bind(address_).status(), Status::address_in_use);
    const Descriptor caller(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_storage raw = address_.to_sockaddr();
    const auto length = static_cast<socklen_t>(address_.sockaddr_length());
    EXPECT_NE(::connect(caller.get(), reinterpret_cast<const sockaddr*>(&raw), length), 0)
        << "a caller is heard before listen()";
    ASSERT_EQ(first.value().listen(1, {}), Status::success);
    EXPECT_EQ(TcpListener::bind(address_).status(), Status::address_in_use);
}

// TIME_WAIT of a connection that this side ended first would keep the port for a minute.
TEST_F(TcpSocketTest, GivesItsPortBackThoughItsConnectionsEndedHere) {
    proves("ND2-LIS-BIND-03");
    auto connected = TcpSocket::connect(loopback_address(), address_, 0, {});
    ASSERT_TRUE(connected.ok());
    TcpSocket active = connected.take(), passive = accepted();
    passive.keep_after_exit();
    passive.end_sending();
    ASSERT_TRUE(becomes_readable(active.descriptor()));
    active.keep_after_exit();
    active.end_sending();
    ASSERT_TRUE(becomes_readable(passive.descriptor()));
    passive = TcpSocket();
    listener_ = TcpListener();
    auto again = TcpListener::bind(address_);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.value().listen(1, {}), Status::success);
}

}  // namespace
}  // namespace opennd
