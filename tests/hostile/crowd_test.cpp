// SPDX-License-Identifier: MIT
//
// Many requests that no program answers: their resources, and their time. Each test is a process of its own.
#include <sys/resource.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "hostile/hostile_test.h"
#include "process/child.h"

namespace opennd::hostile {
namespace {

constexpr rlim_t kDescriptors = 600;
constexpr std::size_t kOfOneHost = kDescriptors / 4;

void limit_descriptors(rlim_t most) {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = most;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
}

// A listener with a program that takes requests only when the test does.
struct Server {
    Server() : driver(conformance::nd2::open_driver()), side(*driver, {}) {
        listener = conformance::listening(*side.adapter);
    }
    std::uint16_t port() const { return ntohs(conformance::address_of(*listener).ipv4.sin_port); }
    RawPeer asked(std::uint8_t host = 1) {
        RawPeer peer = RawPeer::connected_to(port(), 0, host);
        peer.say(octets_of({}));
        return peer;
    }
    // Takes the next request.
    bool serves();

    conformance::PinnedTransport transport{"iwarp"};
    std::unique_ptr<conformance::Driver> driver;
    Endpoint side;
    std::unique_ptr<conformance::Listener> listener;
};

// The next request, awaited; answered by a refusal when it goes.
struct Next {
    explicit Next(Server& server)
        : connector(server.side.adapter->create_connector()), request(server.listener->get_request(*connector)) {}

    std::unique_ptr<conformance::Connector> connector;
    Operation request;
};

bool Server::serves() { return Next(*this).request.wait() == Outcome::success; }

TEST(Crowd, OfConnectionsThatWereAcceptedTakesNoPlaces) {
    support::proves("IW-SEC-15");
    process::in_child([] {
        constexpr rlim_t kFew = 200;
        constexpr std::size_t kMoreThanPlaces = kFew / 4 + 10;
        limit_descriptors(kFew);
        Server server;
        const auto results = server.side.adapter->create_completion_queue(4 * kMoreThanPlaces);
        std::vector<std::unique_ptr<conformance::Connector>> connectors;
        std::vector<std::unique_ptr<conformance::QueuePair>> queue_pairs;
        std::vector<RawPeer> peers;
        while (peers.size() < kMoreThanPlaces) {
            connectors.push_back(server.side.adapter->create_connector());
            queue_pairs.push_back(server.side.adapter->create_queue_pair(*results, *results, {}));
            const Operation request = server.listener->get_request(*connectors.back());
            peers.push_back(server.asked());
            ASSERT_EQ(request.wait(), Outcome::success) << peers.size();
            const Operation accept = connectors.back()->accept(*queue_pairs.back(), {}, {});
            (void)peers.back().hear_frame();
            peers.back().say(opening());
            ASSERT_EQ(accept.wait(), Outcome::success) << peers.size();
        }
    });
}

TEST(Crowd, OfOneHostLeavesPlacesToOthers) {
    support::proves("IW-SEC-15");
    process::in_child([] {
        limit_descriptors(kDescriptors);
        Server server;
        std::vector<RawPeer> peers;
        for (std::size_t i = 0; i < kOfOneHost; ++i) peers.push_back(server.asked());
        // A few more may be taken while the first ones are read.
        bool refused = false;
        for (int more = 0; more < 64 && !refused; ++more) {
            peers.push_back(server.asked());
            refused = peers.back().is_reset(50);
        }
        EXPECT_TRUE(refused) << "one request too many";
        EXPECT_FALSE(peers.front().is_reset(0)) << "the first ones wait";
        RawPeer other = server.asked(2);
        for (std::size_t i = 0; i < kOfOneHost; ++i) ASSERT_TRUE(server.serves()) << i;
        // Then the other host's, among those that were taken while the first ones were read.
        std::optional<Next> next(server);
        while (!other.is_answered(10)) {
            if (next->request.now() == Outcome::pending) continue;
            ASSERT_EQ(next->request.now(), Outcome::success);
            next.emplace(server);
        }
        const RawPeer again = server.asked();
        EXPECT_EQ(next->request.wait(), Outcome::success) << "once they are answered there is room";
    });
}

TEST(Crowd, IsNotWaitedForWithoutEnd) {
    support::proves("IW-SEC-15");
    process::in_child([] {
        ::setenv("OPENND_IWARP_PATIENCE_MS", "1000", 1);
        Server server;
        RawPeer peer = server.asked();
        const Octets reply = peer.hear_frame();
        ASSERT_EQ(reply.size(), 24u);
        EXPECT_EQ(reply[16] & 0x20, 0x20) << "R";
        peer.end();
        EXPECT_EQ(peer.stream_end(), StreamEnd::in_order);
        const RawPeer next = server.asked();
        EXPECT_TRUE(server.serves());
    });
}

TEST(Crowd, StaysInTheSocketWhileDescriptorsLack) {
    support::proves("IW-SEC-15");
    process::in_child([] {
        Server server;
        std::vector<RawPeer> peers;
        peers.push_back(server.asked());
        ASSERT_TRUE(server.serves()) << "what is made with the first is there";
        rlimit usual{};
        ::getrlimit(RLIMIT_NOFILE, &usual);
        for (int i = 0; i < 8; ++i) peers.push_back(RawPeer::unconnected());
        limit_descriptors(8);  // as many are open: nothing can be opened
        for (std::size_t i = 1; i < peers.size(); ++i) {
            peers[i].connect_to(server.port());
            peers[i].say(octets_of({}));
        }
        for (std::size_t i = 1; i < peers.size(); ++i) EXPECT_FALSE(peers[i].is_reset(20)) << i;
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
        for (std::size_t i = 1; i < peers.size(); ++i) EXPECT_TRUE(server.serves()) << i;
    });
}

}  // namespace
}  // namespace opennd::hostile
