// SPDX-License-Identifier: MIT
// One open of an RDMA device as its objects see it: a protection domain, and the maps of what is in it. VerbsAdapter (../adapter.h) makes the
// objects.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/result.h"
#include "base/status.h"
#include "model/adapter_abilities.h"
#include "model/limits.h"
#include "model/sge.h"
#include "model/work_request.h"
#include "transport/adapter.h"
#include "transport/verbs/device/device.h"
#include "transport/verbs/device/device_limits.h"
#include "transport/verbs/memory/fast_region.h"
#include "transport/verbs/memory/memory_region.h"
#include "transport/verbs/memory/window_pool.h"

namespace opennd::verbs {

class OpenDevice : public TransportAdapter {
public:
    ~OpenDevice() override {
        window_pool_.clear();
        (void)device_->ibv().dealloc_pd(domain_);
    }

    const AdapterLimits& limits() const override { return can_.limits; }
    const AdapterTraits& traits() const override { return can_.traits; }
    bool names_fast_region(Token local) const override { return fast_regions_.find(local).get() != nullptr; }

    const Ref<Device>& device() const { return device_; }
    ibv_pd* domain() const { return domain_; }
    RegionMap& regions() { return regions_; }
    const RegionMap& regions() const { return regions_; }
    WindowMap& windows() { return windows_; }
    WindowPool& window_pool() { return window_pool_; }
    FastRegionMap& fast_regions() { return fast_regions_; }
    // Returns true if entries of requests may have the token kByAddress, or that of a fast region.
    bool translates() const { return translates_.load(std::memory_order_relaxed); }

protected:
    // Takes `domain`, which is its own from here on.
    OpenDevice(Ref<Device> device, ibv_pd* domain, const DeviceLimits& can)
        : device_(std::move(device)), domain_(domain), can_(can), window_pool_(*device_, domain) {}
    void begin_to_translate() { translates_.store(true, std::memory_order_relaxed); }

private:
    // Constant after construction.
    const Ref<Device> device_;
    ibv_pd* const domain_;
    const DeviceLimits can_;

    std::atomic<bool> translates_{false};  // set once; relaxed: requests name such tokens after they are known
    FastRegionMap fast_regions_;
    RegionMap regions_;
    WindowMap windows_;
    WindowPool window_pool_;
};

}  // namespace opennd::verbs
