// SPDX-License-Identifier: MIT
//
// In the middle of a long message of this side's, with its rest waiting for a peer that takes none: the traffic that
// goes on, and the traffic that must not come between.
#include "hostile/heard.h"
#include "hostile/hostile_test.h"
#include "support/pattern.h"

namespace opennd::hostile {
namespace {

constexpr std::uint32_t kMuch = 32u << 20;  // more than sockets hold
const conformance::EndpointOptions kMuchMemory{.memory_bytes = kMuch};

class StreamMiddle : public Hostile {
protected:
    // The peer's messages are taken, though this side can send nothing now.
    void expect_taken(Tag tag, std::uint32_t msn, const Octets& octets) {
        ASSERT_EQ(stream_.side.receive(tag, 0, 8), Outcome::success);
        stream_.peer.say(joined({octets, fpdu(send(msn, {1}))}));
        EXPECT_TRUE(reports_received(*stream_.side.received, tag, 1));
    }
    // Each octet of the memory tells where it lies.
    static std::byte octet_at(std::size_t offset) { return static_cast<std::byte>(offset >> 12); }
    void fill_memory() {
        const auto memory = stream_.side.memory.bytes();
        for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = octet_at(i);
    }
    // Segments of that message alone, to its last, and the memory's octets in them; how many they bring.
    std::size_t rest_of(Heard heard, unsigned opcode) {
        const std::size_t header = opcode == kResponse ? 14 : 18;
        for (std::size_t octets = 0;; heard = next_of(stream_.peer)) {
            EXPECT_EQ(heard.opcode(), opcode);
            EXPECT_EQ(std::byte{heard.ulpdu.back()}, octet_at(octets + heard.ulpdu.size() - header - 1));
            octets += heard.ulpdu.size() - header;
            if (heard.last() || heard.opcode() != opcode || testing::Test::HasFailure()) return octets;
        }
    }

    OpenStream stream_{driver(), kMuchMemory};
};

TEST_F(StreamMiddle, OfAMessageNoAnswerBegins) {
    proves("IW-RDMAP-12", "IW-DDP-03");
    fill_memory();
    ASSERT_EQ(stream_.side.send(1, 0, kMuch), Outcome::success);
    const Heard first = next_of(stream_.peer);
    expect_taken(2, 1, fpdu(read_request(1, stream_.stag(), stream_.address(), 8)));
    EXPECT_EQ(rest_of(first, kSend), kMuch);
    EXPECT_EQ(next_message(stream_.peer).opcode(), kResponse);
}

TEST_F(StreamMiddle, OfAnAnswerNoMessageBegins) {
    proves("IW-RDMAP-12", "IW-DDP-03");
    fill_memory();
    stream_.peer.say(fpdu(read_request(1, stream_.stag(), stream_.address(), kMuch)));
    const Heard first = next_of(stream_.peer);
    ASSERT_EQ(stream_.side.send(1, 0, 8), Outcome::success);
    EXPECT_EQ(rest_of(first, kResponse), kMuch);
    EXPECT_EQ(next_message(stream_.peer).opcode(), kSend);
    EXPECT_TRUE(reports(*stream_.side.initiated, RequestKind::send, 1, Outcome::success));
}

TEST_F(StreamMiddle, OfAMessageATerminateSaysWhatBecomesOfIt) {
    proves("IW-ERR-19", "IW-RDMAP-41");
    ASSERT_EQ(stream_.side.send(1, 0, kMuch), Outcome::success);
    ASSERT_EQ(next_of(stream_.peer).opcode(), kSend);
    const Octets quoted = untagged(3, 0, 1, 0);
    stream_.peer.say(fpdu(untagged(7, 2, 1, 0, joined({{0x12, 2, 0xc0, 0}, number(26, 2), quoted}))));
    EXPECT_TRUE(reports(*stream_.side.initiated, RequestKind::send, 1, Outcome::io_timeout));
}

}  // namespace
}  // namespace opennd::hostile
