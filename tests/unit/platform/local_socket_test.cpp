// SPDX-License-Identifier: MIT
// Packets, descriptors and ends of connections over Unix sockets.
#include "platform/local_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

#include "platform/random.h"
#include "unit/platform/open_descriptors.h"
#include "unit/platform/readable.h"

namespace opennd {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string fresh_name() { return "opennd-test-" + std::to_string(random_u64()); }

class LocalSocketTest : public testing::Test {
protected:
    void SetUp() override {
        auto ends = LocalSocket::pair();
        ASSERT_TRUE(ends.ok());
        std::tie(ours_, theirs_) = ends.take();
    }
    void TearDown() override {
        ours_ = LocalSocket();
        theirs_ = LocalSocket();
        EXPECT_EQ(open_descriptors(), descriptors_before_);
    }

    std::string_view text(const LocalSocket::Packet& packet) const {
        return {reinterpret_cast<const char*>(buffer_.data()), packet.bytes};
    }

    const std::size_t descriptors_before_ = open_descriptors();
    LocalSocket ours_;
    LocalSocket theirs_;
    std::array<std::byte, 64> buffer_{};
};

TEST_F(LocalSocketTest, KeepsPacketsApart) {
    ASSERT_EQ(ours_.send(bytes_of("one")), Status::success);
    ASSERT_EQ(ours_.send(bytes_of("three")), Status::success);
    Result<LocalSocket::Packet> packet = theirs_.receive(buffer_);
    ASSERT_TRUE(packet.ok());
    EXPECT_EQ(text(packet.value()), "one");
    EXPECT_FALSE(packet.value().truncated);
    packet = theirs_.receive(buffer_);
    ASSERT_TRUE(packet.ok());
    EXPECT_EQ(text(packet.value()), "three");
}

TEST_F(LocalSocketTest, NeverWaits) {
    EXPECT_FALSE(readable(theirs_.descriptor()));
    EXPECT_EQ(theirs_.receive(buffer_).status(), Status::would_block);
    Status status = Status::success;
    for (int sent = 0; ok(status) && sent < 1'000'000; ++sent) status = ours_.send(bytes_of("fill"));
    EXPECT_EQ(status, Status::would_block);
}

TEST_F(LocalSocketTest, MarksAPacketThatWasCut) {
    ASSERT_EQ(ours_.send(bytes_of("too long")), Status::success);
    const auto packet = theirs_.receive(std::span(buffer_).first(3));
    ASSERT_TRUE(packet.ok());
    EXPECT_TRUE(packet.value().truncated);
    EXPECT_EQ(text(packet.value()), "too");
}

TEST_F(LocalSocketTest, CarriesDescriptors) {
    const Descriptor event(::eventfd(5, EFD_CLOEXEC));
    const std::array descriptors{event.get(), event.get()};
    ASSERT_EQ(ours_.send(bytes_of("x"), descriptors), Status::success);
    const auto packet = theirs_.receive(buffer_);
    ASSERT_TRUE(packet.ok());
    ASSERT_EQ(packet.value().descriptors.size(), 2u);
    const int received = packet.value().descriptors[1].get();
    EXPECT_NE(received, event.get());
    EXPECT_NE(::fcntl(received, F_GETFD) & FD_CLOEXEC, 0);
    std::uint64_t value = 0;
    EXPECT_EQ(::read(received, &value, sizeof value), 8);
    EXPECT_EQ(value, 5u);
}

TEST_F(LocalSocketTest, CarriesAsManyDescriptorsAsItSays) {
    const Descriptor event(::eventfd(0, EFD_CLOEXEC));
    const std::vector<int> most(LocalSocket::kMaxDescriptors, event.get());
    const std::vector<int> too_many(LocalSocket::kMaxDescriptors + 1, event.get());
    EXPECT_EQ(ours_.send(bytes_of("x"), too_many), Status::invalid_parameter);
    ASSERT_EQ(ours_.send(bytes_of("x"), most), Status::success);
    const auto packet = theirs_.receive(buffer_);
    ASSERT_TRUE(packet.ok());
    EXPECT_EQ(packet.value().descriptors.size(), LocalSocket::kMaxDescriptors);
    EXPECT_FALSE(packet.value().truncated);
}

// A hostile peer sends more with its own system call; TearDown counts what remained open.
TEST_F(LocalSocketTest, ClosesSurplusDescriptors) {
    constexpr std::size_t kSent = 20;
    const Descriptor event(::eventfd(0, EFD_CLOEXEC));
    alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int) * kSent)> control{};
    char byte = 'x';
    iovec part{&byte, 1};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * kSent);
    const std::vector<int> descriptors(kSent, event.get());
    std::memcpy(CMSG_DATA(header), descriptors.data(), kSent * sizeof(int));
    ASSERT_EQ(::sendmsg(ours_.descriptor(), &message, 0), 1);

    const auto packet = theirs_.receive(buffer_);
    ASSERT_TRUE(packet.ok());
    EXPECT_EQ(packet.value().descriptors.size(), LocalSocket::kMaxDescriptors);
    EXPECT_TRUE(packet.value().truncated);
}

