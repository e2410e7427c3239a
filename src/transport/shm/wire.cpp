// SPDX-License-Identifier: MIT
// ShmWire: see wire.h.
#include "transport/shm/wire.h"

#include <cstdlib>
#include <string_view>

#include "base/format.h"

namespace opennd::shm {
namespace {

bool process_vm_allowed() {
    const char* const text = std::getenv("OPENND_SHM_PROCESS_VM");
    return !text || std::string_view(text) != "off";
}

}  // namespace

ShmWire::ShmWire()
    : LocalWire(
          {.name = "shm", .scope = "opennd/shm", .same_process = false, .may_use_process_vm = process_vm_allowed()}) {}

bool ShmWire::reaches(const Address& remote, std::string& reason) const {
    const bool here = is_local(remote);
    reason = format("{} is {} address of this host", remote.text(false), here ? "an" : "not an");
    return here;
}

}  // namespace opennd::shm
