// SPDX-License-Identifier: MIT
// LoopbackWire: see wire.h.
#include "transport/loopback/wire.h"

#include "base/format.h"

#include "platform/random.h"
#include "transport/local/listener.h"

namespace opennd::loopback {

LoopbackWire::LoopbackWire()
    : LocalWire({.name = "loopback",
                 .scope = format("opennd/loopback/{:016x}", random_u64()),
                 .same_process = true,
                 .may_use_process_vm = false}) {}

bool LoopbackWire::reaches(const Address& remote, std::string& reason) const {
    const bool here = is_local(remote);
    reason = here ? "if this process listens there" : format("{} is not an address of this host", remote.text(false));
    return here;
}

bool LoopbackWire::would_take(const Address& remote, std::string& reason) const {
    if (!reaches(remote, reason)) return false;
    const Status status = local::dial(traits_.scope, remote).status();
    const bool here = ok(status) || status == Status::would_block;
    reason = here ? "the listener is in this process" : "no listener of this process is at that address and port";
    return here;
}

}  // namespace opennd::loopback
