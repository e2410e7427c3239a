// SPDX-License-Identifier: MIT
//
// Faults on purpose reach the program as the real ones do, over every face and wire (docs/faults.md).
#include <opennd.h>

#include <string>
#include <string_view>

#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {
namespace {

class Faults : public ConformanceTest {
protected:
    // Hardware has none for messages.
    void SetUp() override {
        if (std::string_view(GetParam().transport) == "verbs") GTEST_SKIP() << "faults are of the software wires";
    }
    void TearDown() override { EXPECT_EQ(opennd_faults_set(nullptr), ND_SUCCESS); }

    static void set(const char* line) { ASSERT_EQ(opennd_faults_set(line), ND_SUCCESS) << line; }
    static std::string counts() {
        std::string text(4096, '\0');
        SIZE_T needed = 0;
        EXPECT_EQ(opennd_faults_counts(text.data(), text.size(), &needed), ND_SUCCESS);
        return text.c_str();
    }
    static void exchange(ConnectedPair& pair, Tag tag) {
        ASSERT_EQ(pair.b.receive(tag, 0, 64), Outcome::success);
        ASSERT_EQ(pair.a.send(tag, 0, 64), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, tag, 64));
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, tag, Outcome::success));
    }
    // The request that is struck has this outcome, those behind it are canceled, and the connection ends for the peer.
    static void expect_failed(ConnectedPair& pair, RequestKind kind, Outcome outcome,
                              Outcome (*post)(ConnectedPair&, Tag)) {
        const Operation lost = pair.b.connector->notify_disconnect();
        ASSERT_EQ(post(pair, 101), Outcome::success);
        (void)post(pair, 102);  // refused where the queue pair has failed already
        EXPECT_TRUE(reports(*pair.a.initiated, kind, 101, outcome));
        EXPECT_EQ(lost.wait(), Outcome::success) << "the connection must end";
    }
};

TEST_P(Faults, SendTimesOutAsWithoutAReceive) {
    set("send:timeout nth=3");
    ConnectedPair pair(driver());
    exchange(pair, 1);
    exchange(pair, 2);
    ASSERT_EQ(pair.b.receive(9, 0, 64), Outcome::success);
    expect_failed(pair, RequestKind::send, Outcome::io_timeout,
                  [](ConnectedPair& each, Tag tag) { return each.a.send(tag, 0, 64); });
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 9, Outcome::canceled));
    EXPECT_NE(counts().find("\"events\":3,\"injected\":1"), std::string::npos) << counts();
}

TEST_P(Faults, SendOverrunsAsWithAShortReceive) {
    set("send:overrun");
    ConnectedPair pair(driver());
    expect_failed(pair, RequestKind::send, Outcome::data_error,
                  [](ConnectedPair& each, Tag tag) { return each.a.send(tag, 0, 64); });
}

TEST_P(Faults, WriteIsDeniedAsWithoutARight) {
    set("write:denied");
    ConnectedPair pair(driver());
    exchange(pair, 1);
    fill_with(pair.b.bytes(0, 64), std::byte{0xEE});
    expect_failed(pair, RequestKind::write, Outcome::access_violation,
                  [](ConnectedPair& each, Tag tag) { return each.a.write(tag, 0, 64, each.b.remote()); });
    EXPECT_TRUE(is_filled_with(pair.b.bytes(0, 64), std::byte{0xEE})) << "nothing was written";
}

TEST_P(Faults, LongReadIsDeniedAsWithoutARight) {
    set("read:denied nth=1");
    ConnectedPair pair(driver());
    expect_failed(pair, RequestKind::read, Outcome::access_violation,
                  [](ConnectedPair& each, Tag tag) { return each.a.read(tag, 0, 40'000, each.b.remote()); });
}

TEST_P(Faults, ResetEndsTheConnectionForBothSides) {
    set("wire:reset after=128");
    ConnectedPair pair(driver());
    exchange(pair, 1);
    exchange(pair, 2);
    ASSERT_EQ(pair.b.receive(9, 0, 64), Outcome::success);
    const Operation lost_here = pair.a.connector->notify_disconnect(),
                    lost_there = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.send(3, 0, 64), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 3, Outcome::canceled));
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 9, Outcome::canceled));
    EXPECT_EQ(lost_here.wait(), Outcome::success);
    EXPECT_EQ(lost_there.wait(), Outcome::success);
}

TEST_P(Faults, ConnectFailsWithTheStatusOfItsKindAndSucceedsThen) {
    for (const auto& [line, outcome] : {std::pair{"connect:refused nth=1", Outcome::connection_refused},
                                        {"connect:timeout nth=1", Outcome::io_timeout},
                                        {"connect:unreachable nth=1", Outcome::network_unreachable}}) {
        SCOPED_TRACE(line);
        set(line);
        Handshake handshake(driver());
        handshake.bound();
        ASSERT_EQ(handshake.active.connector->connect(*handshake.active.queue_pair, handshake.address, {}, {}).wait(),
                  outcome);
        ConnectedPair pair(driver());
        exchange(pair, 1);
    }
}

// Two runs of the same program, which sends until it fails.
TEST_P(Faults, AreTheSameInTheSameProgramWithTheSameSeed) {
    const auto sends_until_it_fails = [&](const char* line) {
        EXPECT_EQ(opennd_faults_set(line), ND_SUCCESS);
        ConnectedPair pair(driver());
        for (Tag tag = 1; tag < 1000; ++tag) {
            EXPECT_EQ(pair.b.receive(tag, 0, 64), Outcome::success);
            EXPECT_EQ(pair.a.send(tag, 0, 8), Outcome::success);
            const Completion sent = next(*pair.a.initiated);
            if (sent.outcome != Outcome::success) return tag;
            EXPECT_TRUE(reports_received(*pair.b.received, tag, 8));
        }
        return Tag{0};
    };
    const Tag first = sends_until_it_fails("seed=5; send:timeout p=0.05");
    EXPECT_NE(first, 0u);
    EXPECT_EQ(sends_until_it_fails("seed=5; send:timeout p=0.05"), first);
    EXPECT_EQ(sends_until_it_fails("seed=5; send:timeout p=0.05; read:denied"), first);
}

TEST_P(Faults, AWrongLineChangesNothing) {
    set("send:timeout nth=1000");
    const std::string before = counts();
    EXPECT_EQ(opennd_faults_set("send:timeout nth=0"), ND_INVALID_PARAMETER);
    EXPECT_EQ(counts(), before);
}

INSTANTIATE_TEST_SUITE_P(, Faults, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
