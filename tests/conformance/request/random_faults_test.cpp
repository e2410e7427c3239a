// SPDX-License-Identifier: MIT
//
// Random plans of faults (docs/faults.md) on small random programs: each request completes once, with a status that its kind can
// have, and nothing hangs. OPENND_TEST_SEED is the first seed of another run.
#include <opennd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "conformance/vocabulary/fixture.h"
#include "support/deadline.h"

namespace opennd::conformance {
namespace {

constexpr std::uint64_t kSeeds = 12;
constexpr int kFaultySteps = 60;
constexpr milliseconds kUsual{200};  // for results behind a flush that no overrun has taken
constexpr std::size_t kMessageBytes = 64, kLongBytes = 40'000;

// Each use of an end's memory has a place of its own, so that no two touch the same bytes.
enum Place : std::size_t {
    kReceived = 0,
    kSent = 4 << 10,
    kWritten = 48 << 10,
    kRead = 96 << 10,
    kWriteTarget = 144 << 10,
    kReadSource = 192 << 10,
    kMemoryBytes = 256 << 10,
};

class Random {
public:
    explicit Random(std::uint64_t seed) : generator_(seed) {}
    std::uint64_t below(std::uint64_t bound) { return generator_() % bound; }
    bool happens(unsigned percent) { return below(100) < percent; }
    template <std::size_t N>
    std::string one_of(const std::array<const char*, N>& words) {
        return words[below(N)];
    }

private:
    std::mt19937_64 generator_;
};

// One to three rules, with triggers by which most programs meet a fault and some do not.
std::string random_plan(Random& random, std::uint64_t seed) {
    static constexpr std::array kKinds{"send:timeout",     "send:overrun", "send:late=2ms", "write:denied",
                                       "write:late=700us", "read:denied",  "wire:reset",    "wire:delay=300us",
                                       "wire:delay=2ms",   "cq:overrun",   "peer:dies",     "peer:dies after=3ms"};
    static constexpr std::array kTriggers{"nth=1",          "nth=7",           "every=5", "p=0.1",
                                          "p=0.02 times=1", "every=2 times=3", "p=0"};
    static constexpr std::array kBehind{"", "", " after=1ms", " after=5ms"};
    std::string line = "seed=" + std::to_string(seed);
    for (std::uint64_t rules = 1 + random.below(3); rules > 0; --rules) {
        const std::string kind = random.one_of(kKinds);
        line += "; " + kind + " " + random.one_of(kTriggers);
        if (!kind.starts_with("peer:")) line += random.one_of(kBehind);
    }
    return line;
}

// One end of the program, with the requests that it waits for.
class Party {
public:
    // Made before the plan: what the peer is granted may take a Bind, which has a result.
    Party(Endpoint& end, Endpoint& peer, const char* name)
        : end_(end), write_target_(peer.remote(kWriteTarget)), read_source_(peer.remote(kReadSource)), name_(name) {}

    void receive() {
        if (accept(RequestKind::receive, end_.receive(next_tag_, kReceived, kMessageBytes))) ++receives_;
    }
    // Only with a receive at the peer: a wait for one has a test of its own.
    void send(Party& peer, std::size_t bytes) {
        if (peer.receives_ == 0) return;
        if (accept(RequestKind::send, end_.send(next_tag_, kSent, bytes))) --peer.receives_;
    }
    void write(std::size_t bytes) {
        (void)accept(RequestKind::write, end_.write(next_tag_, kWritten, bytes, write_target_));
    }
    void read(std::size_t bytes) { (void)accept(RequestKind::read, end_.read(next_tag_, kRead, bytes, read_source_)); }
    void flush() { EXPECT_EQ(end_.queue_pair->flush(), Outcome::success) << name_; }
    Operation disconnect() { return end_.connector->disconnect(); }

    // True: there was one.
    bool takes_results() {
        const std::size_t before = receives_outstanding_.size() + requests_outstanding_.size();
        take_results(*end_.received, receives_outstanding_);
        take_results(*end_.initiated, requests_outstanding_);
        return receives_outstanding_.size() + requests_outstanding_.size() != before;
    }
    bool waits() const { return !receives_outstanding_.empty() || !requests_outstanding_.empty(); }
    // The results of a queue that overran are lost, and those alone. A queue may tell of it in a callback, a moment after it is asked.
    void forget_lost_results() {
        if (overran(*end_.received, receives_end_)) receives_outstanding_.clear();
        if (overran(*end_.initiated, requests_end_)) requests_outstanding_.clear();
    }
    void expect_nothing_more() {
        EXPECT_FALSE(waits()) << name_ << ": " << receives_outstanding_.size() << " receives and "
                              << requests_outstanding_.size() << " other requests never completed";
        EXPECT_TRUE(end_.received->poll(1).empty() && end_.initiated->poll(1).empty()) << name_;
        for (CompletionQueue* const queue : {end_.received.get(), end_.initiated.get()}) queue->cancel();
    }

private:
    using Outstanding = std::map<Tag, RequestKind>;

