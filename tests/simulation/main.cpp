// SPDX-License-Identifier: MIT
// simulation [--seed N] [--runs N] [--seconds N] [--requests N] [--connections N] [--crowd N] [--loops N] [--shm] [--calm] [--bulk]
//            [--lost] [--stopped] [--each] [--twice] [--trace] [--debug] [--model [--face Nd1|Nd2|Ndk] [--shrink SECONDS] [--replay FILE]]
// Runs seeds one after another, beginning with --seed, until --runs are done or --seconds are over; ends at the first finding, with
// its trace. --connections: at most; --crowd: exactly. --loops: event loops of a
// process, which completion queues change whenever they can. --shm: both processes on one machine, over shared memory. --calm: the wire
// does not break. --bulk: long messages alone. --lost: one connection, whose wire falls silent for good. --stopped: long messages,
// and a process that is stopped for minutes. --each: a line for each seed. --twice: each seed runs two times, which must not differ.
// --trace: prints the trace of one seed, with or without a finding. --debug: the trace has the library's lines of the level debug too, each change of a state among them; they take locks, so that a seed has another schedule than without.
// --model: each run plays a random program of tests/model, and the oracle of the model judges it. A failing program is shrunk for
// SECONDS (20) and printed. --replay: the program is that of FILE; the seed draws the rest.
#include <gtest/gtest.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "platform/memory/copy_choice.h"
#include "platform/thread/look_choice.h"
#include "simulation/scenario/model_scenario.h"
#include "simulation/scenario/scenario.h"
#include "transport/iwarp/wire/crc_choice.h"
#include "transport/local/placing_choice.h"

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

// Each word of the command line with its effect. A word that is none of them ends the program with the list.
Arguments read(int count, char** words) {
    Arguments arguments;
    ScenarioOptions& scenario = arguments.options;
    ModelOptions& model = arguments.model_options;
    int i = 1;
    const auto word = [&] { return i + 1 < count ? words[++i] : throw std::runtime_error("a value is missing"); };
    const auto number = [&] { return std::strtoull(word(), nullptr, 10); };
    const auto small = [&] { return static_cast<std::uint32_t>(number()); };
    const std::map<std::string_view, std::function<void()>> settings{
        {"--seed", [&] { arguments.seed = number(); }},
        {"--runs", [&] { arguments.runs = number(); }},
        {"--seconds", [&] { arguments.seconds = static_cast<double>(number()); }},
        {"--requests", [&] { scenario.most_requests = small(); }},
        {"--connections", [&] { scenario.most_connections = small(); }},
        {"--crowd", [&] { scenario.least_connections = scenario.most_connections = small(); }},
        {"--loops", [&] { scenario.loops = word(); }},
        {"--shm", [&] { scenario.transport = model.transport = "shm", scenario.one_machine = true; }},
        {"--bulk", [&] { scenario.bulk = true; }},
        {"--stopped", [&] { scenario.stopped = scenario.bulk = true; }},
        {"--lost", [&] { scenario.lost = true, scenario.least_connections = scenario.most_connections = 1; }},
        {"--calm", [&] { scenario.nemeses = model.nemeses = false; }},
        {"--debug", [&] { scenario.level = model.level = opennd::LogLevel::debug; }},
        {"--model", [&] { arguments.model = true; }},
        {"--face", [&] { model.face = word(); }},
        {"--replay", [&] { model.program = program_in(word()); }},
        {"--shrink", [&] { arguments.shrinks = small(); }},
        {"--each", [&] { arguments.each = true; }},
        {"--twice", [&] { arguments.twice = true; }},
        {"--trace", [&] { arguments.trace = true, arguments.runs = 1; }}};
    for (; i < count; ++i) {
        const auto setting = settings.find(words[i]);
        if (setting != settings.end()) {
            setting->second();
            continue;
        }
        std::fprintf(stderr, "simulation: no option %s; there are", words[i]);
        for (const auto& [name, set] : settings) std::fprintf(stderr, " %s", std::string(name).c_str());
        std::fputs(" (docs/decisions/0034)\n", stderr);
        std::exit(2);
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

// All simulated processes have these in common: measured by the first connection, they would differ from run to run.
void choose_for_all_processes() {
    opennd::pin_copies(opennd::CopyWay::library);
    opennd::iwarp::pin_crcs(opennd::iwarp::CrcWay::instruction);
    opennd::pin_looks(true);
    opennd::local::pin_placing(true);
}

}  // namespace

int main(int count, char** words) {
    testing::InitGoogleTest();
    const Arguments arguments = read(count, words);
    choose_for_all_processes();
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
