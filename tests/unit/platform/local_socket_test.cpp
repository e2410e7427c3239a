// SPDX-License-Identifier: MIT
// Packets, descriptors and ends of connections over Unix sockets.
#include "platform/descriptor/local_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include "platform/host/random.h"
#include "support/deadline.h"
#include "support/held_file.h"
#include "support/kernel_limits.h"
#include "unit/platform/open_descriptors.h"
#include "unit/platform/readable.h"

namespace opennd {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string fresh_name() { return "opennd-test-" + std::to_string(random_u64()); }

// A hostile peer sends with its own system call.
void send_raw(const LocalSocket& socket, std::string_view text, const std::vector<int>& descriptors) {
    std::vector<std::byte> control(CMSG_SPACE(sizeof(int) * descriptors.size()));
    iovec part{const_cast<char*>(text.data()), text.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size() * sizeof(int));
    ASSERT_EQ(::sendmsg(socket.descriptor(), &message, 0), static_cast<ssize_t>(text.size()));
}

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
        expect_all_closed(descriptors_before_);
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

// TearDown counts the descriptors still open.
TEST_F(LocalSocketTest, ClosesSurplusDescriptors) {
    const Descriptor event(::eventfd(0, EFD_CLOEXEC));
    send_raw(ours_, "x", std::vector<int>(20, event.get()));

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

// A peer sends a file with a last close that waits for that peer, in each way, and the packet is taken or not.
class ForeignFileTest : public LocalSocketTest {
protected:
    void TearDown() override {
        file_.let_go();
        LocalSocketTest::TearDown();
    }

    // `use` ends though the file is held.
    template <typename Use>
    void expect_no_wait(Use&& use) {
        file_.leave_to_another();
        auto used = std::async(std::launch::async, use);
        EXPECT_EQ(used.wait_for(support::kDeadline), std::future_status::ready) << "it waits for the peer's file";
        file_.let_go();
    }
    std::vector<int> files(std::size_t count) const { return std::vector<int>(count, file_.descriptor()); }
    // From here on each socket that is closed apart waits behind this one.
    void hold_up_closing() {
        send_raw(ours_, "x", files(1));
        file_.leave_to_another();
        theirs_ = LocalSocket();
    }

    support::HeldFile file_;
};

TEST_F(ForeignFileTest, InAPacketThatNobodyTookIsNotWaitedFor) {
    send_raw(ours_, "x", files(1));
    expect_no_wait([this] { theirs_ = LocalSocket(); });
}

TEST_F(ForeignFileTest, InAnEmptyPacketThatNobodyTookIsNotWaitedFor) {
    send_raw(ours_, "", files(1));
    expect_no_wait([this] { theirs_ = LocalSocket(); });
}

TEST_F(ForeignFileTest, OfAPeerThatHasGoneIsNotWaitedFor) {
    ASSERT_EQ(theirs_.send(bytes_of("unread")), Status::success);
    send_raw(ours_, "x", files(1));
    ours_ = LocalSocket();
    expect_no_wait([this] { theirs_ = LocalSocket(); });
}

TEST_F(ForeignFileTest, BehindPacketsThatNobodyTookIsNotWaitedFor) {
    for (int i = 0; i < 3; ++i) ASSERT_EQ(ours_.send(bytes_of("unread")), Status::success);
    send_raw(ours_, "x", files(1));
    expect_no_wait([this] { theirs_ = LocalSocket(); });
}

// More packets than the end of a socket looks at.
TEST_F(ForeignFileTest, BehindAFloodOfPacketsIsNotWaitedFor) {
    for (int i = 0; i < 100; ++i) ASSERT_EQ(ours_.send(bytes_of("unread")), Status::success);
    send_raw(ours_, "x", files(1));
    expect_no_wait([this] { theirs_ = LocalSocket(); });
}

TEST_F(ForeignFileTest, InAPacketThatIsDroppedIsNotWaitedFor) {
    send_raw(ours_, "x", files(1));
    expect_no_wait([this] { EXPECT_EQ(theirs_.receive(buffer_).value().descriptors.size(), 1u); });
}

TEST_F(ForeignFileTest, AmongMoreThanAPacketMayCarryIsNotWaitedFor) {
    send_raw(ours_, "x", files(253));
    expect_no_wait([this] { EXPECT_TRUE(theirs_.receive(buffer_).value().truncated); });
}

TEST_F(ForeignFileTest, OfAConnectionThatNobodyAcceptedIsNotWaitedFor) {
    const std::string name = fresh_name();
    std::optional<LocalListener> listener = LocalListener::bind(name).take();
    ASSERT_EQ(listener->listen(4), Status::success);
    const LocalSocket client = LocalSocket::connect(name).take();
    send_raw(client, "x", files(1));
    expect_no_wait([&] { listener.reset(); });
    EXPECT_EQ(LocalSocket::connect(name).status(), Status::connection_refused);
}

// Each closing that waits is a descriptor: nothing more is taken from other processes while there are too many.
TEST_F(ForeignFileTest, OfManyPeersLetsNoMoreOfThemIn) {
    const std::string name = fresh_name();
    LocalListener listener = LocalListener::bind(name).take();
    ASSERT_EQ(listener.listen(4), Status::success);
    LocalSocket waiting = LocalSocket::connect(name).take();
    hold_up_closing();
    const Descriptor event(::eventfd(0, EFD_CLOEXEC));
    Status status = Status::connection_refused;  // nobody listens there
    const auto close_one_more = [&] {
        auto ends = LocalSocket::pair().take();
        send_raw(ends.first, "x", {event.get()});
        ends.second = LocalSocket();
    };
    for (int i = 0; status == Status::connection_refused && i < 1000; ++i) {
        close_one_more();
        status = LocalSocket::connect(fresh_name()).status();
    }
    EXPECT_EQ(status, Status::insufficient_resources);
    close_one_more();  // the closing thread may only now take the held file from the list
    EXPECT_EQ(listener.accept().status(), Status::insufficient_resources);
    file_.let_go();
    EXPECT_TRUE(support::wait_until([&] { return listener.accept().ok(); })) << "it is not taken later";
}

// Many connections end at once, each with a record and a wake-up that nobody took.
TEST_F(ForeignFileTest, HoldsUpNoSocketWithoutOne) {
    if (const std::string reason = support::receives_only_with_room(); !reason.empty()) GTEST_SKIP() << reason;
    hold_up_closing();
    const std::size_t open_before = open_descriptors();
    for (int i = 0; i < 200; ++i) {
        auto ends = LocalSocket::pair().take();
        ASSERT_EQ(ends.first.send(bytes_of("record")), Status::success);
        ASSERT_EQ(ends.first.send(bytes_of("wake-up")), Status::success);
    }
    EXPECT_LE(open_descriptors(), open_before);
    EXPECT_EQ(LocalSocket::connect(fresh_name()).status(), Status::connection_refused) << "nobody listens there";
}

TEST_F(LocalSocketTest, KnowsItsPeer) {
    const auto identity = ours_.peer();
    ASSERT_TRUE(identity.ok());
    EXPECT_EQ(identity.value().pid, ::getpid());
    EXPECT_EQ(identity.value().uid, ::getuid());
}

class LocalListenerTest : public testing::Test {
protected:
    void TearDown() override { expect_all_closed(descriptors_before_); }

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
