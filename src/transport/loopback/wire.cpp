// SPDX-License-Identifier: MIT
// LoopbackWire: see wire.h.
#include "transport/loopback/wire.h"

#include "base/format.h"
#include "platform/host/interfaces.h"

namespace opennd::loopback {

LoopbackWire::LoopbackWire()
    : LocalWire({.name = "loopback", .scope = {}, .same_process = true, .may_use_process_vm = false}) {}

bool LoopbackWire::reaches(const Address& remote, std::string& reason) const {
    const bool here = is_of_this_host(remote);
    reason = here ? "if this process listens there" : format("{} is not an address of this host", remote.text(false));
    return here;
}

bool LoopbackWire::would_take(const Address& remote, std::string& reason) const {
    if (!reaches(remote, reason)) return false;
    const bool here = static_cast<bool>(listeners_->find(remote));
    reason = here ? "the listener is in this process" : "no listener of this process is at that address and port";
    return here;
}

Result<Ref<soft::ActiveEnd>> LoopbackWire::dial(Ref<soft::SoftAdapter> adapter, const Address& remote) {
    const Ref<LoopbackListener> listener = listeners_->find(remote);
    if (!listener) return Status::connection_refused;
    auto ends = LocalSocket::pair();
    if (!ends.ok()) return ends.status();
    listener->take(std::move(ends.value().first));
    return Ref<soft::ActiveEnd>(
        local::LocalConnector::active(std::move(adapter), std::move(ends.value().second), traits_));
}

Result<Ref<TransportListener>> LoopbackWire::create_listener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink) {
    return Ref<TransportListener>(new LoopbackListener(std::move(adapter), std::move(sink), listeners_, traits_));
}

}  // namespace opennd::loopback
