// SPDX-License-Identifier: MIT
// ShmWire: see wire.h.
#include "transport/shm/wire.h"

#include "base/format.h"
#include "platform/host/interfaces.h"
#include "transport/local/listener.h"
#include "transport/local/placing_choice.h"

namespace opennd::shm {

ShmWire::ShmWire(const Settings& settings)
    : LocalWire(
          {.name = "shm", .scope = "opennd/shm", .same_process = false, .may_use_process_vm = settings.process_vm}) {
    if (settings.placed) local::pin_placing(*settings.placed);
}

bool ShmWire::reaches(const Address& remote, std::string& reason) const {
    const bool here = is_of_this_host(remote);
    reason = format("{} is {} address of this host", remote.text(false), here ? "an" : "not an");
    return here;
}

Result<Ref<soft::ActiveEnd>> ShmWire::dial(Ref<soft::SoftAdapter> adapter, const Address& remote) {
    LocalSocket socket;
    if (!traits_.links->way_to(*adapter, remote)) {
        auto found = local::dial(traits_.scope, remote);
        if (!found.ok() && found.status() != Status::would_block) return found.status();
        if (found.ok()) socket = found.take();
    }
    return Ref<soft::ActiveEnd>(local::LocalConnector::active(std::move(adapter), std::move(socket), traits_));
}

Result<Ref<TransportListener>> ShmWire::create_listener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink) {
    return Ref<TransportListener>(new local::SocketListener(std::move(adapter), std::move(sink), traits_, callers_));
}

}  // namespace opennd::shm
