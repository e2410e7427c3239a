// SPDX-License-Identifier: MIT
// A run of the model in a process of its own; see model_scenario.h. It is a real child of this program, made before there was any
// thread, and tells of the run in memory that both have.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include "model/program/shrink.h"
#include "simulation/scenario/model_scenario.h"

namespace opennd::simulation {
namespace {

constexpr unsigned kPatience_s = 100;  // a run takes some milliseconds
constexpr std::uint64_t kSeedsOfShrinking = 200;

template <std::size_t kRoom>
struct Text {
    char text[kRoom];
    void operator=(const std::string& from) {
        const std::size_t length = std::min(from.size(), kRoom - 1);
        std::memcpy(text, from.data(), length);
        text[length] = 0;
    }
};

// A report without pointers.
struct Told {
    bool complete;
    World::Outcome outcome;
    std::uint64_t hash, steps;
    Nanoseconds time;
    std::uint64_t connections, requests, bytes, broken;
    Text<64 * 1024> why;
    Text<1024> rule;
    Text<modeled::kMostText> program;
    Text<1024 * 1024> story;

    void tell(const ModelReport& report) {
        outcome = report.outcome;
        hash = report.hash;
        steps = report.steps;
        time = report.time;
        connections = report.connections;
        requests = report.requests;
        bytes = report.bytes;
        broken = report.broken;
        why = report.why;
        rule = report.rule;
        program = modeled::text_of(report.program);
        story = report.story;
        complete = true;
    }

    ModelReport report() const {
        ModelReport report;
        report.outcome = outcome;
        report.hash = hash;
        report.steps = steps;
        report.time = time;
        report.connections = connections;
        report.requests = requests;
        report.bytes = bytes;
        report.broken = broken;
        report.why = why.text;
        report.rule = rule.text;
        report.program = modeled::parse(program.text);
        report.story = story.text;
        return report;
    }
};

Told& shared_report() {
    static Told* const told = [] {
        void* const memory = mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("no memory to share");
        return new (memory) Told{};
    }();
    return *told;
}

modeled::Board& shared_board() {
    static modeled::SharedBoard board;
    return *board;
}

[[noreturn]] void run_in_child(std::uint64_t seed, const ModelOptions& options, bool prints) {
    alarm(kPatience_s);
    ModelScenario scenario(seed, options, shared_board());
    shared_report().tell(scenario.run(prints));
    std::fflush(nullptr);
    _exit(0);
}

}  // namespace

ModelReport run_model(std::uint64_t seed, const ModelOptions& options, bool prints) {
    Told& told = shared_report();
    (void)shared_board();
    told.complete = false;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) run_in_child(seed, options, prints);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) throw std::runtime_error("no process for a run");
    if (told.complete) return told.report();
    ModelReport died;
    died.outcome = World::Outcome::failed;
    died.rule = "the run breaks down";
    died.why = died.rule + ", " +
               (WIFSIGNALED(status) ? std::string("by signal ") + strsignal(WTERMSIG(status))
                                    : "with code " + std::to_string(WEXITSTATUS(status)));
    if (shared_board().program[0] != 0) died.program = modeled::parse(shared_board().program);
    return died;
}

Shrunk shrink_model(std::uint64_t seed, const ModelOptions& options, const ModelReport& found, unsigned seconds) {
    Shrunk best{seed, found};
    std::uint64_t tried = 0;
    const auto fails = [&](const modeled::Program& candidate) {
        ModelOptions given = options;
        given.program = std::make_shared<const modeled::Program>(candidate);
        const std::uint64_t with = seed + tried++ % kSeedsOfShrinking;
        ModelReport report = run_model(with, given, false);
        if (report.rule != found.rule) return false;
        best = {with, std::move(report)};
        return true;
    };
    (void)modeled::shrink(found.program, fails, std::chrono::seconds(seconds));
    return best;
}

}  // namespace opennd::simulation
