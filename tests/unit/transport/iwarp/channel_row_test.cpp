// SPDX-License-Identifier: MIT
// Short messages of a stream leave together, whatever has arrived meanwhile.
#include <array>

#include "support/deadline.h"
#include "support/requirement.h"
#include "unit/transport/iwarp/channel_over_tcp.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

class ChannelRow : public ChannelOverTcp {
protected:
    void poll_for_ever() {
        while (channel_->attention() != soft::Attention::polling) ASSERT_EQ(poll(), 0u);
    }
    void post() {
        ASSERT_EQ(streaming_->post({Operation::send, RequestFlags::silent_success, nullptr, {}}), Status::success);
    }
    // Posts messages, each of which leaves at once.
    void post_alone(int messages) {
        for (int sent = 0; sent < messages; ++sent) {
            post();
            ASSERT_TRUE(support::wait_until([&] { return arrived() == kFpduBytes; })) << "message " << sent;
        }
    }
    void post_kept(int messages) {
        for (int posted = 0; posted < messages; ++posted) post();
        ASSERT_EQ(arrived(), 0u);
    }
    // They leave in one call.
    void expect_arrival(std::size_t messages) {
        std::size_t octets = 0;
        ASSERT_TRUE(support::wait_until([&] { return (octets = arrived()) != 0; }));
        EXPECT_EQ(octets, messages * kFpduBytes);
    }
    // The peer tells that it has placed this many messages.
    void confirm(std::uint64_t messages) {
        send_by_peer(Receipt{messages * kFpduBytes}.message());
        const std::uint32_t before = channel_->taken();
        ASSERT_TRUE(support::wait_until([&] {
            look();
            return channel_->taken() != before;
        }));
    }

    static constexpr std::size_t kFpduBytes = fpdu_bytes(UntaggedHeader::kBytes);  // of a Send of nothing

    // The octets that have arrived at the peer since the last call.
    std::size_t arrived() {
        std::array<std::byte, 4096> octets;
        const ssize_t got = ::recv(ends_.peer.get(), octets.data(), octets.size(), MSG_DONTWAIT);
        return got > 0 ? static_cast<std::size_t>(got) : 0;
    }
};

TEST_F(ChannelRow, WaitsForTheNextLookWhileOthersAreOnTheirWay) {
    proves("IW-PERF-07");
    attach(std::move(ends_.here), true);
    poll_for_ever();
    // Each is the first after a look.
    for (std::uint32_t sent = 0; sent < 8; ++sent) {
        post_send();
        ASSERT_TRUE(support::wait_until([&] { return arrived() != 0; })) << "message " << sent;
        ASSERT_EQ(poll(), 0u);
    }
    // No receipt has come for any.
    post_send();
    post_send();
    EXPECT_EQ(arrived(), 0u);
    ASSERT_EQ(poll(), 0u);
    EXPECT_TRUE(support::wait_until([&] { return arrived() != 0; }));
    EXPECT_EQ(arrived(), 0u) << "in two calls";
}

TEST_F(ChannelRow, OfAPollerThatStreamsHasNoFirstMessage) {
    proves("IW-PERF-07");
    attach(std::move(ends_.here), true);
    poll_for_ever();
    post_alone(1);
    post_kept(9);
    ASSERT_EQ(poll(), 0u);
    expect_arrival(9);
    post_kept(1);
    ASSERT_EQ(poll(), 0u);
    expect_arrival(1);
    confirm(11);
    post_alone(1);
}

// The thread that takes the receipt flushes: none needs to poll.
TEST_F(ChannelRow, OfAProgramThatSleepsWaitsForAReceiptThatIsDue) {
    proves("IW-PERF-07");
    attach(std::move(ends_.here), true);
    post_alone(8);
    post_kept(2);
    confirm(1);
    expect_arrival(2);
    // The first of these is the eleventh, and nine have no receipt.
    post_kept(1);
    confirm(10);
    expect_arrival(1);
}

TEST_F(ChannelRow, OfAProgramThatStreamsWaitsFromTheSecondMessageOn) {
    proves("IW-PERF-07");
    attach(std::move(ends_.here), true);
    post_alone(8);
    post_kept(8);
    confirm(8);
    expect_arrival(8);
    confirm(16);
    post_alone(2);  // eight were not many
    confirm(18);
    post_alone(8);
    post_kept(9);
    confirm(26);
    expect_arrival(9);
    confirm(35);
    post_alone(1);
    post_kept(1);  // this one ends the stream of many
    confirm(36);
    expect_arrival(1);
    confirm(37);
    post_alone(2);
}

// No arrival is sure to come.
TEST_F(ChannelRow, OfAProgramThatSleepsWaitsForNothingWithoutReceipts) {
    proves("IW-PERF-07");
    attach(std::move(ends_.here), false);
    for (std::uint32_t sent = 0; sent < 12; ++sent) {
        post_send();
        ASSERT_TRUE(support::wait_until([&] { return arrived() != 0; })) << "message " << sent;
    }
}

// A receipt behind a message that waits for a receive is not read.
TEST_F(ChannelRow, WaitsForNothingWhileAMessageOfThePeerWaitsForAReceive) {
    proves("IW-PERF-07");
    attach(std::move(ends_.here), true);
    send_by_peer(untagged_ulpdu({}, 0));
    ASSERT_TRUE(support::wait_until([&] {
        look();
        return channel_->starved();
    }));
    post_alone(12);
}

}  // namespace
}  // namespace opennd::iwarp
