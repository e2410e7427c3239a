// SPDX-License-Identifier: MIT
// A channel over a TCP stream whose other end is a socket of the test.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>

#include "transport/iwarp/channel.h"
#include "transport/iwarp/stream/mpa_framer.h"
#include "unit/transport/soft/scripted_queue_pair.h"

namespace opennd::iwarp {

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

inline Ends connected_ends() {
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

// Nothing watches the socket: all events come from the channel, and from the test.
class ChannelOverTcp : public test::ScriptedQueuePair {
protected:
    static constexpr std::uint32_t kDepth = 32;

    ~ChannelOverTcp() override {
        if (streaming_) streaming_->close();
        pollers_->clear();
    }

    void attach(Descriptor socket, bool receipts = false,
                std::chrono::milliseconds dead_after = std::chrono::seconds(30)) {
        attach(std::move(socket), Ref<ChannelOwner>(owner_), receipts, dead_after);
    }
    void attach(Descriptor socket, Ref<ChannelOwner> owner, bool receipts = false,
                std::chrono::milliseconds dead_after = std::chrono::seconds(30)) {
        const Ref<TransportQueuePair> made =
            adapter_->create_queue_pair({{4, kDepth, 1, 1, 0}, completions_, completions_, nullptr}).take();
        streaming_ = Ref<soft::SoftQueuePair>(static_cast<soft::SoftQueuePair*>(made.get()));
        const MpaAgreement agreement{Crc::on, Markers::none, {4, 4}, true, Rtr::none, Maker::opennd, receipts};
        channel_ = make_ref<IwarpChannel>(IwarpChannel::Parts{&loop_,
                                                              TcpSocket(std::move(socket)),
                                                              MpaRole::request,
                                                              agreement,
                                                              &streaming_->adapter()->tokens(),
                                                              streaming_->scope(),
                                                              {},
                                                              std::move(owner),
                                                              CompletionProof::automatic,
                                                              pollers_,
                                                              false,
                                                              streaming_->adapter()->ledger(),
                                                              "iwarp",
                                                              make_ref<SocketBuffers>(),
                                                              dead_after});
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
    void send_by_peer(std::span<const std::byte> ulpdu) {
        Fpdu fpdu;
        framer_.frame({&ulpdu, 1}, fpdu);
        for (const std::span<const std::byte> piece : fpdu.pieces())
            ASSERT_EQ(::send(ends_.peer.get(), piece.data(), piece.size(), 0), static_cast<ssize_t>(piece.size()));
    }
    // As a thread that sleeps until an arrival.
    void look() { completions_->arm(NotifyKind::any); }

    Ends ends_ = connected_ends();
    MpaFramer framer_{Crc::on, Markers::none};  // the peer's
    Ref<CountingOwner> owner_ = make_ref<CountingOwner>();
    Ref<PollerWatch> pollers_ = make_ref<PollerWatch>();
    Ref<soft::SoftQueuePair> streaming_;
    Ref<IwarpChannel> channel_;
};

}  // namespace opennd::iwarp
