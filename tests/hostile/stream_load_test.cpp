// SPDX-License-Identifier: MIT
//
// Peers that send much, nothing, or octets in strange ways: this side's service to others meanwhile, and its cost.
#include <sys/mman.h>

#include <atomic>
#include <fstream>
#include <thread>

#include <opennd.h>

#include "hostile/hostile_test.h"

namespace opennd::hostile {
namespace {

class StreamLoad : public Hostile {};

std::size_t address_space_pages() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages;
}

TEST_F(StreamLoad, OfAnnouncedOctetsThatNeverComeCostsNothing) {
    proves("IW-NEG-44", "IW-SEC-17");
    RawPeer peer = connected();
    for (Tag tag = 1; tag <= 3; ++tag) ASSERT_EQ(side().receive(tag, 0, 64), Outcome::success);
    peer.say(fpdu(send(1, {1})));
    EXPECT_TRUE(reports_received(*side().received, 1, 1));
    const std::size_t before = address_space_pages();
    peer.say(joined({fpdu(send(2, {2})), {0xff, 0xff, 0x41, 0x43}}));
    EXPECT_TRUE(reports_received(*side().received, 2, 1));
    EXPECT_LE(address_space_pages(), before + 64) << "pages";
    ASSERT_EQ(side().send(4, 0, 8), Outcome::success) << "the stream is still good";
    EXPECT_TRUE(peer.hear_ulpdu());
    peer.end();
    EXPECT_TRUE(reports_exactly(*side().received, {3}, Outcome::canceled));
}

TEST_F(StreamLoad, OfUrgentOctetsIsLikeAnyOther) {
    proves("IW-NEG-48");
    RawPeer peer = connected();
    for (Tag tag = 1; tag <= 2; ++tag) ASSERT_EQ(side().receive(tag, tag * 64, 64), Outcome::success);
    peer.say_urgently(fpdu(send(1, {1, 2, 3})));
    peer.say(fpdu(send(2, {4})));
    EXPECT_TRUE(reports_received(*side().received, 1, 3));
    EXPECT_TRUE(reports_received(*side().received, 2, 1));
    EXPECT_EQ(side().bytes(66, 1)[0], std::byte{3});
}

TEST_F(StreamLoad, OfShortMessagesTakesAsManyAsHaveReceives) {
    proves("IW-NEG-117");
    RawPeer peer = connected();
    for (Tag tag = 1; tag <= 16; ++tag) ASSERT_EQ(side().receive(tag, tag * 64, 64), Outcome::success);
    Octets many;
    for (std::uint32_t msn = 1; msn <= 2000; ++msn) {
        const Octets one = fpdu(send(msn, {static_cast<std::uint8_t>(msn)}));
        many.insert(many.end(), one.begin(), one.end());
    }
    peer.say(many);
    for (Tag tag = 1; tag <= 16; ++tag) EXPECT_TRUE(reports_received(*side().received, tag, 1));
    EXPECT_EQ(peer.hear_terminate(), "1/2/02");
    expect_lost();
}

// 4 GiB less one octet, out of memory that is more, to which nobody wrote, so that it takes no room. The peer has
// enough of it after a while; its last segments are the segmenter's test.
TEST_F(StreamLoad, OfTheLongestReadIsServedAndLeavesTimeForOthers) {
    proves("IW-NEG-90", "IW-RDMAP-28");
    constexpr std::uint32_t kSize = 0xffffffff;
    constexpr std::size_t kRegion = std::size_t{8} << 30;
    OpenStream greedy(driver()), quiet(driver());
    void* const memory =
        ::mmap(nullptr, kRegion, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) GTEST_SKIP() << "no room for 8 GiB of addresses";
    auto region = conformance::registered(*greedy.side.adapter, memory, kRegion, conformance::kAllRights);
    greedy.peer.say(fpdu(read_request(1, ntohl(region->remote_token()),
                                      reinterpret_cast<std::uint64_t>(memory) + kRegion - kSize, kSize, 0x1234, 0x10)));
    std::uint64_t octets = 0;
    std::uint32_t questions = 0;
    while (octets < std::uint64_t{256} << 20) {
        const Octets header = greedy.peer.hear(16);  // its CRC is other tests' matter: it would take a while
        ASSERT_EQ(header.size(), 16u) << "after " << octets << " octets";
        const auto ulpdu_bytes = static_cast<std::size_t>(header[0] << 8 | header[1]);
        ASSERT_EQ(header[2] & 0x40, 0) << "the last segment";
        ASSERT_EQ(header[3], 0x42) << "a Read Response";
        ASSERT_EQ(Octets(header.begin() + 8, header.end()), number64(0x10 + octets)) << "where it left off";
        octets += ulpdu_bytes - 14;
        const std::size_t rest = (ulpdu_bytes + 2 + 3) / 4 * 4 + 4 - header.size();
        ASSERT_EQ(greedy.peer.hear(rest).size(), rest);
        if (octets < questions * (std::uint64_t{8} << 20)) continue;
        quiet.peer.say(fpdu(read_request(++questions, quiet.stag(), quiet.address(), 8)));
        EXPECT_TRUE(quiet.peer.hear_ulpdu());
    }
    EXPECT_GE(questions, 32u);
    greedy.peer.reset();
    ASSERT_EQ(region->withdraw().wait(), Outcome::success);
    ::munmap(memory, kRegion);
}

// Nobody polls: the service thread has both.
TEST_F(StreamLoad, OfOnePeerLeavesTimeForOthers) {
    proves("IW-SEC-18");
    OpenStream flooded(driver()), quiet(driver());
    const Octets write = fpdu(tagged(0, flooded.stag(), flooded.address(), Octets(16 * 1024, 9)));
    std::atomic<bool> over = false;
    std::atomic<int> written = 0;
    std::thread flood([&] {
        while (!over.load()) {
            flooded.peer.say(write);
            written.fetch_add(1);
        }
    });
    const bool flows = wait_until([&] { return written.load() > 100; });
    int answered = 0;
    for (std::uint32_t msn = 1; msn <= 100; ++msn) {
        quiet.peer.say(fpdu(read_request(msn, quiet.stag(), quiet.address(), 8)));
        answered += quiet.peer.hear_ulpdu() ? 1 : 0;
    }
    const int meanwhile = written.load();
    EXPECT_TRUE(wait_until([&] { return written.load() > meanwhile + 100; })) << "the flood went on";
    over.store(true);
    flood.join();
    EXPECT_TRUE(flows);
    EXPECT_EQ(answered, 100);
}

// A peer that only makes errors costs a line of the log each, until there are enough of them (20 at once, then one a
// second, and each with another that says how many were left out), and one report for each stream, however many octets
// come behind the error.
TEST_F(StreamLoad, OfErrorsFillsNoLog) {
    proves("IW-SEC-19");
    constexpr int kRequests = 200;
    std::atomic<int> lines = 0;
    ASSERT_EQ(opennd_log_sink([](void* context, opennd_log_level,
                                 const char*) { static_cast<std::atomic<int>*>(context)->fetch_add(1); },
                              &lines, OPENND_LOG_INFO),
              ND_SUCCESS);
    const auto begun = std::chrono::steady_clock::now();
    for (int i = 0; i < kRequests; ++i) {
        RawPeer peer = RawPeer::connected_to(port());
        peer.say({'X'});
        EXPECT_EQ(peer.stream_end(), StreamEnd::reset);
    }
    const int after_requests = lines.load();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begun);
    OpenStream stream(driver());
    const Operation lost = stream.side.connector->notify_disconnect();
    const int before_error = lines.load();
    Octets broken = fpdu(tagged(0, 1, 0, Octets(1000)));
    broken.back() ^= 1;
    for (int i = 0; i < 1000; ++i) stream.peer.say(broken);
    EXPECT_EQ(lost.wait(), Outcome::success);
    stream.peer.end();
    EXPECT_NE(stream.peer.stream_end(), StreamEnd::none);
    const int of_error = lines.load() - before_error;
    EXPECT_EQ(opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR), ND_SUCCESS);
    EXPECT_GT(after_requests, 0);
    EXPECT_LE(after_requests, 20 + 2 * (seconds.count() + 1)) << "lines, for " << kRequests << " that made no sense";
    EXPECT_LE(of_error, 2);
}

