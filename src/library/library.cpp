// SPDX-License-Identifier: MIT
// See library.h.
#include "library/library.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/explanation.h"
#include "base/lock.h"
#include "base/setting.h"
#include "library/config.h"
#include "platform/host/host_id.h"
#include "platform/host/interfaces.h"
#include "platform/process/fork.h"
#include "spi/status_map.h"
#include "transport/iwarp/handshake/wire.h"
#include "transport/loopback/wire.h"
#include "transport/shm/wire.h"

namespace opennd {
namespace {

std::atomic<bool> library_in_use{false};  // relaxed: a hint, and true before any object exists

using Wires = std::vector<std::unique_ptr<soft::Wire>>;

// The list of transports, in order of preference; `names` gets their names.
Wires make_wires(std::vector<std::string>& names) {
    Wires wires;
    wires.push_back(std::make_unique<loopback::LoopbackWire>());
    wires.push_back(std::make_unique<shm::ShmWire>());
    wires.push_back(std::make_unique<iwarp::IwarpWire>());
    for (const std::unique_ptr<soft::Wire>& wire : wires) names.emplace_back(wire->name());
    return wires;
}

// `wish`, or the environment's value if it is empty.
std::string_view or_environment(std::string_view wish, const char* variable) {
    if (!wish.empty()) return wish;
    const char* const value = setting(variable);
    return value ? value : "";
}

// Modules named there run in this process.
std::string provider_folder() {
    const char* const value = setting("OPENND_PROVIDERS");
    return value ? value : "/etc/opennd/providers.d";
}

}  // namespace

constinit std::atomic<Library*> Library::instance_{nullptr};

Library& Library::instance() {
    Library* const made = instance_.load(std::memory_order_acquire);
    return made ? *made : make();
}

Library& Library::make() {
    static Mutex mutex;
    static Library* newest = nullptr;  // of this process, or of the parent of this one
    const Held lock(mutex);
    Library* const made = instance_.load(std::memory_order_relaxed);
    if (made) return *made;
    static const bool forgotten_by_children =
        (in_each_child([] { instance_.store(nullptr, std::memory_order_relaxed); }), true);
    static_cast<void>(forgotten_by_children);
    newest = new Library(newest);
    instance_.store(newest, std::memory_order_release);
    return *newest;
}

bool Library::in_use() { return library_in_use.load(std::memory_order_relaxed); }

Library::Library(const Library* parent)
    : transport_(loop_, memory_, make_wires(transport_names_)),
      adapters_(transport_, {interfaces, host_id(), loopback_is_listed(or_environment({}, "OPENND_LIST_LOOPBACK"))}),
      foreign_(provider_folder()) {
    set_face_status(face_status);
    loop_.serve_process();
    library_in_use.store(true, std::memory_order_relaxed);
    if (parent) {
        std::vector<std::string> chosen;
        for (const soft::Wire* wire : parent->transport_.chosen_wires()) chosen.emplace_back(wire->name());
        transport_.select(chosen);
        transport_.set_overrun_rule(parent->transport_.overrun_rule());
        return;
    }
    // A program that named its transports gets no others: after a wrong name it has none.
    if (!ok(select_transports({}))) transport_.select({});
    (void)select_overrun_rule({});  // a wrong name is in the log, and the default stands
}

Status Library::select_transports(std::string_view list) {
    const Result<std::vector<std::string>> names =
        choose_transports(or_environment(list, "OPENND_TRANSPORT"), transport_names_);
    if (!names.ok()) return names.status();
    transport_.select(names.value());
    return Status::success;
}

Status Library::select_overrun_rule(std::string_view name) {
    const Result<soft::OverrunRule> rule = choose_overrun_rule(or_environment(name, "OPENND_OVERRUN"));
    if (!rule.ok()) return rule.status();
    transport_.set_overrun_rule(rule.value());
    return Status::success;
}

}  // namespace opennd
