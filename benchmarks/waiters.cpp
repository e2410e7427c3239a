// SPDX-License-Identifier: MIT
//
// Threads that wait for events, each with a connection of its own between the same two processes: round trips of 8 bytes a second, all
// threads together, and the time of the slowest in a hundred. OPENND_TRANSPORT says over what. Read connected_sides.h first.
//
// Usage: waiters THREADS [MILLISECONDS]
#include "connected_sides.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace nd;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kShort = 8;

// One of the two ends of a thread's connection.
class End {
public:
    explicit End(Adapter& adapter) : side_(adapter, 2 * kShort, MemoryKind::ordinary, 8) {}
    Connection& connection() { return side_.connection; }
    void expect() { benchmark::need(side_.queue_pair.receive(side_.memory.part(kShort, kShort)), "Receive"); }
    void send() {
        const ULONG flags = ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_INLINE;
        benchmark::need(side_.queue_pair.send(nullptr, side_.memory.part(0, kShort), flags), "Send");
    }
    void wait() { (void)side_.results.wait_one<WaitBy::events>("receive a message"); }

private:
    benchmark::Side side_;
};

// Answers until the client's process ends.
[[noreturn]] void serve(std::size_t count, int port) {
    const Library library;
    Adapter adapter(SocketAddress::parse("127.0.0.1"), Api::nd2);
    Listener listener(adapter, 0);
    const std::uint16_t number = listener.address().port();
    if (::write(port, &number, sizeof number) != sizeof number) std::_Exit(2);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) {
        auto end = std::make_shared<End>(adapter);
        (void)end->connection().take_request(listener);
        end->connection().accept({});
        end->expect();
        threads.emplace_back([end] {
            for (;;) {
                end->wait();
                end->expect();
                end->send();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    std::_Exit(0);
}

std::vector<double> ping(End& end, const std::atomic<bool>& stops) {
    std::vector<double> times;
    while (!stops.load()) {
        const auto before = Clock::now();
        end.expect();
        end.send();
        end.wait();
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - before).count());
    }
    return times;
}

}  // namespace

int main(int count, char** words) {
    const std::size_t threads = count > 1 ? std::max(1ul, std::strtoul(words[1], nullptr, 10)) : 1;
    const auto time = std::chrono::milliseconds(count > 2 ? std::strtoul(words[2], nullptr, 10) : 1000);
    int pipe[2];
    if (::pipe(pipe) != 0) return 2;
    if (::fork() == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(threads, pipe[1]);
    }
    std::uint16_t port = 0;
    if (::read(pipe[0], &port, sizeof port) != sizeof port) return 2;
    const Library library;
    Adapter adapter(SocketAddress::parse("127.0.0.1"), Api::nd2);
    std::vector<std::unique_ptr<End>> ends;
    for (std::size_t i = 0; i < threads; ++i) {
        ends.push_back(std::make_unique<End>(adapter));
        (void)ends.back()->connection().connect(SocketAddress::parse("127.0.0.1:" + std::to_string(port)), {});
    }
    std::atomic<bool> stops{false};
    std::vector<std::vector<double>> times(threads);
    std::vector<std::thread> pingers;
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < threads; ++i) pingers.emplace_back([&, i] { times[i] = ping(*ends[i], stops); });
    std::this_thread::sleep_for(time);
    stops.store(true);
    for (std::thread& pinger : pingers) pinger.join();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::vector<double> all;
    for (const std::vector<double>& each : times) all.insert(all.end(), each.begin(), each.end());
    const auto slow = all.begin() + static_cast<std::ptrdiff_t>(all.size() * 99 / 100);
    std::nth_element(all.begin(), slow, all.end());
    std::printf("%zu waiting threads: 99 %% within %.1f us, %.1f thousand/s\n", threads, *slow,
                static_cast<double>(all.size()) / seconds / 1e3);
    std::fflush(stdout);
    std::_Exit(0);
}
