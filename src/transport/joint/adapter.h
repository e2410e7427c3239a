// SPDX-License-Identifier: MIT
// One open of an interface of an RDMA device that also has shared memory: each connection takes the one or the other, by its peer
// (docs/decisions/0097). It is made of an open of the software RNIC that uses shared memory alone and of one of the device, the parts "host" and
// "nic". Memory is registered with both at once, and so each object has two halves.
#pragma once

#include "model/adapter_abilities.h"
#include "transport/adapter.h"
#include "transport/joint/device_keys.h"
#include "transport/soft/adapter.h"

namespace opennd::joint {

class JointAdapter final : public TransportAdapter {
public:
    // Throws std::bad_alloc.
    JointAdapter(Ref<soft::SoftAdapter> host, Ref<TransportAdapter> nic);

    const AdapterLimits& limits() const override { return can_.limits; }
    const AdapterTraits& traits() const override { return can_.traits; }
    const AppliedProfile* profile() const override { return host_->profile(); }

    // Fails as either part does. The keys of the device are the remote tokens.
    Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access) override;
    Result<Ref<TransportCompletionQueue>> create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                  CompletionQueueSink& sink) override;
    Result<Ref<TransportQueuePair>> create_queue_pair(const QueuePairParameters& parameters) override;
    Result<Ref<TransportWindowBinding>> bind_window(TransportQueuePair& queue_pair, TransportMemory& memory,
                                                    std::byte* address, std::size_t bytes, Access access,
                                                    const BindingTerms& terms) override;
    // Takes shared memory if a process of this host listens there with it, and the NIC otherwise; also if shared memory has no room then.
    Ref<TransportConnector> connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                    const Address& remote, const ReadLimits& offer,
                                    std::span<const std::byte> private_data,
                                    Ref<TransportQueuePair> queue_pair) override;
    Result<Ref<TransportListener>> create_listener(Ref<ListenerSink> sink) override;

    // not_supported: a receive is posted once, and either part might need it.
    Result<Ref<TransportSharedReceiveQueue>> create_shared_receive_queue(const SharedReceiveQueueLimits& limits,
                                                                         SharedReceiveQueueSink& sink) override;
    // not_supported: of the kernel's interface, of which the adapters are the device's alone.
    Result<Ref<TransportMemory>> register_pages(const PageList& pages, Access access) override;
    Result<Ref<TransportMemory>> register_address_space() override;
    Result<Ref<TransportFastRegion>> create_fast_region() override;
    bool names_fast_region(Token) const override { return false; }

private:
    const Ref<soft::SoftAdapter> host_;
    const Ref<TransportAdapter> nic_;
    const AdapterAbilities can_;
    DeviceKeys keys_;
};

}  // namespace opennd::joint
