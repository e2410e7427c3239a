// SPDX-License-Identifier: MIT
//
// Peers that say much, nothing, or it in strange ways: what others have of this side meanwhile, and what it costs.
#include <atomic>
#include <fstream>
#include <thread>

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

TEST_F(StreamLoad, ComesOnlyToTheAddressThatIsListenedAt) {
    proves("IW-SEC-22", "IW-CM-04", "IW-CM-31");
    const std::uint16_t listened = port();
    EXPECT_FALSE(RawPeer::is_refused(1, listened));
    EXPECT_TRUE(RawPeer::is_refused(2, listened)) << "another address of this host";
}

}  // namespace
}  // namespace opennd::hostile