TEST_F(LocalSocketTest, ReportsTheEndAfterTheLastPacket) {
    ASSERT_EQ(ours_.send(bytes_of("last")), Status::success);
    ours_ = LocalSocket();
    EXPECT_TRUE(theirs_.receive(buffer_).ok());
    EXPECT_EQ(theirs_.receive(buffer_).status(), Status::disconnected);
    EXPECT_EQ(theirs_.send(bytes_of("x")), Status::disconnected);
}

TEST_F(LocalSocketTest, ReportsAPeerThatLeftPacketsUnread) {
    ASSERT_EQ(ours_.send(bytes_of("unread")), Status::success);
    theirs_ = LocalSocket();
    EXPECT_EQ(ours_.receive(buffer_).status(), Status::disconnected);
}

// A farewell that crosses another one is heard.
TEST_F(LocalSocketTest, GivesWhatAPeerSentThatLeftPacketsUnread) {
    ASSERT_EQ(ours_.send(bytes_of("unread")), Status::success);
    ASSERT_EQ(theirs_.send(bytes_of("last")), Status::success);
    theirs_ = LocalSocket();
    ASSERT_TRUE(ours_.receive(buffer_).ok());
    EXPECT_EQ(ours_.receive(buffer_).status(), Status::disconnected);
}

TEST_F(LocalSocketTest, DoesNotSendEmptyPackets) {
    EXPECT_EQ(ours_.send({}), Status::invalid_parameter);
    EXPECT_EQ(theirs_.receive(buffer_).status(), Status::would_block);
}

TEST_F(LocalSocketTest, RefusesAPacketLargerThanTheSendBuffer) {
    const std::vector<std::byte> large(64 << 20);
    EXPECT_EQ(ours_.send(large), Status::message_too_long);
}

TEST_F(LocalSocketTest, KnowsItsPeer) {
    const auto identity = ours_.peer();
    ASSERT_TRUE(identity.ok());
    EXPECT_EQ(identity.value().pid, ::getpid());
    EXPECT_EQ(identity.value().uid, ::getuid());
}

class LocalListenerTest : public testing::Test {
protected:
    void TearDown() override { EXPECT_EQ(open_descriptors(), descriptors_before_); }

    const std::size_t descriptors_before_ = open_descriptors();
    const std::string name_ = fresh_name();
};

TEST_F(LocalListenerTest, AcceptsAConnection) {
    Result<LocalListener> listener = LocalListener::bind(name_);
    ASSERT_TRUE(listener.ok());
    ASSERT_EQ(listener.value().listen(4), Status::success);
    EXPECT_EQ(listener.value().accept().status(), Status::would_block);

    Result<LocalSocket> client = LocalSocket::connect(name_);
    ASSERT_TRUE(client.ok());
    EXPECT_TRUE(readable(listener.value().descriptor()));
    Result<LocalSocket> server = listener.value().accept();
    ASSERT_TRUE(server.ok());
    EXPECT_EQ(server.value().peer().value().pid, ::getpid());

    std::array<std::byte, 8> buffer{};
    ASSERT_EQ(server.value().send(bytes_of("hi")), Status::success);
    EXPECT_EQ(client.value().receive(buffer).value().bytes, 2u);
    EXPECT_EQ(client.value().receive(buffer).status(), Status::would_block);
}

TEST_F(LocalListenerTest, RefusesWhereNobodyListens) {
    EXPECT_EQ(LocalSocket::connect(name_).status(), Status::connection_refused);
    Result<LocalListener> bound = LocalListener::bind(name_);
    ASSERT_TRUE(bound.ok());
    EXPECT_EQ(LocalSocket::connect(name_).status(), Status::connection_refused);
    EXPECT_EQ(bound.value().accept().status(), Status::invalid_parameter);
}

TEST_F(LocalListenerTest, TellsWhenTheBacklogIsFull) {
    Result<LocalListener> listener = LocalListener::bind(name_);
    ASSERT_EQ(listener.value().listen(1), Status::success);
    std::vector<LocalSocket> clients;
    Status status = Status::success;
    while (ok(status) && clients.size() < 100) {
        Result<LocalSocket> client = LocalSocket::connect(name_);
        status = client.status();
        if (client.ok()) clients.push_back(client.take());
    }
    EXPECT_EQ(status, Status::would_block);
    ASSERT_FALSE(clients.empty());
    ASSERT_TRUE(listener.value().accept().ok());
    EXPECT_TRUE(LocalSocket::connect(name_).ok()) << "one place is free again";
}

TEST_F(LocalListenerTest, ANameHasOneOwner) {
    {
        Result<LocalListener> first = LocalListener::bind(name_);
        ASSERT_TRUE(first.ok());
        EXPECT_EQ(LocalListener::bind(name_).status(), Status::address_in_use);
    }
    EXPECT_TRUE(LocalListener::bind(name_).ok());
}

TEST_F(LocalListenerTest, RefusesNamesThatCannotBe) {
    EXPECT_EQ(LocalListener::bind("").status(), Status::invalid_parameter);
    EXPECT_EQ(LocalListener::bind(std::string(108, 'x')).status(), Status::invalid_parameter);
    EXPECT_TRUE(LocalListener::bind(fresh_name().append(107, 'x').substr(0, 107)).ok());
    EXPECT_EQ(LocalSocket::connect("").status(), Status::invalid_parameter);
}

}  // namespace
}  // namespace opennd
