// SPDX-License-Identifier: MIT
//
// A result gives the memory back: after any end of the request the peer reads its buffer no more, and canceled messages
// are not delivered. Requirements ND2-QP-FLUSH-05, NDK-QP-FLUSH-03, ND2-QP-ERR-02.
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/sizes.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

enum class Ending { flush, disconnect, release };

std::string name_of(Ending ending) {
    switch (ending) {
        case Ending::flush: return "Flush";
        case Ending::disconnect: return "Disconnect";
        case Ending::release: return "Release";
    }
    return "";
}

constexpr std::uint64_t kSent = 1, kReused = 2;

class ReturnedMemory : public DataTest {
protected:
    // NdkDisconnect lets requests run out (NDK-CON-DISC-01), and a queue pair cannot be let go before its connector
    // (NDK-QP-CLOSE-01).
    static std::vector<Ending> endings() {
        if (std::string(std::get<0>(GetParam()).face) == "Ndk") return {Ending::flush};
        return {Ending::flush, Ending::disconnect, Ending::release};
    }
    // Bytes that TCP has taken cannot be taken back.
    bool takes_back() const { return std::string(std::get<0>(GetParam()).transport) != "iwarp"; }

    // Gives the result of the one Send, which is there by then.
    static Completion end(Endpoint& endpoint, Ending ending) {
        switch (ending) {
            case Ending::flush: EXPECT_EQ(endpoint.queue_pair->flush(), Outcome::success); break;
            case Ending::disconnect: EXPECT_EQ(endpoint.connector->disconnect().wait(), Outcome::success); break;
            case Ending::release: endpoint.queue_pair.reset(); break;
        }
        return next(*endpoint.initiated, milliseconds(0));
    }

    // Compares the Send's result, `sent`, with the receive at the peer.
    void expect_agreement(const Completion& sent, const Completion& received, Endpoint& receiver, std::size_t size) {
        if (received.outcome == Outcome::success) {
            ASSERT_EQ(received.bytes, size);
            ASSERT_TRUE(has_pattern(receiver.bytes(0, size), kSent)) << "read after the result of the Send";
            if (takes_back()) {
                ASSERT_EQ(sent.outcome, Outcome::success) << "delivered";
            }
        } else {
            ASSERT_EQ(received.outcome, Outcome::canceled);
            ASSERT_EQ(sent.outcome, Outcome::canceled) << "not delivered";
        }
    }
};

TEST_P(ReturnedMemory, OfAFlushedSendIsNotReadAgain) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-QP-FLUSH-05", "NDK-QP-FLUSH-03");
    for (const Ending ending : endings()) {
        for (const std::size_t size : {std::size_t{64}, std::size_t{20'000}, kMiB}) {
            SCOPED_TRACE(name_of(ending) + " of " + std::to_string(size) + " bytes");
            auto pair = connected(kMiB);
            fill_pattern(pair.a.bytes(0, size), kSent);
            ASSERT_EQ(pair.a.send(1, 0, size), Outcome::success);
            const ConnectedPair others(driver());  // takes longer than the message
            const Completion sent = end(pair.a, ending);
            fill_pattern(pair.a.bytes(0, size), kReused);
            ASSERT_EQ(pair.b.receive(2, 0, size), Outcome::success);
            ASSERT_EQ(pair.b.queue_pair->flush(), Outcome::success);
            expect_agreement(sent, next(*pair.b.received), pair.b, size);
        }
    }
}

// As above, while the peer is fetching: in either order both sides are told the same.
TEST_P(ReturnedMemory, OfASendThatIsBeingTakenIsReadBeforeItsResultOrNotAtAll) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-QP-FLUSH-05", "NDK-QP-FLUSH-03", "ND2-QP-ERR-02");
    constexpr std::size_t kSize = 256 * 1024;
    const char* const more = std::getenv("OPENND_TEST_RACE_ROUNDS");
    const int rounds = more ? std::atoi(more) : 100;
    for (const Ending ending : endings()) {
        for (int round = 0; round < rounds; ++round) {
            SCOPED_TRACE(name_of(ending) + ", round " + std::to_string(round));
            auto pair = connected(kSize);
            fill_pattern(pair.a.bytes(0, kSize), kSent);
            ASSERT_EQ(pair.a.send(1, 0, kSize), Outcome::success);
            std::atomic<bool> taking = false, over = false;
            Completion received;
            std::thread receiver([&] {
                taking = true;
                EXPECT_EQ(pair.b.receive(2, 0, kSize), Outcome::success);
                while (!over) {
                    const auto results = pair.b.received->poll(1);
                    if (!results.empty()) received = results.front();
                }
            });
            while (!taking) std::this_thread::yield();
            for (int spin = 0; spin < round * 10; ++spin) (void)taking.load();
            const Completion sent = end(pair.a, ending);
            fill_pattern(pair.a.bytes(0, kSize), kReused);
            over = true;
            receiver.join();
            EXPECT_EQ(pair.b.queue_pair->flush(), Outcome::success);
            if (received.outcome == Outcome::nothing_by_the_deadline) received = next(*pair.b.received);
            expect_agreement(sent, received, pair.b, kSize);
            if (HasFatalFailure()) return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, ReturnedMemory, every_data_variant(), data_variant_name);

}  // namespace
}  // namespace opennd::conformance
