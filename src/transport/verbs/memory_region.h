// SPDX-License-Identifier: MIT
// One registration with a device: an ibv_mr.
#pragma once

#include "base/ref.h"
#include "model/access.h"
#include "transport/memory.h"
#include "transport/verbs/rdma_core.h"

namespace opennd::verbs {

class OpenDevice;

class VerbsMemoryRegion final : public TransportMemory {
public:
    VerbsMemoryRegion(Ref<OpenDevice> adapter, ibv_mr* region, bool for_peers);

    Token local_token() const override { return Token{region_->lkey}; }
    // Without a right for peers a device may have no such key: then a number that names nothing.
    Token remote_token() const override { return remote_; }
    void deregister() override;

    ibv_mr* get() const { return region_; }

private:
    const Ref<OpenDevice> adapter_;
    ibv_mr* const region_;
    const Token remote_;
};

// The device's rights for those of a program. iWARP NICs want the peers' right to write on memory that a Read fills, and programs
// read into regions that are writable for this side alone (ND2-MR-REG-03); a peer that guesses the key may write there then
// (docs/verbs.md). `bindable`: memory windows may be bound to it; the device has such windows.
int device_access(Access access, bool reads_need_remote_write, bool bindable);

}  // namespace opennd::verbs
