// SPDX-License-Identifier: MIT
// One registration with both parts of a joint adapter. The device chooses the remote token, and the software RNIC takes it over.
#pragma once

#include <utility>

#include "base/ref.h"
#include "transport/joint/device_keys.h"
#include "transport/memory.h"

namespace opennd::joint {

class JointMemoryRegion final : public TransportMemory {
public:
    // `keys` lives as long as `adapter`.
    JointMemoryRegion(Ref<RefCounted> adapter, DeviceKeys& keys, Ref<TransportMemory> host, Ref<TransportMemory> nic)
        : adapter_(std::move(adapter)), keys_(keys), host_(std::move(host)), nic_(std::move(nic)) {
        keys_.set(host_->local_token(), nic_->local_token());
    }

    Token local_token() const override { return host_->local_token(); }
    Token remote_token() const override { return nic_->remote_token(); }
    // The device first keeps its keys, which it may give to another registration at once, for as long as the software has them.
    void deregister() override {
        keys_.clear(host_->local_token());
        host_->deregister();
        nic_->deregister();
    }

    TransportMemory& host() const { return *host_; }
    TransportMemory& nic() const { return *nic_; }

private:
    const Ref<RefCounted> adapter_;
    DeviceKeys& keys_;
    const Ref<TransportMemory> host_, nic_;
};

}  // namespace opennd::joint
