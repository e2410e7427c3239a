// SPDX-License-Identifier: MIT
// One open of an RDMA device: a protection domain, and the objects in it.
#pragma once

#include <atomic>

#include "model/overrun_rule.h"
#include "transport/adapter.h"
#include "transport/verbs/device.h"
#include "transport/verbs/device_limits.h"
#include "transport/verbs/fast_region_map.h"
#include "transport/verbs/region_map.h"
#include "transport/verbs/window_map.h"
#include "transport/verbs/window_pool.h"

namespace opennd::verbs {

class VerbsAdapter final : public TransportAdapter {
public:
    // `overrun_rule` outlives it: the rule for completion queues that are made later. Explained: device_removed,
    // insufficient_resources.
    static Result<Ref<VerbsAdapter>> create(Ref<Device> device, const DeviceLimits& can,
                                            const std::atomic<OverrunRule>& overrun_rule);
    ~VerbsAdapter() override;

    const AdapterLimits& limits() const override { return can_.limits; }
    const AdapterTraits& traits() const override { return can_.traits; }
    Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access) override;
    Result<Ref<TransportMemory>> register_pages(const PageList& pages, Access access) override;
    Result<Ref<TransportMemory>> register_address_space() override;
    Result<Ref<RefCounted>> name_pages(std::span<const std::uint64_t> pages) override;
    Result<Ref<TransportFastRegion>> create_fast_region() override;
    bool names_fast_region(Token local) const override { return fast_regions_.find(local).get() != nullptr; }
    Result<Ref<TransportCompletionQueue>> create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                  CompletionQueueSink& sink) override;
    Result<Ref<TransportSharedReceiveQueue>> create_shared_receive_queue(const SharedReceiveQueueLimits& limits,
                                                                         SharedReceiveQueueSink& sink) override;
    Result<Ref<TransportQueuePair>> create_queue_pair(const QueuePairParameters& parameters) override;
    Result<Ref<TransportWindowBinding>> bind_window(TransportQueuePair& queue_pair, TransportMemory& memory,
                                                    std::byte* address, std::size_t bytes, Access access,
                                                    const BindingTerms& terms) override;
    Ref<TransportConnector> connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                    const Address& remote, const ReadLimits& offer,
                                    std::span<const std::byte> private_data,
                                    Ref<TransportQueuePair> queue_pair) override;
    Result<Ref<TransportListener>> create_listener(Ref<ListenerSink> sink) override;

    const Ref<Device>& device() const { return device_; }
    ibv_pd* domain() const { return domain_; }
    RegionMap& regions() { return regions_; }
    const RegionMap& regions() const { return regions_; }
    WindowMap& windows() { return windows_; }
    const WindowMap& windows() const { return windows_; }
    WindowPool& window_pool() { return window_pool_; }
    FastRegionMap& fast_regions() { return fast_regions_; }
    // Entries of requests may have the token kByAddress, or that of a fast region.
    bool translates() const { return translates_.load(std::memory_order_relaxed); }

private:
    VerbsAdapter(Ref<Device> device, ibv_pd* domain, const DeviceLimits& can,
                 const std::atomic<OverrunRule>& overrun_rule)
        : device_(std::move(device)),
          domain_(domain),
          can_(can),
          overrun_rule_(overrun_rule),
          window_pool_(*device_, domain) {}

    int rights_of(Access access) const;
    template <typename Make>
    ibv_mr* with_rights(Access access, Make make) const;
    Result<Ref<TransportMemory>> keep(ibv_mr* region, int error, std::uint64_t address, std::uint64_t base,
                                      std::uint64_t bytes, Access access);
    [[gnu::cold]] Status refuse_memory(int error, std::uint64_t address, std::uint64_t bytes, Access access) const;

    // Constant after construction.
    const Ref<Device> device_;
    ibv_pd* const domain_;
    const DeviceLimits can_;
    const std::atomic<OverrunRule>& overrun_rule_;  // relaxed: it stands alone

    std::atomic<bool> translates_{false};  // set once; relaxed: requests name such tokens after they are known
    FastRegionMap fast_regions_;
    RegionMap regions_;
    WindowMap windows_;
    WindowPool window_pool_;
};

}  // namespace opennd::verbs
