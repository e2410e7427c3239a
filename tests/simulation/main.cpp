// SPDX-License-Identifier: MIT
// simulation [--seed N] [--runs N] [--seconds N] [--requests N] [--connections N] [--crowd N] [--shm] [--calm] [--bulk]
//            [--each] [--twice] [--trace]
// Runs seeds one after another, beginning with --seed, until so many are done or so much time is over; ends at the first that
// finds something, with its trace. --connections: at most; --crowd: just so many. --shm: both processes on one machine, over shared memory. --calm: nothing befalls the
// wire. --bulk: long messages alone. --each: a line for each seed. --twice: each seed runs two times, which must not differ.
// --trace: that of one seed, whatever it finds.
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "simulation/scenario.h"

using namespace opennd::simulation;

namespace {

struct Arguments {
    std::uint64_t seed = 1, runs = ~std::uint64_t{0};
    double seconds = 1e9;
    bool trace = false, twice = false, each = false;
    ScenarioOptions options;
};

Arguments read(int count, char** words) {
    Arguments arguments;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const auto number = [&] { return i + 1 < count ? std::strtoull(words[++i], nullptr, 10) : 0; };
        if (word == "--seed") arguments.seed = number();
        if (word == "--runs") arguments.runs = number();
        if (word == "--seconds") arguments.seconds = static_cast<double>(number());
        if (word == "--requests") arguments.options.most_requests = static_cast<std::uint32_t>(number());
        if (word == "--connections") arguments.options.most_connections = static_cast<std::uint32_t>(number());
        if (word == "--shm") arguments.options.transports = {"shm"}, arguments.options.one_machine = true;
        if (word == "--crowd") arguments.options.most_connections = static_cast<std::uint32_t>(number());
        if (word == "--crowd") arguments.options.least_connections = arguments.options.most_connections;
        if (word == "--bulk") arguments.options.bulk = true;
        if (word == "--calm") arguments.options.nemeses = false;
        if (word == "--each") arguments.each = true;
        if (word == "--twice") arguments.twice = true;
        if (word == "--trace") arguments.trace = true, arguments.runs = 1;
    }
    return arguments;
}

}  // namespace

int main(int count, char** words) {
    const Arguments arguments = read(count, words);
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    Report sum;
    double hours = 0;
    std::uint64_t done = 0;
    for (std::uint64_t seed = arguments.seed; done < arguments.runs && elapsed() < arguments.seconds; ++seed, ++done) {
        const Report report = Scenario(seed, arguments.options).run(arguments.trace);
        if (!report.ok() || arguments.trace) {
            (void)Scenario(seed, arguments.options).run(!arguments.trace || arguments.twice);
            std::fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, report.ok() ? "nothing found" : report.why.c_str());
            if (!report.ok()) return 1;
        }
        if (arguments.twice) {
            const Report again = Scenario(seed, arguments.options).run(false);
            if (again.hash != report.hash || again.steps != report.steps) {
                std::fprintf(stderr,
                             "seed %" PRIu64 ": two runs differ: %016" PRIx64 " after %" PRIu64 " steps, %016" PRIx64
                             " after %" PRIu64 "\n",
                             seed, report.hash, report.steps, again.hash, again.steps);
                return 1;
            }
        }
        if (arguments.each)
            std::printf("%" PRIu64 " %016" PRIx64 " %" PRIu64 " steps %.3f s\n", seed, report.hash, report.steps,
                        static_cast<double>(report.time) / kSecond);
        sum.hash = (sum.hash ^ report.hash) * 0x9FB21C651E98DF25;
        sum.steps += report.steps;
        sum.connections += report.connections;
        sum.requests += report.requests;
        sum.bytes += report.bytes;
        sum.broken += report.broken;
        hours += static_cast<double>(report.time) / kSecond / 3600;
    }
    std::printf("%" PRIu64 " runs in %.1f s: %" PRIu64 " connections, %" PRIu64 " requests, %.1f MB, %" PRIu64
                " steps, %.1f hours of virtual time, %" PRIu64 " with a wire that broke; trace %016" PRIx64
                "; nothing found\n",
                done, elapsed(), sum.connections, sum.requests, static_cast<double>(sum.bytes) / 1e6, sum.steps, hours,
                sum.broken, sum.hash);
    return 0;
}
