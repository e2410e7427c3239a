// SPDX-License-Identifier: MIT
//
// Random programs whose connection ends at a random moment: by a request that fails, by Flush, Disconnect or Release of either
// side. What each result says is compared with what the peer has, and memory is used again as soon as its result is there. A
// failure names its seed:
//
//   OPENND_TRAFFIC_SEED=4711 OPENND_TRAFFIC_ROUNDS=1 conformance_test --gtest_filter=*InterruptedTraffic*
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <thread>

#include "conformance/fixture.h"
#include "conformance/traffic/interrupted.h"

namespace opennd::conformance {
namespace {

constexpr std::uint64_t kRounds = 30;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text ? std::stoull(text) : otherwise;
}

enum class Ending { flush, disconnect, release, flush_there, disconnect_there };

class InterruptedTraffic : public DataTest {
protected:
    bool over_iwarp() const { return std::string(std::get<0>(GetParam()).transport) == "iwarp"; }
    // TCP takes nothing back; without process_vm a Write goes in parts.
    bool exact() const { return !over_iwarp() && std::getenv("OPENND_SHM_PROCESS_VM") == nullptr; }

    Ending draw_ending(std::mt19937_64& random) const {
        constexpr Ending kAll[] = {Ending::flush, Ending::disconnect, Ending::flush_there, Ending::disconnect_there,
                                   Ending::release};
        // A queue pair of NDK cannot be let go while its connector is there (NDK-QP-CLOSE-01).
        const bool ndk = std::string(std::get<0>(GetParam()).face) == "Ndk";
        return kAll[random() % (std::size(kAll) - (ndk ? 1 : 0))];
    }
    static void end(Endpoint& endpoint, Ending ending) {
        switch (ending) {
            case Ending::release: endpoint.queue_pair.reset(); return;
            case Ending::disconnect:
            case Ending::disconnect_there: (void)endpoint.connector->disconnect().wait(); return;
            case Ending::flush:
            case Ending::flush_there: return (void)endpoint.queue_pair->flush();
        }
    }

    void play(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        ConnectedPair pair(driver(), options(traffic::kInterruptedSlots * traffic::kLongestRequest),
                           options(traffic::kInterruptedBytes));
        traffic::InterruptedReceiver receiver(pair.b);
        traffic::InterruptedSender sender(pair.a, receiver);
        const Ending ending = draw_ending(random);
        const bool ends_there = ending == Ending::flush_there || ending == Ending::disconnect_there;
        const std::uint64_t steps = random() % 60, steps_there = random() % 400;
        std::atomic<bool> over = false;
        std::thread there([&, draws = std::mt19937_64(seed + 1)]() mutable {
            for (std::uint64_t step = 0; !over; ++step) {
                if (ends_there && step == steps_there) end(pair.b, ending);
                receiver.step(draws);
            }
        });
        for (std::uint64_t step = 0; step < steps && sender.step(random); ++step) {
        }
        if (!ends_there) end(pair.a, ending);
        if (pair.a.queue_pair) {
            EXPECT_EQ(pair.a.queue_pair->flush(), Outcome::success);
        }
        sender.finish();
        over = true;
        there.join();
        EXPECT_EQ(pair.b.queue_pair->flush(), Outcome::success);
        receiver.finish();
        receiver.check_memory();
        sender.check(receiver, exact());
    }

private:
    EndpointOptions options(std::size_t bytes) const {
        return {.queue_pair = {.receive_depth = traffic::kInterruptedSlots, .initiator_depth = traffic::kMostRequests},
                .memory_bytes = bytes,
                .memory = memory()};
    }
};

TEST_P(InterruptedTraffic, IsWhatTheResultsSay) {
    proves("ND2-QP-ERR-01", "ND2-QP-ERR-02", "ND2-QP-FLUSH-01", "ND2-QP-FLUSH-05", "ND2-QP-POST-11", "NDK-QP-FLUSH-03",
           "NDK-QP-COMP-01", "ND1-EP-GEN-10");
    const std::uint64_t first = number_from("OPENND_TRAFFIC_SEED", std::random_device{}());
    const std::uint64_t rounds = number_from("OPENND_TRAFFIC_ROUNDS", kRounds);
    for (std::uint64_t seed = first; seed < first + rounds; ++seed) {
        SCOPED_TRACE("OPENND_TRAFFIC_SEED=" + std::to_string(seed));
        play(seed);
        if (HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(, InterruptedTraffic, every_data_variant(), data_variant_name);

}  // namespace
}  // namespace opennd::conformance
