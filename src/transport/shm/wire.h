// SPDX-License-Identifier: MIT
// Connections between processes of one host over shared memory. Peers are found by the name of a Unix socket.
#pragma once

#include "transport/local/local_callers.h"
#include "transport/local/wire.h"
#include "transport/shm/settings.h"

namespace opennd::shm {

class ShmWire final : public local::LocalWire {
public:
    explicit ShmWire(const Settings& settings = {});

    bool reaches(const Address& remote, std::string& reason) const override;
    Result<Ref<soft::ActiveEnd>> dial(Ref<soft::SoftAdapter> adapter, const Address& remote) override;
    Result<Ref<TransportListener>> create_listener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink) override;

private:
    const Ref<local::LocalCallers> callers_ = make_ref<local::LocalCallers>();  // of all its listeners
};

}  // namespace opennd::shm
