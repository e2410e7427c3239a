// SPDX-License-Identifier: MIT
// One open of a software adapter: makes its objects, and connectors and listeners over the wires of its transport.
#pragma once

#include <string>
#include <vector>

#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/listener.h"

namespace opennd::soft {

class ActiveEnd;
class SoftTransport;
class Wire;

class SoftAdapter final : public OpenAdapter {
public:
    // Makes the open of an adapter. `interface` is the index of the one that it is on; 0: of none. `wire`: the one that it uses alone;
    // null: those of the transport.
    SoftAdapter(SoftTransport& transport, TokenTable tokens, Ref<TrafficLedger> ledger, std::uint32_t interface,
                Wire* wire = nullptr);

    const AdapterLimits& limits() const override;
    const AdapterTraits& traits() const override;
    const AppliedProfile* profile() const override;
    Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access) override;
    // Does so with the remote token that a device has chosen; none: the table draws one.
    Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access, Token remote);
    Result<Ref<TransportMemory>> register_pages(const PageList& pages, Access access) override;
    Result<Ref<TransportMemory>> register_address_space() override;
    Result<Ref<TransportFastRegion>> create_fast_region() override;
    bool names_fast_region(Token local) const override { return fast_regions().of_local(local) != nullptr; }
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
    // The parts of such a listener, one for each wire.
    std::vector<SoftListener::Way> listening_ways(const Ref<ListenerSink>& sink);

    SoftTransport& transport() { return transport_; }
    std::uint32_t interface() const { return interface_; }

    // Dials by the first of the chosen wires, from number `first` on, that finds a listener; `first` becomes the number
    // behind it. Reports a failure.
    Result<Ref<ActiveEnd>> dial(const Address& remote, std::size_t& first);
    // Does so without a report: `reasons` gets a text for each wire that finds none.
    Result<Ref<ActiveEnd>> find(const Address& remote, std::size_t& first, std::string& reasons);

private:
    std::vector<Wire*> wires() const;
    // Returns the rights of memory that a program registers with `access` (ND2-MR-REG-03).
    Access granted(Access access) const;

    SoftTransport& transport_;
    const std::uint32_t interface_;
    Wire* const wire_;
};

}  // namespace opennd::soft
