// SPDX-License-Identifier: MIT
//
// A Deregister beside queue pairs that another thread uses all the time. Each queue pair's lock has that thread as its owner, which
// the Deregister is not to end. Prints the median over Deregisters with some rounds of the other thread in between.
// OPENND_TRANSPORT says over what.
//
// Usage: deregister_beside [QUEUE_PAIRS [DEREGISTERS]]
#include "../examples/connected_pair.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace example;

constexpr ULONG kShort = 8;
constexpr std::uint64_t kRoundsOfOwners = 400;  // after which each lock has its owner

// Connections of this process with itself, and the thread that plays ping on each of them in turn.
class BusyPairs {
public:
    BusyPairs(const Adapter& adapter, std::size_t queue_pairs)
        : memory_(adapter, 2 * kShort, ND_MR_FLAG_ALLOW_LOCAL_WRITE), part_(memory_.part(kShort)) {
        for (std::size_t pair = 0; pair < std::max<std::size_t>(1, queue_pairs / 2); ++pair)
            pairs_.push_back(std::make_unique<ConnectedPair>(adapter));
        user_ = std::thread([this] {
            for (; !stops_.load(); rounds_.fetch_add(1))
                for (const auto& pair : pairs_) send_one(*pair);
        });
    }
    ~BusyPairs() {
        stops_.store(true);
        user_.join();
    }
    void wait_for_rounds(std::uint64_t rounds) const {
        for (const std::uint64_t until = rounds_.load() + rounds; rounds_.load() < until;) std::this_thread::yield();
    }

private:
    void send_one(ConnectedPair& pair) {
        need(pair.passive.queue_pair->Receive(nullptr, &part_, 1), "Receive");
        need(pair.active.queue_pair->Send(nullptr, &part_, 1, ND_OP_FLAG_INLINE), "Send");
        (void)pair.passive.wait();
        (void)pair.active.wait();
    }

    Memory memory_;
    const ND2_SGE part_;
    std::vector<std::unique_ptr<ConnectedPair>> pairs_;
    std::atomic<bool> stops_{false};
    std::atomic<std::uint64_t> rounds_{0};
    std::thread user_;
};

double microseconds_of_deregister(const Adapter& adapter) {
    auto memory = std::make_unique<Memory>(adapter, 4096, ND_MR_FLAG_ALLOW_LOCAL_WRITE);
    const auto before = std::chrono::steady_clock::now();
    memory = nullptr;
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count();
}

}  // namespace

int main(int count, char** words) {
    const std::size_t queue_pairs = count > 1 ? std::strtoul(words[1], nullptr, 10) : 1000;
    const std::size_t deregisters = std::max(1ul, count > 2 ? std::strtoul(words[2], nullptr, 10) : 5);
    Adapter adapter;
    (void)microseconds_of_deregister(adapter);
    std::vector<double> times;
    {
        BusyPairs pairs(adapter, queue_pairs);
        pairs.wait_for_rounds(kRoundsOfOwners);
        for (std::size_t i = 0; i < deregisters; ++i) {
            times.push_back(microseconds_of_deregister(adapter));
            pairs.wait_for_rounds(kRoundsOfOwners);
        }
    }
    std::printf("the first of %zu: %.1f us\n", deregisters, times.front());
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    std::printf("Deregister beside %zu busy queue pairs: median %.1f us\n", queue_pairs, times[times.size() / 2]);
    return 0;
}