    bool accept(RequestKind kind, Outcome posted) {
        EXPECT_TRUE(posted == Outcome::success || posted == Outcome::no_more_entries ||
                    posted == Outcome::connection_invalid)
            << name_ << ": a post: " << posted;
        if (posted != Outcome::success) return false;
        (kind == RequestKind::receive ? receives_outstanding_ : requests_outstanding_)[next_tag_++] = kind;
        return true;
    }
    void take_results(CompletionQueue& queue, Outstanding& outstanding) {
        for (const Completion& result : queue.poll(16)) {
            const auto found = outstanding.find(result.request);
            ASSERT_NE(found, outstanding.end()) << name_ << ": a result of nothing, or a second one: " << result;
            EXPECT_EQ(result.kind, found->second) << name_ << ": " << result;
            EXPECT_TRUE(is_documented(found->second, result.outcome)) << name_ << ": " << result;
            outstanding.erase(found);
        }
    }
    static bool is_documented(RequestKind kind, Outcome outcome) {
        if (outcome == Outcome::success || outcome == Outcome::canceled) return true;
        if (kind == RequestKind::receive) return false;
        if (outcome == Outcome::io_timeout || outcome == Outcome::data_error) return true;
        return outcome == Outcome::access_violation && kind != RequestKind::send;
    }
    // `end`: the question that stands.
    static bool overran(CompletionQueue& queue, std::optional<Operation>& end) {
        if (!end || (end->now() != Outcome::pending && end->now() != Outcome::buffer_overflow))
            end = queue.notify(NotifyType::errors);
        return end->now() == Outcome::buffer_overflow;
    }

    Endpoint& end_;
    const Remote write_target_, read_source_;
    const char* const name_;
    Tag next_tag_ = 1;
    int receives_ = 0;  // posted, and no message of the peer on its way to them
    Outstanding receives_outstanding_, requests_outstanding_;
    std::optional<Operation> receives_end_, requests_end_;
};

class RandomFaults : public ConformanceTest {
protected:
    void SetUp() override {
        if (std::string_view(GetParam().transport) == "verbs") GTEST_SKIP() << "faults are of the software wires";
    }
    void TearDown() override { EXPECT_EQ(opennd_faults_set(nullptr), ND_SUCCESS); }

    static void step(Random& random, Party& here, Party& there) {
        const std::size_t bytes = random.happens(20) ? kLongBytes : random.below(kMessageBytes + 1);
        switch (random.below(6)) {
            case 0: here.receive(); break;
            case 1: there.receive(); break;
            case 2: here.send(there, bytes % (kMessageBytes + 1)); break;
            case 3: here.write(bytes); break;
            case 4: here.read(bytes); break;
            default: (void)wait_until([&] { return here.takes_results(); }, milliseconds(1)); break;
        }
    }
    void play(std::uint64_t seed) {
        Random random(seed);
        play(random, random_plan(random, seed));
    }
    void play(Random& random, const std::string& line) {
        SCOPED_TRACE(line);
        ASSERT_EQ(opennd_faults_set("wire:reset p=0"), ND_SUCCESS);  // the set-up meets none
        ConnectedPair pair(driver(), EndpointOptions{.memory_bytes = kMemoryBytes});
        Party a(pair.a, pair.b, "a"), b(pair.b, pair.a, "b");
        ASSERT_EQ(opennd_faults_set(line.c_str()), ND_SUCCESS);
        for (int number = 0; number < kFaultySteps && !HasFatalFailure(); ++number)
            random.happens(50) ? step(random, a, b) : step(random, b, a);
        std::optional<Operation> ended;
        if (random.happens(50)) ended = random.happens(50) ? a.disconnect() : b.disconnect();
        if (random.happens(50)) (void)a.takes_results();
        a.flush();
        b.flush();
        const auto all_told = [&] {
            (void)a.takes_results();
            (void)b.takes_results();
            return (!a.waits() && !b.waits()) || HasFatalFailure();
        };
        if (!wait_until(all_told, kUsual)) {
            EXPECT_TRUE(wait_until([&] {
                a.forget_lost_results();
                b.forget_lost_results();
                return all_told();
            }));
        }
        a.expect_nothing_more();
        b.expect_nothing_more();
        if (ended) {
            EXPECT_NE(ended->wait(), Outcome::nothing_by_the_deadline) << "Disconnect";
        }
    }
};

TEST_P(RandomFaults, CompleteEachRequestOnceWithADocumentedStatus) {
    provokes("CHECK-NO-RECEIVE");  // a timeout on purpose looks like one
    const char* const chosen = std::getenv("OPENND_TEST_SEED");
    const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
    for (std::uint64_t seed = first; seed != first + kSeeds && !HasFailure(); ++seed) play(seed);
    ASSERT_EQ(opennd_faults_set(nullptr), ND_SUCCESS);
    ConnectedPair after(driver());
    ASSERT_EQ(after.b.receive(1, 0, kMessageBytes), Outcome::success);
    ASSERT_EQ(after.a.send(1, 0, kMessageBytes), Outcome::success);
    EXPECT_TRUE(reports_received(*after.b.received, 1, kMessageBytes));
}

// The results of a queue that overran are lost, and the queue says so, however early that was.
TEST_P(RandomFaults, AreToldOrLostByAQueueThatSaysSo) {
    provokes("CHECK-NO-RECEIVE");
    for (const char* const trigger : {"nth=1", "nth=3", "nth=9"}) {
        Random random(1);
        play(random, std::string("seed=1; cq:overrun ") + trigger);
    }
}

INSTANTIATE_TEST_SUITE_P(, RandomFaults, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
