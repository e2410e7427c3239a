// SPDX-License-Identifier: MIT
// Connections between processes of one host over shared memory. Peers are found by the name of a Unix socket.
#pragma once

#include "transport/local/callers.h"
#include "transport/local/wire.h"

namespace opennd::shm {

class ShmWire final : public local::LocalWire {
public:
    // OPENND_SHM_PROCESS_VM=off makes it behave as where the kernel or its sandbox refuses process_vm_readv and
    // process_vm_writev, so that the path for that can be used and tested anywhere.
    ShmWire();

    bool reaches(const Address& remote, std::string& reason) const override;
    Result<Ref<soft::ActiveEnd>> dial(Ref<soft::SoftAdapter> adapter, const Address& remote) override;
    Result<Ref<TransportListener>> create_listener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink) override;

private:
    const Ref<local::Callers> callers_ = make_ref<local::Callers>();  // of all its listeners
};

}  // namespace opennd::shm
