// SPDX-License-Identifier: MIT
// A random program of tests/model in a run: each of its two sides is a simulated process, and the model's oracle judges their
// events. The seed decides about the program, about the machines with the wire between them, and about everything else.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/log.h"
#include "model/oracle/oracle.h"
#include "model/play/board.h"
#include "model/program/program.h"
#include "simulation/scenario/report.h"
#include "simulation/world/network.h"
#include "simulation/world/world.h"

namespace opennd::simulation {

struct ModelOptions {
    std::string face;  // "Nd1", "Nd2", "Ndk"; empty: the seed says
    std::string transport = "iwarp";
    bool nemeses = true;
    LogLevel level = LogLevel::info;
    // Of a program that is given, the seed decides about the rest.
    std::shared_ptr<const modeled::Program> program;
};

struct ModelReport : Report {
    modeled::Program program;
    std::string rule;   // the first that was broken
    std::string story;  // the events of both sides
};

class ModelScenario {
public:
    ModelScenario(std::uint64_t seed, const ModelOptions& options, modeled::Board& board);

    // Once. Prints the trace if asked to.
    ModelReport run(bool prints);

private:
    modeled::Program draw_program(const ModelOptions& options);
    void prepare(Process& process, unsigned side);
    void play(Process& process, unsigned side);
    void befall();

    const LogLevel level_;
    World world_;
    modeled::Board& board_;
    Machine* machines_[modeled::kSides];
    std::unique_ptr<Process> processes_[modeled::kSides], nature_;
    modeled::Program program_;
};

// Runs a seed in a process of its own, so that nothing is left of a run that fails, kills or breaks down.
ModelReport run_model(std::uint64_t seed, const ModelOptions& options, bool prints);

// A smaller program that breaks the same rule under some seed, and that run. At most so long.
struct Shrunk {
    std::uint64_t seed = 0;
    ModelReport report;
};
Shrunk shrink_model(std::uint64_t seed, const ModelOptions& options, const ModelReport& found, unsigned seconds);

}  // namespace opennd::simulation