TEST_F(StreamLoad, OfTerminatesThatCrossEndsBothSides) {
    proves("IW-NEG-116");
    RawPeer peer = connected();
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    peer.say(joined({fpdu(tagged(0, 0xdeadbeef, 0, {1})), fpdu(untagged(7, 2, 1, 0, {0x00, 0x00, 0x00, 0x00}))}));
    EXPECT_EQ(peer.hear_terminate(), "1/1/00");
    EXPECT_EQ(peer.hear_terminate(), "") << "one is enough";
    EXPECT_TRUE(reports_exactly(*side().received, {1}, Outcome::canceled));
    expect_lost();
}

// A caller that connects twice is two streams, each with a socket of its own.
TEST_F(StreamLoad, OfTwoQueuePairsIsOnTwoConnections) {
    proves("IW-ND-01");
    OpenStream first(driver()), second(driver());
    ASSERT_EQ(first.side.send(1, 0, 1), Outcome::success);
    ASSERT_EQ(second.side.send(1, 0, 2), Outcome::success);
    EXPECT_EQ(first.peer.hear_ulpdu()->size(), 18u + 1);
    EXPECT_EQ(second.peer.hear_ulpdu()->size(), 18u + 2);
    first.peer.reset();
    ASSERT_EQ(second.side.receive(2, 0, 8), Outcome::success);
    second.peer.say(fpdu(send(1, {1})));
    EXPECT_TRUE(reports_received(*second.side.received, 2, 1)) << "the end of one is not that of the other";
}

TEST_F(StreamLoad, ComesOnlyToTheAddressThatIsListenedAt) {
    proves("IW-SEC-22", "IW-CM-04", "IW-CM-31");
    const std::uint16_t listened = port();
    EXPECT_FALSE(RawPeer::is_refused(1, listened));
    EXPECT_TRUE(RawPeer::is_refused(2, listened)) << "another address of this host";
}

}  // namespace
}  // namespace opennd::hostile
