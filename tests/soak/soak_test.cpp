// SPDX-License-Identifier: MIT
//
// Two processes for long: that nothing is lost, nothing leaks, and no peer's death matters to anybody else. With
// OPENND_TEST_SOAK_SECONDS each test runs that long, or to the counts the requirements name; without, for a moment.
#include <opennd.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

#include "conformance/vocabulary/nd2/driver.h"
#include "interop/peer_process.h"
#include "soak/host.h"
#include "support/process_resources.h"
#include "support/requirement.h"
#include "support/status.h"

namespace opennd::soak {
namespace {

using interop::PeerProcess;
using support::Clock;
using support::proves;

class Soak : public testing::TestWithParam<const char*> {
protected:
    Soak() {
        support::require(opennd_transport_select(GetParam()), ND_SUCCESS, "opennd_transport_select");
        driver_ = conformance::nd2::open_driver();
    }
    ~Soak() override { opennd_transport_select(nullptr); }

    static std::chrono::seconds long_run() {
        const char* const seconds = std::getenv("OPENND_TEST_SOAK_SECONDS");
        return std::chrono::seconds(seconds ? std::atol(seconds) : 0);
    }
    static bool is_long() { return long_run().count() > 0; }

    static bool is_over_tcp() { return std::string_view(GetParam()) == "iwarp"; }
    static PeerProcess peer(std::vector<std::string> arguments) {
        return PeerProcess(OPENND_SOAK_PEER, arguments, GetParam());
    }

    // `count` connections of another process, a message each way on each.
    static void serve_cycles(Host& host, std::uint64_t count) {
        PeerProcess other = peer({"cycles", std::to_string(host.port()), std::to_string(count)});
        for (std::uint64_t i = 0; i < count; ++i) {
            Link link = host.accept(0);
            exchange_all(host, {&link, 1}, 1);
            need(link.connector->notify_disconnect().wait(), Outcome::success, "NotifyDisconnect");
        }
        EXPECT_EQ(other.exit_code(), 0);
    }

    // The process's resources once it has those that it keeps for as long as it uses the library.
    static support::ProcessResources baseline(Host& host) {
        serve_cycles(host, 3);
        return support::settled_resources();
    }

    // This process's resources are the same as before.
    void expect_nothing_leaked(const support::ProcessResources& before) {
        const bool clean = support::wait_until([&] { return support::resources_in_use().within(before); });
        EXPECT_TRUE(clean) << "leaked: " << support::resources_in_use() << ", before: " << before;
        std::printf("[ held     ] before %s, after %s\n", testing::PrintToString(before).c_str(),
                    testing::PrintToString(support::resources_in_use()).c_str());
    }

