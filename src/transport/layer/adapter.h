// SPDX-License-Identifier: MIT
// An open of an adapter, in a layer. All objects that core has are the layer's, also those of another open. So a layer
// that makes objects of its own takes their inner ones out where it passes them on.
#pragma once

#include <utility>

#include "transport/adapter.h"

namespace opennd {

class LayerAdapter : public TransportAdapter {
public:
    explicit LayerAdapter(Ref<TransportAdapter> inner) : inner_(std::move(inner)) {}

    const AdapterLimits& limits() const override { return inner_->limits(); }
    const AdapterTraits& traits() const override { return inner_->traits(); }
    const AppliedProfile* profile() const override { return inner_->profile(); }

    Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access) override {
        return inner_->register_memory(address, bytes, access);
    }
    Result<Ref<TransportMemory>> register_pages(const PageList& pages, Access access) override {
        return inner_->register_pages(pages, access);
    }
    Result<Ref<TransportMemory>> register_address_space() override { return inner_->register_address_space(); }
    Result<Ref<RefCounted>> name_pages(std::span<const std::uint64_t> pages) override {
        return inner_->name_pages(pages);
    }
    Result<Ref<TransportFastRegion>> create_fast_region() override { return inner_->create_fast_region(); }
    bool names_fast_region(Token local) const override { return inner_->names_fast_region(local); }

    Result<Ref<TransportCompletionQueue>> create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                  CompletionQueueSink& sink) override {
        return inner_->create_completion_queue(depth, rule, sink);
    }
    Result<Ref<TransportSharedReceiveQueue>> create_shared_receive_queue(const SharedReceiveQueueLimits& limits,
                                                                         SharedReceiveQueueSink& sink) override {
        return inner_->create_shared_receive_queue(limits, sink);
    }
    Result<Ref<TransportQueuePair>> create_queue_pair(const QueuePairParameters& parameters) override {
        return inner_->create_queue_pair(parameters);
    }
    Result<Ref<TransportWindowBinding>> bind_window(TransportQueuePair& queue_pair, TransportMemory& memory,
                                                    std::byte* address, std::size_t bytes, Access access,
                                                    const BindingTerms& terms) override {
        return inner_->bind_window(queue_pair, memory, address, bytes, access, terms);
    }
    Ref<TransportConnector> connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                    const Address& remote, const ReadLimits& offer,
                                    std::span<const std::byte> private_data,
                                    Ref<TransportQueuePair> queue_pair) override {
        return inner_->connect(std::move(sink), local, origin, remote, offer, private_data, std::move(queue_pair));
    }
    Result<Ref<TransportListener>> create_listener(Ref<ListenerSink> sink) override {
        return inner_->create_listener(std::move(sink));
    }

protected:
    const Ref<TransportAdapter>& inner() const { return inner_; }

private:
    const Ref<TransportAdapter> inner_;
};

}  // namespace opennd
