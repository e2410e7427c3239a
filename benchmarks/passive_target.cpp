// SPDX-License-Identifier: MIT
//
// A target that only holds memory, into which the threads of another process write, each over a connection of its own: bytes a second,
// the target's processor time for a gigabyte, and the share of each of its event loops in that. OPENND_TRANSPORT says over what,
// OPENND_LOOPS how many loops there may be.
//
// Usage: passive_target PEERS [BYTES [MILLISECONDS]]
#include "connected_sides.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace nd;
using Clock = std::chrono::steady_clock;

constexpr ULONG kDepth = 8;

template <typename T>
void put(int pipe, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (::write(pipe, &value, sizeof value) != sizeof value) std::_Exit(2);
}
template <typename T>
T get(int pipe) {
    T value;
    if (::read(pipe, &value, sizeof value) != sizeof value) std::_Exit(2);
    return value;
}

// Grants its memory, and neither polls nor waits until the writers' process ends.
[[noreturn]] void be_the_target(std::size_t peers, std::size_t bytes, int pipe) {
    const Library library;
    Adapter adapter(SocketAddress::parse("127.0.0.1"), Api::nd2);
    Listener listener(adapter, 0);
    put(pipe, listener.address().port());
    std::vector<std::unique_ptr<benchmark::Side>> sides;
    for (std::size_t i = 0; i < peers; ++i) {
        auto side = std::make_unique<benchmark::Side>(adapter, bytes, MemoryKind::ordinary, kDepth);
        (void)side->connection.take_request(listener);
        side->connection.accept({});
        put(pipe, side->connection.grant(side->queue_pair, side->memory, 0, bytes));
        sides.push_back(std::move(side));
    }
    for (;;) ::pause();
}

std::uint64_t write_until(benchmark::Side& side, std::size_t bytes, const std::atomic<bool>& stops) {
    std::uint64_t posted = 0, done = 0;
    while (!stops.load() || done < posted) {
        for (; !stops.load() && posted < done + kDepth; ++posted)
            benchmark::need(side.queue_pair.write(nullptr, side.memory.part(0, bytes), side.peer, 0, 0), "Write");
        if (done == posted) break;
        (void)side.results.wait_one<WaitBy::events>("write");
        ++done;
    }
    return done * bytes;
}

// Seconds of processor time of each thread, the threads of one name together.
std::map<std::string, double> processor_time(int process) {
    std::map<std::string, double> all;
    const double tick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
        std::string text;
        std::getline(std::ifstream(thread.path() / "stat"), text);
        const std::size_t name = text.find('('), end = text.rfind(')');
        if (name == std::string::npos || end == std::string::npos) continue;
        unsigned long user = 0, system = 0;
        std::sscanf(text.c_str() + end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
        all[text.substr(name + 1, end - name - 1)] += static_cast<double>(user + system) * tick;
    }
    return all;
}

}  // namespace

int main(int count, char** words) {
    const auto argument = [&](int number, std::size_t otherwise) {
        return count > number ? std::max(1ul, std::strtoul(words[number], nullptr, 10)) : otherwise;
    };
    const std::size_t peers = argument(1, 2), bytes = argument(2, 65536);
    const auto time = std::chrono::milliseconds(argument(3, 1000));
    int pipe[2];
    if (::pipe(pipe) != 0) return 2;
    const int target = ::fork();
    if (target == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        be_the_target(peers, bytes, pipe[1]);
    }
    const auto port = get<std::uint16_t>(pipe[0]);
    const Library library;
    Adapter adapter(SocketAddress::parse("127.0.0.1"), Api::nd2);
    std::vector<std::unique_ptr<benchmark::Side>> sides;
    for (std::size_t i = 0; i < peers; ++i) {
        sides.push_back(std::make_unique<benchmark::Side>(adapter, bytes, MemoryKind::ordinary, kDepth));
        (void)sides.back()->connection.connect(SocketAddress::parse("127.0.0.1:" + std::to_string(port)), {});
        sides.back()->peer = RemoteTarget(get<RemoteMemory>(pipe[0]));
    }
    const auto before = processor_time(target);
    std::atomic<bool> stops{false};
    std::vector<std::uint64_t> written(peers);
    std::vector<std::thread> writers;
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < peers; ++i)
        writers.emplace_back([&, i] { written[i] = write_until(*sides[i], bytes, stops); });
    std::this_thread::sleep_for(time);
    stops.store(true);
    for (std::thread& writer : writers) writer.join();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    double gigabytes = 0, busy = 0;
    for (const std::uint64_t each : written) gigabytes += static_cast<double>(each) / 1e9;
    auto spent = processor_time(target);
    for (const auto& [name, earlier] : before) spent[name] -= earlier;
    for (const auto& [name, each] : spent) busy += each;
    std::string shares;
    for (const auto& [name, each] : spent)
        if (each > 0)
            shares += (shares.empty() ? "" : ", ") + name + " " +
                      std::to_string(static_cast<int>(100 * each / busy + 0.5)) + " %";
    std::printf("%zu writing peers: %.3f s of the target's processor time a GB (%s), %.2f GB/s\n", peers,
                busy / gigabytes, shares.c_str(), gigabytes / seconds);
    std::fflush(stdout);
    std::_Exit(0);
}
