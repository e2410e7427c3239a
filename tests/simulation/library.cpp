// SPDX-License-Identifier: MIT
// Library in place of library/library.cpp, put together as there, but once for each simulated process.
#include "library/library.h"

#include "base/explanation.h"
#include "base/log.h"
#include "library/transports.h"
#include "platform/host/interfaces.h"
#include "simulation/world/process.h"
#include "simulation/world/world.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

using simulation::Process;

constexpr const char* kNoFolder = "";

// A completion queue moves at each arm by a thread of another loop.
soft::Settings restless(soft::Settings settings) {
    settings.most_patience = 1;
    return settings;
}

Process& own_process() { return simulation::World::now_running()->process(); }

}  // namespace

Library& Library::instance() {
    Library* const made = own_process().library();
    return made ? *made : make();
}

Library& Library::make() {
    Process& process = own_process();
    begin_log_of_child();  // the lines of earlier processes and runs would change which lines are made
    auto* const made = new Library(nullptr);
    process.set_library(made);
    process.on_enter([made] { made->loop_.serve_process(); });
    process.enter();
    return *made;
}

bool Library::in_use() { return true; }

const char* Library::variable(const char* name) { return own_process().variable(name); }

// A simulated process has no profile.
Library::Start Library::start() { return {{}, read_settings(Reading::start, &variable)}; }

Library::Library(const Library* parent) : Library(parent, start()) {}

Library::Library(const Library* parent, Start start) : Library(parent, start.settings, std::move(start.profile)) {}

Library::Library(const Library*, const Settings& settings, ProfileChoice profile)
    : profile_(std::move(profile)),
      inspected_(false),
      software_(loop_, memory_, make_wires(settings, transport_names_), restless(settings.soft), layers_),
      transport_(software_, nullptr),
      faulty_(transport_, faults_, loop_, {}),
      adapters_(faulty_, {interfaces, own_process().machine().number() + 1, settings.loopback_listed}),
      inspection_(loop_, [](Question) { return std::string(); }),
      event_file_(loop_, {}, {}),
      foreign_(kNoFolder) {
    set_face_status(face_status);
    if (!ok(select_transports({}))) simulation::World::now_running()->fail("OPENND_TRANSPORT names no transport");
}

}  // namespace opennd
