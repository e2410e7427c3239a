// SPDX-License-Identifier: MIT
// An open of an adapter that gives recorded queues, and takes their inner ones out where it passes them on.
#pragma once

#include <cstdint>
#include <utility>

#include "model/face.h"
#include "transport/adapter.h"
#include "transport/recording/recorder.h"

namespace opennd::recording {

class RecordingAdapter final : public TransportAdapter {
public:
    RecordingAdapter(Recorder& recorder, std::uint32_t interface_index, Face face, Ref<TransportAdapter> inner)
        : recorder_(recorder), interface_index_(interface_index), face_(face), inner_(std::move(inner)) {}

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
    // Constant after construction.
    Recorder& recorder_;
    const std::uint32_t interface_index_;
    const Face face_;
    const Ref<TransportAdapter> inner_;
};

}  // namespace opennd::recording
