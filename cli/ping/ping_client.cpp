// SPDX-License-Identifier: MIT
//
// The asking side of `nd ping`. Read ping_protocol.h first.
#include "interruption.h"
#include "pattern.h"
#include "ping/ping.h"
#include "ping/ping_protocol.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <random>
#include <stdexcept>

namespace nd {
namespace {

using Clock = std::chrono::steady_clock;

struct RoundTimes {
    double min_us = std::numeric_limits<double>::max(), max_us = 0, sum_us = 0;
    std::uint32_t count = 0;

    void add(double us) {
        min_us = std::min(min_us, us);
        max_us = std::max(max_us, us);
        sum_us += us;
        count++;
    }
};

void connect(MessageChannel& channel, const PingOptions& options, const SocketAddress& server) {
    std::random_device random;
    PingRequest request = {};
    request.hello = make_hello(Purpose::ping, random());
    request.rounds = options.count;
    request.size = options.size;
    request.sequence = random();
    fill_pattern(request.pattern, sizeof request.pattern, request.sequence);
    PingAcceptance acceptance = {};
    if (!from_private_data(channel.connection().connect(server, to_private_data(request)), acceptance) ||
        !acceptance.hello.is_for(Purpose::ping))
        throw std::runtime_error("the server at " + server.text() + " is not an `nd ping --server` of this version");
    verify_pattern(acceptance.pattern, sizeof acceptance.pattern, request.sequence + 1, "private data of the answer");
}

// Microseconds of the exchange, without filling and checking here.
double exchange(MessageChannel& channel, MemoryBuffer& buffer, const RemoteMemory& granted, std::uint64_t number) {
    fill_pattern(buffer.data(), buffer.size(), number);
    const PingRound round = {number, granted};

    const Clock::time_point start = Clock::now();
    channel.send(round);
    PingAnswer answer = channel.receive<PingAnswer>();
    const std::chrono::duration<double, std::micro> spent = Clock::now() - start;

    answer.error[sizeof answer.error - 1] = '\0';  // whatever the peer sent
    if (answer.round != number) throw std::runtime_error("the server answered another round");
    if (answer.verified == 0) throw std::runtime_error(std::string("at the server: ") + answer.error);
    invert(buffer.data(), buffer.size());
    verify_pattern(buffer.data(), buffer.size(), number, "RDMA Write of round");
    return spent.count();
}

void check_size(const Adapter& adapter, std::uint64_t size) {
    if (size > 0 && size <= adapter.limits().MaxTransferLength) return;
    throw std::runtime_error("-s " + std::to_string(size) + " is outside 1 to " +
                             std::to_string(adapter.limits().MaxTransferLength) +
                             ", the MaxTransferLength of the adapter " + adapter.address().host());
}

void print_summary(const PingOptions& options, const RoundTimes& times, std::uint32_t failed) {
    std::printf("%u of %u rounds verified, %u failed", times.count, options.count, failed);
    if (times.count > 0)
        std::printf("; min %.2f, average %.2f, max %.2f us", times.min_us, times.sum_us / times.count, times.max_us);
    std::printf("\n");
}

}  // namespace

bool ping_server(const PingOptions& options, const SocketAddress& server) {
    Adapter adapter(options.local.empty() ? local_address_for(server) : SocketAddress::parse(options.local),
                    options.api.api());
    check_size(adapter, options.size);
    MemoryBuffer buffer(adapter, options.size, MemoryKind::ordinary);
    MessageChannel channel(adapter);
    connect(channel, options, server);
    std::printf("connected to %s over %s; private data verified both ways\n", server.text().c_str(),
                channel.connection().transport().c_str());

    const RemoteMemory granted = channel.grant(buffer);
    RoundTimes times;
    std::uint32_t failed = 0;
    for (std::uint32_t round = 1; round <= options.count && failed == 0 && !interrupted(); round++) {
        try {
            const double us = exchange(channel, buffer, granted, round);
            times.add(us);
            std::printf("round %u: %llu bytes read by the server and written back, verified, %.2f us\n", round,
                        static_cast<unsigned long long>(options.size), us);
        } catch (const Interrupted&) {
            break;
        } catch (const std::exception& failure) {
            failed++;
            std::fflush(stdout);
            std::fprintf(stderr, "nd: round %u: %s\n", round, failure.what());
        }
    }
    print_summary(options, times, failed);
    if (!channel.connection().lost()) channel.connection().disconnect();
    return times.count == options.count;
}

}  // namespace nd
