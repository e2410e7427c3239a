// SPDX-License-Identifier: MIT
// simulation [--seed N] [--runs N] [--seconds N] [--requests N] [--connections N] [--crowd N] [--shm] [--calm] [--bulk]
//            [--each] [--twice] [--trace] [--debug] [--model [--face Nd1|Nd2|Ndk] [--shrink SECONDS] [--replay FILE]]
// Runs seeds one after another, beginning with --seed, until --runs are done or --seconds are over; ends at the first finding, with
// its trace. --connections: at most; --crowd: exactly. --shm: both processes on one machine, over shared memory. --calm: the wire
// does not break. --bulk: long messages alone. --each: a line for each seed. --twice: each seed runs two times, which must not
// differ. --trace: prints the trace of one seed, with or without a finding. --debug: the trace has the library's lines of the level
// debug too, each change of a state among them; they take locks, so that a seed has another schedule than without.
// --model: each run plays a random program of tests/model, and the oracle of the model judges it. A failing program is shrunk for
// SECONDS (20) and printed. --replay: the program is that of FILE; the seed draws the rest.
#include <gtest/gtest.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "simulation/scenario/model_scenario.h"
#include "simulation/scenario/scenario.h"

using namespace opennd::simulation;

namespace {

struct Arguments {
    std::uint64_t seed = 1, runs = ~std::uint64_t{0};
    double seconds = 1e9;
    bool trace = false, twice = false, each = false, model = false;
    unsigned shrinks = 20;
    ScenarioOptions options;
    ModelOptions model_options;
};

std::shared_ptr<const opennd::modeled::Program> program_in(const char* file) {
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error(std::string("no file ") + file);
    std::ostringstream text;
    text << stream.rdbuf();
    return std::make_shared<const opennd::modeled::Program>(opennd::modeled::parse(text.str()));
}

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
        if (word == "--shm") arguments.options.transport = arguments.model_options.transport = "shm";
        if (word == "--shm") arguments.options.one_machine = true;
        if (word == "--model") arguments.model = true;
        if (word == "--face" && i + 1 < count) arguments.model_options.face = words[++i];
        if (word == "--replay" && i + 1 < count) arguments.model_options.program = program_in(words[++i]);
        if (word == "--shrink") arguments.shrinks = static_cast<unsigned>(number());
        if (word == "--crowd") arguments.options.most_connections = static_cast<std::uint32_t>(number());
        if (word == "--crowd") arguments.options.least_connections = arguments.options.most_connections;
        if (word == "--bulk") arguments.options.bulk = true;
        if (word == "--calm") arguments.options.nemeses = arguments.model_options.nemeses = false;
        if (word == "--debug") arguments.options.level = arguments.model_options.level = opennd::LogLevel::debug;
        if (word == "--each") arguments.each = true;
        if (word == "--twice") arguments.twice = true;
        if (word == "--trace") arguments.trace = true, arguments.runs = 1;
    }
    return arguments;
}

Report run(const Arguments& arguments, std::uint64_t seed, bool prints) {
    return arguments.model ? run_model(seed, arguments.model_options, prints)
                           : Scenario(seed, arguments.options).run(prints);
}

void print_program(std::uint64_t seed, const ModelReport& report) {
    std::fprintf(stderr, "%s\nunder seed %" PRIu64 ":\n%s\nThe events of both sides:\n%s\n",
                 opennd::modeled::text_of(report.program).c_str(), seed, report.why.c_str(), report.story.c_str());
}

void tell_program(const Arguments& arguments, std::uint64_t seed) {
    const ModelReport report = run_model(seed, arguments.model_options, false);
    std::fputs("The program:\n", stderr);
    print_program(seed, report);
    if (report.ok() || arguments.shrinks == 0) return;
    const Shrunk shrunk = shrink_model(seed, arguments.model_options, report, arguments.shrinks);
    std::fputs("A smaller one that breaks the same rule:\n", stderr);
    print_program(shrunk.seed, shrunk.report);
}

}  // namespace

int main(int count, char** words) {
    testing::InitGoogleTest();
    const Arguments arguments = read(count, words);
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    Report sum;
    double hours = 0;
    std::uint64_t done = 0;
    for (std::uint64_t seed = arguments.seed; done < arguments.runs && elapsed() < arguments.seconds; ++seed, ++done) {
        const Report report = run(arguments, seed, arguments.trace);
        if (!report.ok() || arguments.trace) {
            if (!arguments.trace || arguments.twice) (void)run(arguments, seed, true);
            if (arguments.model) tell_program(arguments, seed);
            std::fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, report.ok() ? "nothing found" : report.why.c_str());
            if (!report.ok()) return 1;
        }
        if (arguments.twice) {
            const Report again = run(arguments, seed, false);
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
