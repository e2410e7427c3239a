// SPDX-License-Identifier: MIT
//
// Wrong octets in an open stream: the Terminate that goes out, and that the program gets nothing it should not. The
// unit tests have every rule; these tests have each kind on a connection.
#include <functional>
#include <vector>

#include "hostile/hostile_test.h"
#include "support/pattern.h"

namespace opennd::hostile {
namespace {

class StreamFault : public Hostile {
protected:
    // The peer's octets end its stream with this Terminate and every request of this side as canceled.
    void expect(const char* terminate, const Octets& octets) {
        SCOPED_TRACE(terminate);
        RawPeer peer = connected();
        ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
        peer.say(octets);
        EXPECT_EQ(peer.hear_terminate(), terminate);
        EXPECT_TRUE(reports_exactly(*side().received, {1}, Outcome::canceled));
        expect_lost();
        peer.end();
        EXPECT_EQ(peer.stream_end(), StreamEnd::in_order) << "IW-ERR-07";
    }
};

TEST_F(StreamFault, OfACrc) {
    proves("IW-NEG-36", "IW-ERR-02", "IW-ERR-05", "IW-ERR-07", "IW-ERR-19");
    Octets broken = fpdu(send(1, {1, 2, 3, 4}));
    broken[22] ^= 0x10;
    expect("2/0/02", broken);
}

// The damaged octets may have been its answer.
TEST_F(StreamFault, OfACrcTimesTheOpenReadOut) {
    proves("IW-ERR-19");
    RawPeer peer = connected();
    ASSERT_EQ(side().read(1, 0, 8, {0x1000, 0x55667788}), Outcome::success);
    Octets broken = fpdu(send(1, {1, 2, 3, 4}));
    broken[22] ^= 0x10;
    peer.say(broken);
    EXPECT_TRUE(reports(*side().initiated, RequestKind::read, 1, Outcome::io_timeout));
    expect_lost();
}

TEST_F(StreamFault, OfALength) {
    proves("IW-NEG-41");
    expect("0/2/FF", fpdu({}));
}

TEST_F(StreamFault, OfAnOpcode) {
    proves("IW-NEG-52");
    expect("0/2/06", fpdu(untagged(8, 0, 1, 0, Octets(8))));
}

TEST_F(StreamFault, OfAQueue) {
    proves("IW-NEG-54");
    expect("1/2/01", fpdu(untagged(3, 4, 1, 0)));
}

TEST_F(StreamFault, OfANumber) {
    proves("IW-NEG-70");
    expect("1/2/03", fpdu(send(2, {1})));
}

TEST_F(StreamFault, OfAnOffset) {
    proves("IW-NEG-75");
    expect("1/2/04", fpdu(send(1, {1}, true, 4)));
}

TEST_F(StreamFault, OfAMessageThatGoesOnElsewhere) {
    proves("IW-NEG-76", "IW-DDP-18", "IW-ERR-02");
    expect("1/2/04", joined({fpdu(send(1, {1, 2, 3, 4}, false)), fpdu(send(1, {5}, true, 8))}));
}

TEST_F(StreamFault, OfAReplay) {
    proves("IW-NEG-120");
    RawPeer peer = connected();
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(side().receive(2, 0, 64), Outcome::success);
    peer.say(joined({fpdu(send(1, {1})), fpdu(send(1, {1}))}));
    EXPECT_EQ(peer.hear_terminate(), "1/2/03");
    EXPECT_TRUE(reports_received(*side().received, 1, 1));
    EXPECT_TRUE(reports_exactly(*side().received, {2}, Outcome::canceled));
}

TEST_F(StreamFault, OfAWriteToNothing) {
    proves("IW-NEG-56", "IW-SEC-04");
    expect("1/1/00", fpdu(tagged(0, 0xdeadbeef, 0, {1, 2})));
}

TEST_F(StreamFault, OfAWriteBeyondTheEnd) {
    proves("IW-NEG-61", "IW-DDP-12");
    support::fill_with(side().memory.bytes(), std::byte{0xEE});
    const std::size_t size = side().memory.bytes().size();
    expect("1/1/01", fpdu(tagged(0, stag(), address(size - 3), {1, 2, 3, 4})));
    EXPECT_TRUE(support::is_filled_with(side().memory.bytes(), std::byte{0xEE}));
}

TEST_F(StreamFault, OfAWriteAfterAGoodOne) {
    proves("IW-NEG-68", "IW-DDP-08", "IW-RDMAP-18");
    support::fill_with(side().memory.bytes(), std::byte{0xEE});
    expect("1/1/00", joined({fpdu(tagged(0, stag(), address(100), {1, 2}, false)), fpdu(tagged(0, 1, 0, {3}))}));
    EXPECT_EQ(side().bytes(100, 2)[1], std::byte{2}) << "the first was placed";
}

TEST_F(StreamFault, OfAReadOfNothing) {
    proves("IW-NEG-83");
    expect("0/1/00", fpdu(read_request(1, 0xdeadbeef, 0, 8)));
}

TEST_F(StreamFault, OfAReadBeyondTheEnd) {
    proves("IW-NEG-86");
    expect("0/1/01", fpdu(read_request(1, stag(), address(1), 64 * 1024)));
}

TEST_F(StreamFault, OfTooManyReads) {
    proves("IW-NEG-91", "IW-SEC-11", "IW-RDMAP-26");
    RawPeer peer = connected({}, {.inbound = 1, .outbound = 1});
    Octets questions;
    for (std::uint32_t msn = 1; msn <= 200; ++msn)
        questions = joined({questions, fpdu(read_request(msn, stag(), address(), 8))});
    peer.say(questions);
    EXPECT_EQ(peer.hear_terminate(), "1/2/02");
    expect_lost();
}

TEST_F(StreamFault, ComesBehindTheAnswersThatAreOwed) {
    proves("IW-ERR-19", "IW-RDMAP-27");
    const Octets unplaceable[]{fpdu(tagged(0, 0xdeadbeef, 0, {1})), fpdu(send(1, Octets(65))),
                               fpdu(untagged(3, 4, 1, 0))};
    const char* const terminates[]{"1/1/00", "1/2/05", "1/2/01"};
    for (std::size_t i = 0; i < 3; ++i) {
        SCOPED_TRACE(terminates[i]);
        OpenStream stream(driver());
        ASSERT_EQ(stream.side.receive(1, 0, 64), Outcome::success);
        Octets questions;
        for (std::uint32_t msn = 1; msn <= 16; ++msn)  // each an answer of its own
            questions = joined({questions, fpdu(read_request(msn, stream.stag(), stream.address(), 8, msn))});
        stream.peer.say(joined({questions, unplaceable[i]}));
        for (std::uint32_t msn = 1; msn <= 16; ++msn) {
            const auto answer = stream.peer.hear_ulpdu();
            ASSERT_TRUE(answer) << msn;
            EXPECT_EQ((*answer)[1] & 0xf, 2) << "answer " << msn;
        }
        EXPECT_EQ(stream.peer.hear_terminate(), terminates[i]);
    }
}

// More than a socket holds: the peer takes its time.
TEST_F(StreamFault, WaitsForALongAnswer) {
    proves("IW-ERR-19", "IW-ERR-03");
    constexpr std::uint32_t kMuch = 16u << 20;
    OpenStream stream(driver(), {.memory_bytes = kMuch});
    stream.peer.say(
        joined({fpdu(read_request(1, stream.stag(), stream.address(), kMuch)), fpdu(tagged(0, 0xdeadbeef, 0, {1}))}));
    std::size_t answered = 0;
    for (bool last = false; !last;) {
        const auto part = stream.peer.hear_ulpdu();
        ASSERT_TRUE(part && ((*part)[1] & 0xf) == 2) << "after " << answered << " octets";
        answered += part->size() - 14;
        last = ((*part)[0] & 0x40) != 0;
    }
    EXPECT_EQ(answered, kMuch);
    EXPECT_EQ(stream.peer.hear_terminate(), "1/1/00");
}

// The system frees room in the socket, and says so, only when a third of it is empty: that takes this peer longer than the
// library waits without an acknowledgement.
TEST_F(StreamFault, WaitsForASlowPeer) {
    proves("IW-ERR-19", "IW-ERR-03");
    constexpr std::uint32_t kMuch = 16u << 20;
    OpenStream stream(driver(), {.memory_bytes = kMuch});
    stream.peer.say(
        joined({fpdu(read_request(1, stream.stag(), stream.address(), kMuch)), fpdu(tagged(0, 0xdeadbeef, 0, {1}))}));
    constexpr std::size_t kSlowly = 512 * 1024;
    ASSERT_EQ(stream.peer.hear_slowly(kSlowly, kSlowly / 12).size(), kSlowly);
    // Octets of the headers come on top.
    EXPECT_EQ(stream.peer.hear(kMuch - kSlowly).size(), kMuch - kSlowly) << "the answer ends early";
}

TEST_F(StreamFault, OfAnAnswerToNoQuestion) {
    proves("IW-NEG-99");
    expect("0/2/06", fpdu(tagged(2, 5, 0, {1})));
}

TEST_F(StreamFault, OfAMessageWithoutReceive) {
    proves("IW-NEG-72", "IW-SEC-12");
    RawPeer peer = connected();
    peer.say(fpdu(send(1, {1})));
    EXPECT_EQ(peer.hear_terminate(), "1/2/02");
    expect_lost();
    EXPECT_TRUE(side().received->poll(1).empty());
}

TEST_F(StreamFault, OfAMessageTooLong) {
    proves("IW-NEG-73", "IW-NEG-74", "IW-DDP-11");
    RawPeer peer = connected();
    support::fill_with(side().memory.bytes(), std::byte{0xEE});
    ASSERT_EQ(side().receive(1, 0, 6), Outcome::success);
    peer.say(joined({fpdu(send(1, {1, 2, 3, 4}, false)), fpdu(send(1, {5, 6, 7}, true, 4))}));
    EXPECT_EQ(peer.hear_terminate(), "1/2/05");
    EXPECT_TRUE(reports(*side().received, RequestKind::receive, 1, Outcome::data_overrun));
    EXPECT_EQ(side().bytes(4, 1)[0], std::byte{0xEE}) << "the segment that did not fit";
}

// Of this side's own Read: the answer is wrong.
TEST_F(StreamFault, OfAnAnswerFailsTheRead) {
    proves("IW-NEG-100", "IW-NEG-101", "IW-NEG-102", "IW-NEG-104");
    struct Case {
        const char* terminate;
        std::function<Octets(std::uint32_t sink)> answer;
    };
    const std::vector<Case> cases{
        {"1/1/00", [](std::uint32_t sink) { return tagged(2, sink + 1, 0, Octets(8)); }},
        {"1/1/01", [](std::uint32_t sink) { return tagged(2, sink, 4, Octets(4)); }},
        {"1/1/01", [](std::uint32_t sink) { return tagged(2, sink, 0, Octets(9)); }},
        {"0/2/07", [](std::uint32_t sink) { return tagged(2, sink, 0, Octets(4)); }},
        {"0/2/07", [](std::uint32_t sink) { return tagged(2, sink, 0); }},
    };
    for (const Case& each : cases) {
        OpenStream stream(driver());
        Endpoint& other = stream.side;
        RawPeer& peer = stream.peer;
        ASSERT_EQ(other.read(1, 0, 8, {0x1000, 0x55667788}), Outcome::success);
        const auto question = peer.hear_ulpdu();
        ASSERT_TRUE(question && question->size() == 46);
        const std::uint8_t* const sink = question->data() + 18;
        peer.say(fpdu(each.answer(std::uint32_t{sink[0]} << 24 | std::uint32_t{sink[1]} << 16 |
                                  std::uint32_t{sink[2]} << 8 | sink[3])));
        EXPECT_EQ(peer.hear_terminate(), each.terminate);
        EXPECT_TRUE(reports(*other.initiated, RequestKind::read, 1, Outcome::data_error));
    }
}

TEST_F(StreamFault, OfAnswersInAnotherOrder) {
    proves("IW-NEG-103");
    RawPeer peer = connected();
    support::fill_with(side().bytes(0, 64), std::byte{0xEE});
    ASSERT_EQ(side().read(1, 0, 8, {0x1000, 0x55667788}), Outcome::success);
    ASSERT_EQ(side().read(2, 8, 8, {0x1000, 0x55667788}), Outcome::success);
    const auto first = peer.hear_ulpdu(), second = peer.hear_ulpdu();
    ASSERT_TRUE(first && second && first->size() == 46 && second->size() == 46);
    const auto answer = [](const Octets& question) {
        const Octets sink(question.begin() + 18, question.begin() + 22);
        return fpdu(joined({{0xc1, 0x42}, sink, number64(0), Octets(8, 1)}));
    };
    peer.say(joined({answer(*second), answer(*first)}));
    EXPECT_EQ(peer.hear_terminate(), "1/1/00");
    EXPECT_TRUE(reports(*side().initiated, RequestKind::read, 1, Outcome::data_error));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::read, 2, Outcome::canceled));
    EXPECT_TRUE(support::is_filled_with(side().bytes(0, 64), std::byte{0xEE})) << "neither was placed";
    expect_lost();
}

