// SPDX-License-Identifier: MIT
//
// A Deregister beside queue pairs that another thread uses all the time. Each queue pair's lock has that thread as its owner, which
// the Deregister is not to end. Prints the median over Deregisters with some rounds of the other thread in between.
// OPENND_TRANSPORT says over what.
//
// Usage: deregister_beside [QUEUE_PAIRS [DEREGISTERS]]
#include "connected_sides.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace nd;

constexpr std::size_t kShort = 8;
constexpr std::uint64_t kRoundsOfOwners = 400;  // after which each lock has its owner

struct Pair {
    Pair(Adapter& adapter, Listener& listener)
        : active(adapter, kShort, MemoryKind::ordinary, 8), passive(adapter, kShort, MemoryKind::ordinary, 8) {
        Connection::connect_both(listener, active.connection, passive.connection);
    }
    void send_one() {
        benchmark::need(passive.queue_pair.receive(passive.memory.part(0, kShort)), "Receive");
        benchmark::need(active.queue_pair.send(nullptr, active.memory.part(0, kShort), ND_OP_FLAG_INLINE), "Send");
        (void)passive.results.wait_one<WaitBy::polling>("receive");
        (void)active.results.wait_one<WaitBy::polling>("send");
    }

    benchmark::Side active, passive;
};

// Connections of this process with itself, and the thread that plays ping on each of them in turn.
class BusyPairs {
public:
    BusyPairs(Adapter& adapter, std::size_t queue_pairs) : listener_(adapter, 0) {
        for (std::size_t pair = 0; pair < std::max<std::size_t>(1, queue_pairs / 2); ++pair)
            pairs_.push_back(std::make_unique<Pair>(adapter, listener_));
        user_ = std::thread([this] {
            for (; !stops_.load(); rounds_.fetch_add(1))
                for (const auto& pair : pairs_) pair->send_one();
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
    Listener listener_;
    std::vector<std::unique_ptr<Pair>> pairs_;
    std::atomic<bool> stops_{false};
    std::atomic<std::uint64_t> rounds_{0};
    std::thread user_;
};

double microseconds_of_deregister(const Adapter& adapter) {
    auto memory = std::make_unique<MemoryBuffer>(adapter, 4096, MemoryKind::ordinary);
    const auto before = std::chrono::steady_clock::now();
    memory = nullptr;
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count();
}

}  // namespace

int main(int count, char** words) {
    const std::size_t queue_pairs = count > 1 ? std::strtoul(words[1], nullptr, 10) : 1000;
    const std::size_t deregisters = std::max(1ul, count > 2 ? std::strtoul(words[2], nullptr, 10) : 5);
    const Library library;
    Adapter adapter(SocketAddress::parse("127.0.0.1"), Api::nd2);
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
