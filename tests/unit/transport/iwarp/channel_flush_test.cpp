// SPDX-License-Identifier: MIT
// What a flush tells of messages that the peer has placed behind a Read that it has not answered. The test is the peer.
#include <vector>

#include "support/deadline.h"
#include "support/requirement.h"
#include "transport/iwarp/wire/read_request.h"
#include "unit/transport/iwarp/channel_over_tcp.h"

namespace opennd::iwarp {
namespace {

using support::proves;

constexpr std::size_t kReadOctets = fpdu_bytes(ReadRequest::kUlpduBytes);
constexpr std::size_t kSendOctets = fpdu_bytes(UntaggedHeader::kBytes);

class ChannelFlush : public ChannelOverTcp {
protected:
    void post_read() {
        ASSERT_EQ(streaming_->post({Operation::read, RequestFlags::none, nullptr, {}}), Status::success);
    }
    void await_octets(std::size_t count) {
        std::size_t arrived = 0;
        ASSERT_TRUE(support::wait_until([&] {
            std::array<std::byte, 4096> octets;
            const ssize_t got = ::recv(ends_.peer.get(), octets.data(), octets.size(), MSG_DONTWAIT);
            arrived += got > 0 ? static_cast<std::size_t>(got) : 0;
            return arrived == count;
        })) << arrived;
    }
    // The peer has placed that many octets of the stream, and the side under test knows.
    void tell_placed(std::uint64_t octets) {
        send_by_peer(Receipt{octets}.message());
        const std::uint32_t before = channel_->taken();
        ASSERT_TRUE(support::wait_until([&] {
            EXPECT_EQ(poll(), 0u) << "the Read comes first";
            return channel_->taken() != before;
        }));
    }
    std::vector<Status> flushed() {
        streaming_->flush();
        std::array<opennd::Completion, kDepth> completions;
        const std::size_t count = completions_->poll(completions);
        std::vector<Status> statuses;
        for (std::size_t i = 0; i < count; ++i) statuses.push_back(completions[i].status);
        return statuses;
    }
};

TEST_F(ChannelFlush, TellsOfASendThatThePeerPlacedBehindAReadWithoutAnAnswer) {
    proves("ND2-QP-ERR-02", "ND2-QP-FLUSH-05");
    attach(std::move(ends_.here), true);
    post_read();
    post_send();
    post_send();
    look();
    await_octets(kReadOctets + 2 * kSendOctets);
    tell_placed(kReadOctets + kSendOctets);
    EXPECT_EQ(flushed(), (std::vector{Status::canceled, Status::success, Status::canceled}));
}

}  // namespace
}  // namespace opennd::iwarp