TEST_F(StreamFault, OfARandomMessageIsNeverMore) {
    proves("IW-NEG-119");
    std::uint32_t state = 1;
    const auto random = [&state] {
        state = state * 1664525 + 1013904223;
        return state >> 16;
    };
    for (int round = 0; round < 60; ++round) {
        SCOPED_TRACE(round);
        OpenStream stream(driver());
        Endpoint& other = stream.side;
        RawPeer& peer = stream.peer;
        ASSERT_EQ(other.receive(1, 0, 64), Outcome::success);
        for (int message = 0; message < 20; ++message) {
            Octets ulpdu(random() % 80);
            for (std::uint8_t& octet : ulpdu) octet = static_cast<std::uint8_t>(random());
            if (ulpdu.size() >= 2 && random() % 4 != 0) {  // mostly a header that gets past the first checks
                ulpdu[0] = random() % 2 ? 0xc1 : 0x41;
                ulpdu[1] = static_cast<std::uint8_t>(0x40 | random() % 8);
            }
            peer.say(fpdu(ulpdu));
        }
        peer.end();
        EXPECT_NE(peer.stream_end(), StreamEnd::none);
        const auto result = conformance::next(*other.received);
        EXPECT_NE(result.outcome, Outcome::nothing_by_the_deadline);
    }
}

}  // namespace
}  // namespace opennd::hostile
