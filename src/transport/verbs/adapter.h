// SPDX-License-Identifier: MIT
// One open of an RDMA device: makes the objects in its protection domain.
#pragma once

#include <atomic>

#include "model/overrun_rule.h"
#include "transport/verbs/memory/open_device.h"

namespace opennd::verbs {

class VerbsAdapter final : public OpenDevice {
public:
    // `overrun_rule` outlives it: the rule for completion queues that are made later. Explained: device_removed,
    // insufficient_resources.
    static Result<Ref<VerbsAdapter>> create(Ref<Device> device, const DeviceLimits& can,
                                            const std::atomic<OverrunRule>& overrun_rule);

    Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access) override;
    Result<Ref<TransportMemory>> register_pages(const PageList& pages, Access access) override;
    Result<Ref<TransportMemory>> register_address_space() override;
    Result<Ref<RefCounted>> name_pages(std::span<const std::uint64_t> pages) override;
    Result<Ref<TransportFastRegion>> create_fast_region() override;
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

private:
    VerbsAdapter(Ref<Device> device, ibv_pd* domain, const DeviceLimits& can,
                 const std::atomic<OverrunRule>& overrun_rule)
        : OpenDevice(std::move(device), domain, can), overrun_rule_(overrun_rule) {}

    int rights_of(Access access) const;
    template <typename Make>
    ibv_mr* with_rights(Access access, Make make) const;
    Result<Ref<TransportMemory>> keep(ibv_mr* region, int error, std::uint64_t address, std::uint64_t base,
                                      std::uint64_t bytes, Access access);
    [[gnu::cold]] Status refuse_memory(int error, std::uint64_t address, std::uint64_t bytes, Access access) const;

    const std::atomic<OverrunRule>& overrun_rule_;  // relaxed: it stands alone
};

}  // namespace opennd::verbs
