// SPDX-License-Identifier: MIT
// See model_scenario.h.
#include "simulation/scenario/model_scenario.h"

#include "base/log.h"
#include "conformance/vocabulary/variant.h"
#include "model/oracle/story.h"
#include "model/play/clock.h"
#include "model/play/complaints.h"
#include "model/play/side.h"
#include "model/program/generator.h"
#include "simulation/file/file.h"
#include "simulation/world/nemeses.h"

namespace opennd::modeled {

std::int64_t now_ns() {
    auto& world = *simulation::World::now_running();
    world.look_at_clock();
    return world.distinct_time();
}

// Time costs nothing, and a bad wire may be slow.
std::chrono::milliseconds patience() { return std::chrono::hours(1); }

}  // namespace opennd::modeled

namespace opennd::simulation {
namespace {

constexpr int kIds[] = {101, 202};
constexpr const char* kNames[] = {"side 0", "side 1"};
constexpr const char* kAddresses[] = {"192.0.2.1", "192.0.2.2"};
constexpr std::uint64_t kSteps = 20'000'000;
constexpr Nanoseconds kLongestRun = 7 * 24 * 3600 * kSecond;

unsigned side_of_this_process() { return World::now_running()->process().id() == kIds[0] ? 0 : 1; }

void hear_line(void* context, LogLevel, const char* line) { static_cast<World*>(context)->say(line); }

}  // namespace

ModelScenario::ModelScenario(std::uint64_t seed, const ModelOptions& options, modeled::Board& board)
    : level_(options.level), world_(seed), board_(board) {
    world_.set_limits(kSteps, kLongestRun);
    machines_[0] = &world_.network().add_machine({*Address::parse(kAddresses[0])});
    machines_[1] =
        options.transport == "shm" ? machines_[0] : &world_.network().add_machine({*Address::parse(kAddresses[1])});
    Path& path = world_.network().path(*machines_[0], *machines_[1]);
    path = Path::of(world_.dice());
    path.loses_request_once_in = 0;  // or Connect may time out
    program_ = draw_program(options);
    board_.reset(program_);
    for (unsigned side = 0; side < modeled::kSides; ++side) {
        processes_[side] = std::make_unique<Process>(*machines_[side], kNames[side], kIds[side]);
        prepare(*processes_[side], side);
    }
    nature_ = std::make_unique<Process>(*machines_[0], "nature", 1);
    modeled::Complaints::listen(board_, side_of_this_process);
}

modeled::Program ModelScenario::draw_program(const ModelOptions& options) {
    Dice& dice = world_.dice();
    constexpr const char* kFaces[] = {"Nd1", "Nd2", "Ndk"};
    modeled::Setting setting;
    setting.face = kFaces[dice.below(std::size(kFaces))];
    if (!options.face.empty()) setting.face = options.face;
    setting.transport = options.transport;
    setting.processes = modeled::kSides;
    setting.wire_may_break = dice.once_in(3) && options.nemeses && options.transport == "iwarp";
    const std::uint64_t seed = dice.below(1'000'000'000);
    return options.program ? *options.program : modeled::generate(seed, setting);
}

void ModelScenario::prepare(Process& process, unsigned side) {
    process.set("OPENND_TRANSPORT", program_.setting.transport);
    process.set("OPENND_LOOPS", "1");
    process.set("OPENND_TEST_ADDRESS", process.machine().addresses().front().text(false));
    if (program_.setting.world == modeled::World::frames) process.set("OPENND_SHM_PROCESS_VM", "off");
    if (program_.setting.world == modeled::World::impatient)
        process.set("OPENND_NO_RECEIVE_MS", std::to_string(modeled::kImpatience_ms));
    board_.process[side] = process.id();
    process.on_death([this, side] {
        board_.dead[side] = true;
        board_.bell.ring();
    });
}

void ModelScenario::play(Process& process, unsigned side) {
    {
        const auto driver = conformance::open_driver(program_.setting.face);
        modeled::play(*driver, program_, side, board_);
    }
    expect_no_sockets(world_, process);
}

// Begins once both are connected: the other scenario breaks the wire during handshakes.
void ModelScenario::befall() {
    const bool connected =
        board_.bell.wait_until([&] { return board_.phase[0] != 0 && board_.phase[1] != 0; }, kLongestRun);
    if (connected) draw_nemeses(world_, *machines_[0], *machines_[1]);
}

ModelReport ModelScenario::run(bool prints) {
    if (prints) world_.trace().keep(1 << 22);
    set_log_sink(&hear_line, &world_, level_);
    for (unsigned side = 0; side < modeled::kSides; ++side)
        world_.spawn(*processes_[side], "main", [this, side] { play(*processes_[side], side); });
    if (program_.setting.wire_may_break) world_.spawn(*nature_, "nemesis", [this] { befall(); });
    ModelReport report;
    report.outcome = world_.run();
    set_log_sink(nullptr, nullptr, LogLevel::error);
    report.hash = world_.trace().hash();
    report.steps = world_.steps();
    report.time = world_.time();
    report.broken = program_.setting.wire_may_break ? 1 : 0;
    report.connections = program_.setting.pairs;
    report.program = program_;
    report.story = modeled::story(program_, board_);
    modeled::Judgement judgement = modeled::judge(program_, board_);
    if (!report.ok())
        judgement.findings.insert(judgement.findings.begin(), {"the run does not end well", world_.why(), ~0u});
    report.requests = judgement.requests;
    report.bytes = judgement.bytes;
    for (const modeled::Finding& finding : judgement.findings) report.why += finding.told + '\n';
    if (!judgement.findings.empty()) report.rule = judgement.findings.front().rule;
    if (!judgement.findings.empty() && report.ok()) report.outcome = World::Outcome::failed;
    if (prints) world_.print_trace();
    return report;
}

}  // namespace opennd::simulation
