// SPDX-License-Identifier: MIT
// Library in place of library/library.cpp, put together as there, but once for each simulated process.
#include "library/library.h"

#include <memory>

#include "base/explanation.h"
#include "library/config.h"
#include "platform/host/interfaces.h"
#include "simulation/process.h"
#include "simulation/world.h"
#include "spi/status_map.h"
#include "transport/iwarp/handshake/wire.h"
#include "transport/loopback/wire.h"
#include "transport/shm/wire.h"

namespace opennd {
namespace {

using simulation::Process;

constexpr const char* kNoFolder = "";

Process& own_process() { return simulation::World::now_running()->process(); }

std::vector<std::unique_ptr<soft::Wire>> all_wires() {
    std::vector<std::unique_ptr<soft::Wire>> wires;
    wires.push_back(std::make_unique<loopback::LoopbackWire>());
    wires.push_back(std::make_unique<shm::ShmWire>());
    wires.push_back(std::make_unique<iwarp::IwarpWire>());
    return wires;
}

}  // namespace

Library& Library::instance() {
    Library* const made = own_process().library();
    return made ? *made : make();
}

Library& Library::make() {
    Process& process = own_process();
    auto* const made = new Library(nullptr);
    process.set_library(made);
    process.on_enter([made] { made->loop_.serve_process(); });
    process.enter();
    return *made;
}

bool Library::in_use() { return true; }

Library::Library(const Library*)
    : transport_names_{"loopback", "shm", "iwarp"},
      transport_(loop_, memory_, all_wires()),
      adapters_(transport_, {interfaces, own_process().machine().number() + 1, false}),
      foreign_(kNoFolder) {
    set_face_status(face_status);
    if (!ok(select_transports({}))) simulation::World::now_running()->fail("OPENND_TRANSPORT names no transport");
}

Status Library::select_transports(std::string_view list) {
    const char* const wish = own_process().variable("OPENND_TRANSPORT");
    const Result<std::vector<std::string>> names =
        choose_transports(list.empty() && wish ? wish : list, transport_names_);
    if (!names.ok()) return names.status();
    transport_.select(names.value());
    return Status::success;
}

Status Library::select_overrun_rule(std::string_view name) {
    const Result<soft::OverrunRule> rule = choose_overrun_rule(name);
    if (!rule.ok()) return rule.status();
    transport_.set_overrun_rule(rule.value());
    return Status::success;
}

}  // namespace opennd
