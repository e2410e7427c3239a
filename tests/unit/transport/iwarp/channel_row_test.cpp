// SPDX-License-Identifier: MIT
// Short messages of a stream leave together, whatever has arrived meanwhile.
#include <array>

#include "support/deadline.h"
#include "support/requirement.h"
#include "unit/transport/iwarp/channel_over_tcp.h"

namespace opennd::iwarp {
namespace {

using support::proves;

class ChannelRow : public ChannelOverTcp {
protected:
    void poll_for_ever() {
        while (channel_->attention() != soft::Attention::polling) ASSERT_EQ(poll(), 0u);
    }
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

TEST_F(ChannelRow, OfAProgramThatSleepsWaitsForNothing) {
    proves("IW-PERF-07");
    attach(std::move(ends_.here), true);
    for (std::uint32_t sent = 0; sent < 12; ++sent) {
        post_send();
        ASSERT_TRUE(support::wait_until([&] { return arrived() != 0; })) << "message " << sent;
    }
}

}  // namespace
}  // namespace opennd::iwarp
