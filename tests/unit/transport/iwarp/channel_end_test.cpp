// SPDX-License-Identifier: MIT
// How a stream ends of which the system tells one call alone, or none: the sender, the receiver, no watch.
#include "unit/transport/iwarp/channel_over_tcp.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "model/provider_code.h"
#include "support/deadline.h"
#include "support/requirement.h"
#include "transport/iwarp/closing_socket.h"

namespace opennd::iwarp {
namespace {

using support::proves;

using ChannelEnd = ChannelOverTcp;

TEST_F(ChannelEnd, AResetThatOnlyASendIsToldOfIsNoEndInOrder) {
    proves("IW-ERR-13", "ND2-GEN-12");
    attach(std::move(ends_.here));
    reset_by_peer();
    post_send();
    look();
    EXPECT_EQ(channel_->ended(), IwarpChannel::End::reset);
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

// An initiator's system probes an idle peer, but only once the connection has lived for a quarter of the time for silence.
TEST_F(ChannelEnd, IsLookedForAtAnIdlePeerOnceTheConnectionHasLived) {
    proves("IW-CM-02");
    const Descriptor same(::dup(ends_.here.get()));
    const auto is_probed = [&same] {
        int probed = 0;
        socklen_t length = sizeof probed;
        EXPECT_EQ(::getsockopt(same.get(), SOL_SOCKET, SO_KEEPALIVE, &probed, &length), 0);
        return probed != 0;
    };
    attach(std::move(ends_.here), true, std::chrono::seconds(1));
    EXPECT_FALSE(is_probed()) << "it has sent nothing yet";
    post_send();
    EXPECT_TRUE(support::wait_until(is_probed));
}

class IdleWatcher final : public EventLoop::Watcher {
    void on_ready(std::uint32_t) override {}
};

// Another watch has the descriptor, so that the loop takes none for the end: the system goes on alone.
TEST_F(ChannelEnd, ThatNobodyCanWatchIsLeftToTheSystem) {
    proves("IW-ERR-07", "ND2-GEN-02");
    const int descriptor = ends_.here.get();
    ASSERT_EQ(loop_.add(descriptor, EventLoop::kPeerEnded, make_ref<IdleWatcher>()), Status::success);
    ASSERT_EQ(::fcntl(descriptor, F_SETFL, O_NONBLOCK), 0);
    const std::array<std::byte, 3> last_words{std::byte{1}, std::byte{2}, std::byte{3}};
    ClosingSocket::close(loop_, TcpSocket(std::move(ends_.here)), last_words);
    EXPECT_EQ(::fcntl(descriptor, F_GETFD), -1) << "the descriptor is still open";
    loop_.remove(descriptor);
    std::array<std::byte, 8> heard{};
    EXPECT_EQ(::recv(ends_.peer.get(), heard.data(), heard.size(), 0), 3);
    EXPECT_EQ(::recv(ends_.peer.get(), heard.data(), heard.size(), 0), 0) << "an end in order";
}

// The Terminate that this side sends is the cause of all later failures.
TEST_F(ChannelEnd, ByATerminateOfThisSideGivesItsCode) {
    proves("NDK-QP-COMP-04");
    attach(std::move(ends_.here));
    const std::uint32_t before = channel_->failure_code(Operation::send, Status::remote_data_error);
    channel_->refuse(Status::timed_out);
    const std::uint32_t code = channel_->failure_code(Operation::send, Status::remote_data_error);
    EXPECT_EQ(code, provider_code(ProviderWire::iwarp, number(cause({FaultKind::no_receive}))));
    EXPECT_NE(code, before);
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
