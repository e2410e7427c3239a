// SPDX-License-Identifier: MIT
// A peer that writes into the shared segment from a thread of its own, while the honest side is in the middle of
// reading it: HonestSide's checks hold, and every run ends.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "fuzz/segment/honest_side.h"
#include "fuzz/segment/hostile_peer.h"
#include "support/sanitizer.h"

namespace opennd::fuzz {
namespace {

// The payload of frames is copied with plain loads, as it must be: under the thread sanitizer the peer leaves it alone.
constexpr bool kPayloadToo = !support::kThreadSanitizer;

void honest_step(Script& script, HonestSide& honest, HostilePeer& hostile) {
    const std::size_t choice = script.below(32);
    if (choice < 12) return honest.receive(script);
    if (choice < 18) return honest.send(script);
    if (choice < 22) return honest.serve();
    if (choice < 24) return honest.arm(NotifyKind::any);
    if (choice == 24) return honest.read(script, hostile.target(script));
    if (choice == 25) return honest.write(script, hostile.target(script));
    honest.poll(16);
}

void run(std::uint32_t seed) {
    HostilePeer hostile(local::PeerMemory::Reach::mapping_only);
    std::atomic<bool> over{false};
    std::thread interference;
    {
        HonestSide honest(shared_adapter(), hostile.channel());
        interference = std::thread([&] {
            std::minstd_rand random(seed);
            while (!over.load(std::memory_order_relaxed)) {
                hostile.interfere(random);
                if (kPayloadToo && random() % 16 == 0) hostile.interfere_with_bytes(random);
            }
        });
        std::minstd_rand random(~seed);
        std::vector<std::uint8_t> bytes(4096);
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 8);
        Script script(bytes);
        for (int i = 0; i < 200; ++i) honest_step(script, honest, hostile);
    }
    over.store(true);
    interference.join();
}

TEST(HostileThread, ChangesNothingButWhatItMayAndHoldsNothingUp) {
    for (std::uint32_t seed = 1; seed <= 100; ++seed) run(seed);
}

}  // namespace
}  // namespace opennd::fuzz
