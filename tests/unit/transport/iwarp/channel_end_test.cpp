// SPDX-License-Identifier: MIT
// How a stream ends of which the system tells one call alone, or none: the sender, the receiver, no watch.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>

#include "support/deadline.h"
#include "support/requirement.h"
#include "transport/iwarp/channel.h"
#include "unit/transport/soft/scripted_queue_pair.h"

namespace opennd::iwarp {
namespace {

using support::proves;

class CountingOwner final : public ChannelOwner {
public:
    std::atomic<int> looks{0};
    void revisit() override { ++looks; }
    void poller_left() override {}
    bool look() override { return false; }
};

struct Ends {
    Descriptor here, peer;
};

Ends connected_ends() {
    const Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener.get(), raw, length), 0);
    EXPECT_EQ(::listen(listener.get(), 1), 0);
    EXPECT_EQ(::getsockname(listener.get(), raw, &length), 0);
    Ends ends;
    ends.here = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(ends.here.get(), raw, length), 0);
    ends.peer = Descriptor(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    return ends;
}

// Nothing watches the socket: all events come from the channel.
class ChannelEnd : public test::ScriptedQueuePair {
protected:
    ~ChannelEnd() override {
        if (streaming_) streaming_->close();
        pollers_->clear();
    }

    void attach(Descriptor socket) {
        const Ref<TransportQueuePair> made =
            adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_, nullptr}).take();
        streaming_ = Ref<soft::SoftQueuePair>(static_cast<soft::SoftQueuePair*>(made.get()));
        const MpaAgreement agreement{Crc::on, Markers::none, {4, 4}, true, Rtr::none, Maker::opennd};
        channel_ = make_ref<IwarpChannel>(IwarpChannel::Parts{&loop_,
                                                              TcpSocket(std::move(socket)),
                                                              MpaRole::request,
                                                              agreement,
                                                              &streaming_->adapter()->tokens(),
                                                              streaming_->scope(),
                                                              {},
                                                              Ref<ChannelOwner>(owner_),
                                                              Completion::automatic,
                                                              pollers_,
                                                              false,
                                                              streaming_->adapter()->ledger(),
                                                              "iwarp",
                                                              make_ref<SocketBuffers>()});
        ASSERT_TRUE(streaming_->attach(Ref<soft::Channel>(channel_), nullptr, {4, 4}));
    }
    void reset_by_peer() {
        const linger at_once{1, 0};
        ASSERT_EQ(::setsockopt(ends_.peer.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
        ends_.peer.reset();
    }
    void post_send() {
        ASSERT_EQ(streaming_->post({Operation::send, RequestFlags::none, nullptr, {}}), Status::success);
    }
    // As a thread that sleeps until an arrival.
    void look() { completions_->arm(NotifyKind::any); }

    Ends ends_ = connected_ends();
    Ref<CountingOwner> owner_ = make_ref<CountingOwner>();
    Ref<PollerWatch> pollers_ = make_ref<PollerWatch>();
    Ref<soft::SoftQueuePair> streaming_;
    Ref<IwarpChannel> channel_;
};

TEST_F(ChannelEnd, AResetThatOnlyASendIsToldOfIsNoEndInOrder) {
    proves("IW-ERR-13", "ND2-GEN-12");
    attach(std::move(ends_.here));
    reset_by_peer();
    post_send();
    look();
    EXPECT_EQ(channel_->ended(), IwarpChannel::End::abnormal);
}

TEST_F(ChannelEnd, OutlivedByThisSideEndsForGoodWhenTheConnectionIsGone) {
    proves("NDK-QP-STATE-03");
    attach(std::move(ends_.here));
    ASSERT_EQ(::shutdown(ends_.peer.get(), SHUT_WR), 0);
    look();
    ASSERT_EQ(channel_->ended(), IwarpChannel::End::in_order);
    channel_->outlive_end();
    reset_by_peer();
    post_send();
    EXPECT_EQ(channel_->ended(), IwarpChannel::End::abnormal);
    EXPECT_TRUE(support::wait_until([&] { return owner_->looks != 0; })) << "nobody is told";
}

// A socket that is connected to nothing: to receive from it fails, and no event comes with that.
TEST_F(ChannelEnd, IsToldOfWhereToReceiveFailsByItself) {
    proves("IW-ERR-13");
    attach(Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)));
    look();
    EXPECT_EQ(channel_->ended(), IwarpChannel::End::abnormal);
    EXPECT_TRUE(support::wait_until([&] { return owner_->looks != 0; })) << "nobody is told";
}

}  // namespace
}  // namespace opennd::iwarp
