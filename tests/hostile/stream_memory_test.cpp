// SPDX-License-Identifier: MIT
//
// Memory that is granted, taken back and granted anew while the peer goes on using it by hand.
#include <atomic>
#include <cstring>
#include <memory>
#include <thread>

#include "hostile/heard.h"
#include "hostile/hostile_test.h"
#include "support/buffer.h"
#include "support/pattern.h"
#include "support/vanishing_memory.h"

namespace opennd::hostile {
namespace {

constexpr std::size_t kWindowBytes = 64;
constexpr Tag kBind = 100, kInvalidate = 101;

class StreamMemory : public Hostile {};

// A window over the beginning of the side's memory. Its name on the wire is another after each bind.
class Window {
public:
    explicit Window(Endpoint& side) : side_(side), window_(side.adapter->create_memory_window()) { bind(); }
    void bind() {
        EXPECT_EQ(side_.queue_pair->bind(kBind, *side_.region, *window_, side_.bytes(0, kWindowBytes).data(),
                                         kWindowBytes, conformance::kAllowRead | conformance::kAllowWrite),
                  Outcome::success);
        EXPECT_TRUE(reports(*side_.initiated, RequestKind::bind, kBind, Outcome::success));
    }
    Outcome begin_invalidate() { return side_.queue_pair->invalidate(kInvalidate, *window_, conformance::kNoFlags); }
    void invalidate() {
        EXPECT_EQ(begin_invalidate(), Outcome::success);
        EXPECT_TRUE(reports(*side_.initiated, RequestKind::invalidate, kInvalidate, Outcome::success));
    }
    std::uint32_t stag() { return ntohl(window_->remote_token()); }

private:
    Endpoint& side_;
    std::unique_ptr<conformance::MemoryWindow> window_;
};

Octets sink_of(const Octets& question) { return {question.begin() + 18, question.begin() + 22}; }
std::uint32_t number_of(const Octets& octets) {
    return std::uint32_t{octets[0]} << 24 | std::uint32_t{octets[1]} << 16 | std::uint32_t{octets[2]} << 8 | octets[3];
}

// A Write through a token that was good until now ends the stream, and changes nothing.
void expect_refused(OpenStream& stream, std::uint32_t stag) {
    ASSERT_EQ(stream.side.receive(1, 1024, 64), Outcome::success);
    support::fill_with(stream.side.bytes(0, kWindowBytes), std::byte{0xEE});
    stream.peer.say(fpdu(tagged(0, stag, stream.address(), {1, 2, 3})));
    EXPECT_EQ(stream.peer.hear_terminate(), "1/1/00");
    EXPECT_TRUE(reports_exactly(*stream.side.received, {1}, Outcome::canceled));
    EXPECT_TRUE(support::is_filled_with(stream.side.bytes(0, kWindowBytes), std::byte{0xEE}));
}

// The window is open: a Write through it arrives.
void expect_open(OpenStream& stream, std::uint32_t stag, std::uint32_t msn) {
    ASSERT_EQ(stream.side.receive(msn, 1024, 64), Outcome::success);
    stream.peer.say(joined({fpdu(tagged(0, stag, stream.address(), {7})), fpdu(send(msn, {}))}));
    EXPECT_TRUE(reports_received(*stream.side.received, msn, 0));
    EXPECT_EQ(stream.side.bytes(0, 1)[0], std::byte{7});
}

TEST_F(StreamMemory, OfAWindowIsClosedByInvalidate) {
    proves("IW-NEG-65", "IW-SEC-07", "IW-ND-02", "IW-ND-05", "IW-ND-06");
    OpenStream stream(driver());
    Window window(stream.side);
    expect_open(stream, window.stag(), 1);
    window.invalidate();
    expect_refused(stream, window.stag());
}

TEST_F(StreamMemory, OfAWindowHasAnotherNameAfterTheNextBind) {
    proves("IW-NEG-65", "IW-SEC-02", "IW-RDMAP-44", "IW-RDMAP-45");
    OpenStream stream(driver());
    Window window(stream.side);
    const std::uint32_t old = window.stag();
    window.invalidate();
    window.bind();
    EXPECT_NE(window.stag(), old);
    expect_open(stream, window.stag(), 1);
    expect_refused(stream, old);
}

TEST_F(StreamMemory, OfARegionIsClosedByDeregistration) {
    proves("IW-NEG-65", "IW-SEC-07");
    OpenStream stream(driver());
    support::Buffer buffer(4096, support::MemoryKind::ordinary);
    auto region = conformance::registered(*stream.side.adapter, buffer.bytes().data(), 4096, conformance::kAllRights);
    const std::uint32_t stag = ntohl(region->remote_token());
    ASSERT_EQ(region->withdraw().wait(), Outcome::success);
    expect_refused(stream, stag);
}

// The peer writes without a pause; when deregistration is complete, the memory may go at once.
TEST_F(StreamMemory, MayGoRightAfterDeregistration) {
    proves("IW-NEG-67", "IW-SEC-07");
    for (int round = 0; round < 20; ++round) {
        SCOPED_TRACE(round);
        OpenStream stream(driver());
        const Operation lost = stream.side.connector->notify_disconnect();
        auto buffer = std::make_unique<support::Buffer>(64 * 1024, support::MemoryKind::mappable);
        const auto address = reinterpret_cast<std::uint64_t>(buffer->bytes().data());
        auto region = conformance::registered(*stream.side.adapter, buffer->bytes().data(), buffer->bytes().size(),
                                              conformance::kAllRights);
        const Octets write = fpdu(tagged(0, ntohl(region->remote_token()), address, Octets(32 * 1024, 9)));
        ASSERT_EQ(stream.side.receive(1, 0, 64), Outcome::success);
        stream.peer.say(joined({write, fpdu(send(1, {}))}));
        EXPECT_TRUE(reports_received(*stream.side.received, 1, 0)) << "the region is open";
        std::atomic<bool> over = false;
        std::thread peer([&] {
            while (!over.load()) stream.peer.say(write);
        });
        const Outcome withdrawn = region->withdraw().wait();
        buffer.reset();  // a late octet would end the test program
        const bool ends = wait_until([&] {
            (void)stream.side.received->poll(1);
            return lost.now() == Outcome::success;
        });
        over.store(true);
        peer.join();
        EXPECT_EQ(withdrawn, Outcome::success);
        EXPECT_TRUE(ends);
        EXPECT_EQ(stream.peer.hear_terminate(), "1/1/00");
    }
}

TEST_F(StreamMemory, OfAWindowTheyInvalidateOnce) {
    proves("IW-NEG-108");
    OpenStream stream(driver());
    Window window(stream.side);
    ASSERT_EQ(stream.side.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(stream.side.receive(2, 0, 64), Outcome::success);
    stream.peer.say(joined(
        {fpdu(untagged(4, 0, 1, 0, {1}, true, window.stag())), fpdu(untagged(4, 0, 2, 0, {2}, true, window.stag()))}));
    EXPECT_EQ(stream.peer.hear_terminate(), "0/1/00");
    EXPECT_TRUE(reports_received(*stream.side.received, 1, 1));
    EXPECT_TRUE(reports_exactly(*stream.side.received, {2}, Outcome::canceled));
}

// The peer took the window away; a program of version 2 learns it when it invalidates the window itself.
TEST_F(StreamMemory, OfAWindowThatTheyInvalidatedCannotBeInvalidatedAgain) {
    proves("IW-RDMAP-46", "IW-RDMAP-44");
    OpenStream stream(driver());
    Window window(stream.side);
    ASSERT_EQ(stream.side.receive(1, 1024, 64), Outcome::success);
    stream.peer.say(fpdu(untagged(4, 0, 1, 0, {1}, true, window.stag())));
    EXPECT_TRUE(reports_received(*stream.side.received, 1, 1));
    EXPECT_EQ(window.begin_invalidate(), Outcome::success);
    EXPECT_TRUE(reports(*stream.side.initiated, RequestKind::invalidate, kInvalidate, Outcome::invalid_request));
    EXPECT_EQ(stream.peer.hear_terminate(), "0/0/00");
}

// With and without the solicited event: the window is open until the message's last segment, and closed when the
// receive of it is complete.
TEST_F(StreamMemory, OfAWindowIsClosedByTheLastSegmentThatInvalidatesIt) {
    proves("IW-RDMAP-19", "IW-RDMAP-43", "IW-RDMAP-44");
    for (const std::uint8_t opcode : {std::uint8_t{4}, std::uint8_t{6}}) {
        SCOPED_TRACE(int{opcode});
        OpenStream stream(driver());
        Window window(stream.side);
        support::fill_with(stream.side.bytes(0, kWindowBytes), std::byte{0xEE});
        ASSERT_EQ(stream.side.receive(1, 1024, 64), Outcome::success);
        const Operation notified = stream.side.received->notify(conformance::NotifyType::solicited);
        const Octets within = fpdu(tagged(0, window.stag(), stream.address(), {5}));
        stream.peer.say(joined({fpdu(untagged(opcode, 0, 1, 0, {1, 2, 3, 4}, false, window.stag())), within,
                                fpdu(untagged(opcode, 0, 1, 4, {5}, true, window.stag()))}));
        EXPECT_TRUE(reports_received(*stream.side.received, 1, 5));
        EXPECT_EQ(stream.side.bytes(0, 1)[0], std::byte{5}) << "it was open within the message";
        if (opcode == 6) {
            EXPECT_EQ(notified.wait(), Outcome::success);
        } else {
            EXPECT_EQ(notified.now(), Outcome::pending);
        }
        expect_refused(stream, window.stag());
    }
}

TEST_F(StreamMemory, OfAWindowIsClosedByItsRelease) {
    proves("IW-RDMAP-44");
    OpenStream stream(driver());
    std::uint32_t stag = 0;
    {
        Window window(stream.side);
        stag = window.stag();
        expect_open(stream, stag, 1);
    }
    expect_refused(stream, stag);
}

// A window is a stream's: when that is over, no other stream of the same adapter has it.
TEST_F(StreamMemory, OfAWindowIsClosedByTheEndOfItsStream) {
    proves("IW-RDMAP-44");
    OpenStream first(driver());
    Window window(first.side);
    ASSERT_EQ(first.side.connector->disconnect().wait(), Outcome::success);
    auto queue_pair = first.side.adapter->create_queue_pair(*first.side.received, *first.side.initiated, {});
    auto connector = first.side.adapter->create_connector();
    const Operation awaited = first.listener->get_request(*connector);
    RawPeer peer = RawPeer::connected_to(ntohs(conformance::address_of(*first.listener).ipv4.sin_port));
    peer.say(octets_of({}));
    ASSERT_EQ(awaited.wait(), Outcome::success);
    const Operation accept = connector->accept(*queue_pair, {}, {});
    peer.hear_frame();
    peer.say(joined({opening(), fpdu(tagged(0, window.stag(), first.address(), {1}))}));
    EXPECT_EQ(peer.hear_terminate(), "1/1/02");
}

// A program that has a verbs peer puts htonl(rkey) in place of a token, and the peer ntohl(token) in place of an rkey.
TEST_F(StreamMemory, HasNamesInTheOrderOfTheNetwork) {
    proves("IW-ND-07", "IW-ND-05");
    constexpr std::uint32_t kRkey = 0x11223344;
    OpenStream stream(driver());
    ASSERT_EQ(stream.side.read(1, 0, 8, {0x1000, htonl(kRkey)}), Outcome::success);
    const auto question = stream.peer.hear_ulpdu();
    ASSERT_TRUE(question && question->size() == 46);
    EXPECT_EQ(Octets(question->begin() + 34, question->begin() + 38), (Octets{0x11, 0x22, 0x33, 0x44}));
    const std::uint32_t token = stream.side.region->remote_token();
    Octets in_memory(sizeof token);
    std::memcpy(in_memory.data(), &token, sizeof token);
    EXPECT_EQ(number32(ntohl(token)), in_memory) << "the octets travel as they lie in memory";
    stream.peer.say(fpdu(read_request(1, ntohl(token), stream.address(), 1, 0x55667788)));
    const auto answer = stream.peer.hear_ulpdu();
    ASSERT_TRUE(answer);
    EXPECT_EQ((*answer)[1] & 0x0f, 2) << "it was good";
}

// Where a Read's answer goes is open for that answer alone.
TEST_F(StreamMemory, OfAReadIsNotOpenForWrites) {
    proves("IW-NEG-66", "IW-SEC-05", "IW-ND-08");
    OpenStream stream(driver());
    support::fill_with(stream.side.bytes(0, 8), std::byte{0xEE});
    ASSERT_EQ(stream.side.read(1, 0, 8, {0x1000, 0x55667788}), Outcome::success);
    const auto question = stream.peer.hear_ulpdu();
    ASSERT_TRUE(question && question->size() == 46);
    stream.peer.say(fpdu(tagged(0, number_of(sink_of(*question)), 0, {1, 2})));
    EXPECT_EQ(stream.peer.hear_terminate(), "1/1/00");
    EXPECT_TRUE(reports_exactly(*stream.side.initiated, {1}, Outcome::canceled));
    EXPECT_TRUE(support::is_filled_with(stream.side.bytes(0, 8), std::byte{0xEE}));
}

TEST_F(StreamMemory, OfAReadIsClosedByItsAnswer) {
    proves("IW-SEC-05");
    OpenStream stream(driver());
    ASSERT_EQ(stream.side.read(1, 0, 8, {0x1000, 0x55667788}), Outcome::success);
    ASSERT_EQ(stream.side.read(2, 8, 8, {0x1000, 0x55667788}), Outcome::success);
    const auto question = stream.peer.hear_ulpdu();
    ASSERT_TRUE(question && question->size() == 46);
    const Octets answer = fpdu(tagged(2, number_of(sink_of(*question)), 0, Octets(8, 3)));
    stream.peer.say(joined({answer, answer}));
    EXPECT_TRUE(reports(*stream.side.initiated, RequestKind::read, 1, Outcome::success));
    EXPECT_EQ(stream.peer.hear_terminate(), "1/1/00");
    EXPECT_TRUE(reports(*stream.side.initiated, RequestKind::read, 2, Outcome::data_error));
}

// The program took the memory back before the answer came.
TEST_F(StreamMemory, OfAReadThatIsGoneFailsTheRead) {
    proves("ND2-QP-POST-10");
    OpenStream stream(driver());
    support::Buffer buffer(4096, support::MemoryKind::ordinary);
    auto region = conformance::registered(*stream.side.adapter, buffer.bytes().data(), 4096, conformance::kAllRights);
    const conformance::Sge sink{buffer.bytes().data(), 8, region->local_token()};
    ASSERT_EQ(stream.side.queue_pair->read(1, {&sink, 1}, {0x1000, 0x55667788}, conformance::kNoFlags),
              Outcome::success);
    const auto question = stream.peer.hear_ulpdu();
    ASSERT_TRUE(question && question->size() == 46);
    ASSERT_EQ(region->withdraw().wait(), Outcome::success);
    const Octets name(question->begin() + 18, question->begin() + 22);
    stream.peer.say(fpdu(joined({{0xc1, 0x42}, name, number64(0), Octets(8, 1)})));
    EXPECT_TRUE(reports(*stream.side.initiated, RequestKind::read, 1, Outcome::access_violation));
}

// The peer asked for much and takes little; meanwhile the program takes the memory away.
class StreamAnswer : public Hostile {
protected:
    static constexpr std::uint32_t kMuch = 32u << 20;  // more than sockets hold

    // The peer has begun to hear the answer to its Read.
    void ask(std::uint32_t stag) {
        support::fill_with(buffer_.bytes(), std::byte{0x77});
        stream_.peer.say(fpdu(read_request(1, stag, reinterpret_cast<std::uint64_t>(buffer_.bytes().data()), kMuch)));
        answer_ = stream_.peer.hear_ulpdu();
        ASSERT_TRUE(answer_ && ((*answer_)[1] & 0x0f) == 2);
    }
    // Nothing more of the memory leaves, and a Terminate says why.
    void expect_stopped() {
        support::fill_with(buffer_.bytes(), std::byte{0x11});
        std::size_t octets = 0;
        for (; answer_ && ((*answer_)[1] & 0x0f) == 2; answer_ = stream_.peer.hear_ulpdu()) {
            EXPECT_EQ(answer_->back(), 0x77) << "of what the memory holds now";
            octets += answer_->size() - 14;
        }
        EXPECT_LT(octets, kMuch);
        ASSERT_TRUE(answer_ && answer_->size() >= 22);
        EXPECT_EQ((*answer_)[1] & 0x0f, 7) << "a Terminate";
        EXPECT_EQ((*answer_)[18], 0x01);
        EXPECT_EQ((*answer_)[19], 0x00);
        ASSERT_GE(answer_->size(), 58u) << "it quotes the question";
        EXPECT_EQ(number_at(*answer_, 54), kMuch - octets) << "and how much of the answer is missing";
    }

    OpenStream stream_{driver()};
    support::Buffer buffer_{kMuch, support::MemoryKind::ordinary};
    std::unique_ptr<conformance::MemoryRegion> region_ =
        conformance::registered(*stream_.side.adapter, buffer_.bytes().data(), kMuch, conformance::kAllRights);

private:
    std::optional<Octets> answer_;
};

TEST_F(StreamAnswer, StopsWhenItsRegionGoes) {
    proves("IW-NEG-97", "IW-SEC-24", "IW-RDMAP-29");
    ask(ntohl(region_->remote_token()));
    ASSERT_EQ(region_->withdraw().wait(), Outcome::success);
    expect_stopped();
}

// The first part has left, and the Terminate counts no octet of the page that was not there.
TEST_F(StreamAnswer, StopsAtMemoryThatIsUnmapped) {
    proves("ND2-MR-REG-07", "IW-RDMAP-10");
    constexpr std::uint32_t kBytes = 300'000, kKept = 65'536;
    support::VanishingMemory memory(support::Way::unmapped, kBytes);
    const auto region = conformance::registered(*stream_.side.adapter, memory.data(), kBytes, conformance::kAllRights);
    memory.vanish(kKept);
    stream_.peer.say(
        fpdu(read_request(1, ntohl(region->remote_token()), reinterpret_cast<std::uint64_t>(memory.data()), kBytes)));
    std::optional<Octets> heard = stream_.peer.hear_ulpdu();
    std::size_t octets = 0;
    for (; heard && ((*heard)[1] & 0x0f) == 2; heard = stream_.peer.hear_ulpdu()) octets += heard->size() - 14;
    EXPECT_LE(octets, kKept);
    ASSERT_TRUE(heard && heard->size() >= 58);
    EXPECT_EQ((*heard)[1] & 0x0f, 7) << "a Terminate";
    EXPECT_EQ(number_at(*heard, 54), kBytes - octets) << "how much of the answer is missing";
}

TEST_F(StreamAnswer, StopsWhenItsWindowIsInvalidated) {
    proves("IW-RDMAP-43", "IW-NEG-97");
    auto window = stream_.side.adapter->create_memory_window();
    ASSERT_EQ(
        stream_.side.queue_pair->bind(kBind, *region_, *window, buffer_.bytes().data(), kMuch, conformance::kAllowRead),
        Outcome::success);
    EXPECT_TRUE(reports(*stream_.side.initiated, RequestKind::bind, kBind, Outcome::success));
    ask(ntohl(window->remote_token()));
    ASSERT_EQ(stream_.side.queue_pair->invalidate(kInvalidate, *window, conformance::kNoFlags), Outcome::success);
    EXPECT_TRUE(reports(*stream_.side.initiated, RequestKind::invalidate, kInvalidate, Outcome::success));
    expect_stopped();
}

}  // namespace
}  // namespace opennd::hostile
