// SPDX-License-Identifier: MIT
//
// Read ping_rounds.h first.
#include "ping/ping_rounds.h"

#include "interruption.h"
#include "text/complaint.h"
#include "text/wrapped_text.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <stdexcept>

namespace nd {
namespace {

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

void print_summary(const PingOptions& options, const RoundTimes& times, std::uint32_t failed) {
    std::printf("%u of %u rounds verified, %u failed", times.count, options.count, failed);
    if (times.count > 0)
        std::printf("; min %.2f, average %.2f, max %.2f us", times.min_us, times.sum_us / times.count, times.max_us);
    std::printf("\n");
}

}  // namespace

void check_ping_size(const Adapter& adapter, std::uint64_t size) {
    if (size > 0 && size <= adapter.limits().MaxTransferLength) return;
    throw std::runtime_error("-s " + std::to_string(size) + " is outside 1 to " +
                             std::to_string(adapter.limits().MaxTransferLength) +
                             ", the MaxTransferLength of the adapter " + adapter.address().host());
}

void announce_connection(const SocketAddress& server, const Connection& connection, const char* private_data) {
    print_wrapped("connected ", "to " + server.text() + " over " + connection.transport() + "; " + private_data);
}

bool run_rounds(const PingOptions& options, const std::function<double(std::uint32_t)>& exchange) {
    RoundTimes times;
    std::uint32_t failed = 0;
    for (std::uint32_t round = 1; round <= options.count && failed == 0 && !interrupted(); round++) {
        try {
            const double us = exchange(round);
            times.add(us);
            std::printf("round %u: %llu bytes read and written back, verified, %.2f us\n", round,
                        static_cast<unsigned long long>(options.size), us);
        } catch (const std::exception& failure) {
            failed++;
            std::fflush(stdout);
            print_complaint("nd: round " + std::to_string(round) + ": " + failure.what());
        }
    }
    print_summary(options, times, failed);
    return times.count == options.count;
}

}  // namespace nd
