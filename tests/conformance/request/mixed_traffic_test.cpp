// SPDX-License-Identifier: MIT
//
// Everything at once: threads with several queue pairs on one completion queue each, sending, reading and writing 0
// bytes to 2 MiB in any order, scattered, inline, silent and fenced, polling and sleeping. Every byte is compared. A
// failure names its seed:
//
//   OPENND_TEST_TRAFFIC_SEED=4711 OPENND_TEST_TRAFFIC_STEPS=100000 conformance_test --gtest_filter=*MixedTraffic*
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "conformance/traffic/party.h"
#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {
namespace {

constexpr std::size_t kPairs = 2;     // of parties, a thread each
constexpr std::size_t kFlows = 2;     // connections of a pair
constexpr std::uint64_t kSteps = 60;  // of each flow and direction: well under a second

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text ? std::stoull(text) : otherwise;
}

class MixedTraffic : public DataTest {};

TEST_P(MixedTraffic, ArrivesByteByByte) {
    {
        const Limits limits = driver().open_adapter()->limits();
        if (limits.max_inline_bytes < traffic::kInlineBytes)
            GTEST_SKIP() << "less inline data here (MaxInlineDataSize)";
        if (limits.max_read_sge < traffic::kMostPieces) GTEST_SKIP() << "a Read has fewer entries here (MaxReadSge)";
    }
    proves("ND2-CQ-GET-04", "ND2-CQ-GET-06", "ND2-CQ-NTF-08", "ND2-QP-POST-12", "ND2-QP-POST-13", "ND2-QP-SEND-04",
           "ND2-QP-WRITE-02", "ND2-QP-WRITE-03");
    const std::uint64_t seed = number_from("OPENND_TEST_TRAFFIC_SEED", std::random_device{}());
    const std::uint64_t steps = number_from("OPENND_TEST_TRAFFIC_STEPS", kSteps);
    // Over a slow network two megabytes take their time.
    const std::chrono::seconds patience(number_from("OPENND_TEST_TRAFFIC_PATIENCE_S", 20));
    std::cout << "OPENND_TEST_TRAFFIC_SEED=" << seed << " OPENND_TEST_TRAFFIC_STEPS=" << steps << '\n';
    RecordProperty("seed", std::to_string(seed));
    SCOPED_TRACE(seed);

    std::vector<std::unique_ptr<traffic::Party>> parties;
    for (std::size_t i = 0; i < 2 * kPairs; ++i)
        parties.push_back(std::make_unique<traffic::Party>(driver(), memory(), kFlows));
    for (std::size_t i = 0; i < kPairs; ++i)
        traffic::Party::connect(*parties[2 * i], *parties[2 * i + 1], seed + 1000 * i, steps);

    std::atomic<bool> failed = false;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < parties.size(); ++i)
        threads.emplace_back([&, i] { parties[i]->run(seed + i, patience, failed); });
    for (std::thread& thread : threads) thread.join();
    if (failed) return;  // memory is still in use; its contents mean nothing
    for (const auto& party : parties) party->check_the_end();
}

INSTANTIATE_TEST_SUITE_P(, MixedTraffic, every_data_variant(), data_variant_name);

}  // namespace
}  // namespace opennd::conformance