    std::unique_ptr<conformance::Driver> driver_;
};

TEST_P(Soak, ConnectsAndDisconnectsAgainAndAgain) {
    proves("ND2-CON-DISC-07", "ND2-GEN-11");
    const std::uint64_t cycles = is_long() ? 10'000 : 300;
    Host host(*driver_, 1, support::MemoryKind::ordinary);
    const auto before = baseline(host);
    serve_cycles(host, cycles);
    expect_nothing_leaked(before);
}

TEST_P(Soak, HoldsManyConnectionsAtOnce) {
    proves("ND2-CQ-GET-06", "ND2-GEN-11");
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);  // a connection takes a few; the other process inherits this
    const std::size_t many = is_over_tcp() ? 2000 : 1000;
    const std::size_t count = is_long() ? many : 60, busy = is_long() ? 64 : 16;
    const std::uint64_t messages = is_long() ? 5000 : 50;
    Host host(*driver_, busy, support::MemoryKind::ordinary);
    const auto before = baseline(host);
    {
        PeerProcess other = peer({"many", std::to_string(host.port()), std::to_string(count), std::to_string(busy),
                                  std::to_string(messages)});
        std::vector<Link> links;
        for (std::size_t i = 0; i < count; ++i) links.push_back(host.accept(i));
        std::printf("[ held     ] with %zu connections %s\n", count,
                    testing::PrintToString(support::resources_in_use()).c_str());
        exchange_all(host, std::span(links).first(busy), messages);
        for (Link& link : links) need(link.connector->disconnect().wait(), Outcome::success, "Disconnect");
        EXPECT_EQ(other.exit_code(), 0);
    }
    expect_nothing_leaked(before);
}

// Messages, Writes and Reads of all sizes on 16 links, over new connections now and then.
TEST_P(Soak, MovesVerifiedDataForLong) {
    proves("ND2-GEN-11");
    constexpr std::size_t kLinks = 16;
    const std::uint64_t messages = is_long() ? 5000 : 100;
    Host host(*driver_, kLinks, support::MemoryKind::ordinary);
    const auto before = baseline(host);
    const auto end = Clock::now() + long_run();
    std::uint64_t rounds = 0;
    do {
        PeerProcess other = peer({"many", std::to_string(host.port()), std::to_string(kLinks), std::to_string(kLinks),
                                  std::to_string(messages)});
        std::vector<Link> links;
        for (std::size_t i = 0; i < kLinks; ++i) links.push_back(host.accept(i));
        exchange_all(host, links, messages);
        for (Link& link : links) need(link.connector->disconnect().wait(), Outcome::success, "Disconnect");
        ASSERT_EQ(other.exit_code(), 0);
        ++rounds;
    } while (Clock::now() < end);
    std::printf("[ messages ] %llu each way\n", static_cast<unsigned long long>(rounds * messages * kLinks));
    expect_nothing_leaked(before);
}

// Each peer floods four links with verified messages until it is killed, at any moment from before its first
// connection.
TEST_P(Soak, SurvivesPeersThatAreKilledAtRandom) {
    proves("ND2-GEN-12", "ND2-QP-ERR-03");
    std::mt19937 random(static_cast<unsigned>(std::random_device{}()));
    Host host(*driver_, 4, support::MemoryKind::ordinary);
    const auto before = baseline(host);
    const auto end = Clock::now() + (is_long() ? long_run() : std::chrono::seconds(2));
    std::uint64_t deaths = 0, messages = 0;
    while (deaths == 0 || Clock::now() < end) {
        PeerProcess other = peer({"flood", std::to_string(host.port())});
        std::vector<Link> links;
        for (Tag tag = 0; tag < 4; ++tag) links.push_back(host.accept(tag));
        std::vector<Exchange> exchanges;
        for (std::size_t i = 0; i < links.size(); ++i) exchanges.emplace_back(host, links[i], i, ~std::uint64_t{0});
        for (Exchange& exchange : exchanges) exchange.start();
        // After `until` messages the peer dies, and every link must end with failures only.
        const std::uint64_t until = random() % 3000;
        bool killed = false;
        std::vector<bool> failed(links.size());
        const auto all_failed = [&] {
            return std::all_of(failed.begin(), failed.end(), [](bool each) { return each; });
        };
        // Something is outstanding on each, to hear of the end.
        const auto send_to_the_dead = [&](Link& link) {
            const auto sge = host.sge(0, Host::Slot::sent, 1);
            const Outcome posted = link.queue_pair->send(1, {&sge, 1}, conformance::kNoFlags);
            EXPECT_TRUE(posted == Outcome::success || posted == Outcome::no_more_entries) << posted;
        };
        const bool ended = support::wait_until(
            [&] {
                for (const Completion& completion : host.queue().poll(16)) {
                    if (completion.outcome == Outcome::success && !failed[completion.queue_pair]) {
                        if (killed) {  // it was on its way
                            send_to_the_dead(links[completion.queue_pair]);
                            continue;
                        }
                        exchanges[completion.queue_pair].take(completion);
                        ++messages;
                    } else {
                        EXPECT_TRUE(killed) << "a living peer lost a connection: " << completion;
                        failed[completion.queue_pair] = true;
                    }
                }
                if (!killed && messages >= until) {
                    other.kill();
                    killed = true;
                    for (Link& link : links) send_to_the_dead(link);
                }
                return all_failed();
            },
            std::chrono::seconds(20));
        ASSERT_TRUE(ended) << "a link did not end after its peer's death";
        for (Link& link : links) need(link.connector->disconnect().wait(), Outcome::success, "Disconnect");
        links.clear();
        while (!host.queue().poll(64).empty()) continue;  // requests flushed after the first failure
        ++deaths;
        messages = 0;
    }
    std::printf("[ deaths   ] %llu\n", static_cast<unsigned long long>(deaths));
    expect_nothing_leaked(before);
}

INSTANTIATE_TEST_SUITE_P(, Soak, testing::Values("shm", "iwarp"),
                         [](const auto& transport) { return std::string(transport.param); });

}  // namespace
}  // namespace opennd::soak
