// SPDX-License-Identifier: MIT
// FPDUs collected in one slab: the same octets as pieces would have, with markers or without.
#include "transport/iwarp/output.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "platform/memory/guarded_copy.h"
#include "support/no_new_memory.h"
#include "support/requirement.h"
#include "transport/iwarp/stream/mpa_deframer.h"
#include "transport/iwarp/wire/terminate.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

Octets numbered(std::size_t bytes) {
    Octets octets(bytes);
    for (std::size_t i = 0; i < bytes; ++i) octets[i] = static_cast<std::byte>(i * 7);
    return octets;
}

void put(Output& output, const Octets& header, Octets& payload) {
    const Sge sge{payload.data(), static_cast<std::uint32_t>(payload.size()), Token::none};
    soft::SgeCursor from({&sge, 1});
    EXPECT_TRUE(output.has_room(header.size() + payload.size()));
    EXPECT_TRUE(output.put(header, from, payload.size()));
}

TEST(Output, HoldsWholeFpdusOneBehindTheOther) {
    proves("IW-DDP-05", "IW-PERF-07");
    const Ref<SocketBuffers> buffers = make_ref<SocketBuffers>();
    Output output(Crc::on, Markers::none, *buffers);
    const Octets header = numbered(18);
    Octets payload = numbered(1001), other = numbered(3);
    put(output, header, payload);
    put(output, header, other);
    EXPECT_EQ(output.framed(), output.unsent().size());
    MpaDeframer deframer(Crc::on);
    std::span<const std::byte> stream = output.unsent();
    for (const Octets& expected : {payload, other}) {
        const auto ulpdu = deframer.next(stream);
        ASSERT_TRUE(ulpdu.ok() && ulpdu.value());
        EXPECT_TRUE(same(*ulpdu.value(), joined({header, expected})));
    }
    EXPECT_TRUE(stream.empty());
}

TEST(Output, HasTheCrcOfWhatLeaves) {
    proves("IW-MPA-22", "IW-RDMAP-31");
    const Ref<SocketBuffers> buffers = make_ref<SocketBuffers>();
    Output output(Crc::on, Markers::none, *buffers);
    Octets payload = numbered(500);
    put(output, numbered(14), payload);
    std::fill(payload.begin(), payload.end(), std::byte{0});  // the program uses its buffer again
    MpaDeframer deframer(Crc::on);
    std::span<const std::byte> stream = output.unsent();
    EXPECT_TRUE(deframer.next(stream).ok());
}

TEST(Output, InsertsMarkersAsAFramerInPiecesDoes) {
    proves("IW-MPA-28", "IW-NEG-27");
    const Ref<SocketBuffers> buffers = make_ref<SocketBuffers>();
    Output output(Crc::on, Markers::inserted, *buffers);
    MpaFramer framer(Crc::on, Markers::inserted);
    Octets expected;
    for (const std::size_t bytes : {std::size_t{24}, std::size_t{1500}, std::size_t{490}, std::size_t{3}}) {
        const Octets header = numbered(14);
        Octets payload = numbered(bytes);
        put(output, header, payload);
        const Octets ulpdu = joined({header, payload});
        const std::span<const std::byte> whole(ulpdu);
        Fpdu fpdu;
        framer.frame({&whole, 1}, fpdu);
        for (const auto piece : fpdu.pieces()) expected.insert(expected.end(), piece.begin(), piece.end());
    }
    EXPECT_TRUE(same(output.unsent(), expected));
}

TEST(Output, KeepsRoomForATerminate) {
    proves("IW-ERR-01");
    const Ref<SocketBuffers> buffers = make_ref<SocketBuffers>();
    Output output(Crc::on, Markers::none, *buffers);
    Octets payload = numbered(4000);
    const Octets header = numbered(14);
    while (output.has_room(header.size() + payload.size())) put(output, header, payload);
    const std::size_t before = output.unsent().size();
    output.put(Terminate(term(2, 0, 2)).ulpdu());
    EXPECT_EQ(output.unsent().size(), before + 28);
    EXPECT_LE(output.unsent().size(), Output::kSlabBytes);
}

TEST(Output, HasNoRoomWithoutMemory) {
    proves("ND2-GEN-02");
    if (!support::NoNewMemory::kIsPossible) GTEST_SKIP() << "the sanitizer takes memory, too";
    const Ref<SocketBuffers> buffers = make_ref<SocketBuffers>();
    Output output(Crc::on, Markers::none, *buffers);
    bool has_room = true;
    {
        const support::NoNewMemory none;
        has_room = output.has_room(100);
    }
    EXPECT_FALSE(has_room);
    EXPECT_TRUE(output.has_room(100));
}

// The program has unmapped or protected it.
TEST(Output, TakesNoMessageWhoseMemoryIsGone) {
    proves("ND2-MR-REG-07");
    guard_copies();
    void* const gone = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(gone, MAP_FAILED);
    const Sge sge{static_cast<std::byte*>(gone), 100, Token::none};
    const Octets header = numbered(14);
    for (const Markers markers : {Markers::none, Markers::inserted}) {
        const Ref<SocketBuffers> buffers = make_ref<SocketBuffers>();
        Output output(Crc::on, markers, *buffers);
        soft::SgeCursor payload({&sge, 1});
        ASSERT_TRUE(output.has_room(header.size() + 100));
        EXPECT_FALSE(output.put(header, payload, 100));
        EXPECT_TRUE(output.unsent().empty());
        EXPECT_EQ(output.framed(), 0u);
    }
    ::munmap(gone, 4096);
}

// The socket takes octets until it is full; the rest follows from that point.
TEST(Output, LosesNothingToAFullSocket) {
    proves("IW-PERF-07");
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    const Descriptor peer(ends[1]);
    TcpSocket socket{Descriptor(ends[0])};
    const int smallest = 1;
    ASSERT_EQ(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &smallest, sizeof smallest), 0);
    const Ref<SocketBuffers> buffers = make_ref<SocketBuffers>();
    Output output(Crc::on, Markers::none, *buffers);
    Octets payload = numbered(60'000);
    put(output, numbered(14), payload);
    put(output, numbered(14), payload);
    const Octets expected(output.unsent().begin(), output.unsent().end());
    Octets arrived;
    int blocked = 0;
    while (output.flush(socket) == Status::would_block) {
        ASSERT_LT(++blocked, 1000);
        EXPECT_EQ(output.sent() + output.unsent().size(), expected.size());
        std::array<std::byte, 4096> some;
        for (ssize_t got; (got = read(peer.get(), some.data(), some.size())) > 0;)
            arrived.insert(arrived.end(), some.begin(), some.begin() + got);
    }
    Octets rest(expected.size());
    for (ssize_t got; (got = read(peer.get(), rest.data(), rest.size())) > 0;)
        arrived.insert(arrived.end(), rest.begin(), rest.begin() + got);
    EXPECT_GT(blocked, 0) << "the socket was never full";
    EXPECT_TRUE(same(arrived, expected));
}

}  // namespace
}  // namespace opennd::iwarp
