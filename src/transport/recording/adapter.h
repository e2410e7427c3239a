// SPDX-License-Identifier: MIT
// An open of an adapter that gives recorded queues, and takes their inner ones out where it passes them on.
#pragma once

#include <cstdint>
#include <utility>

#include "model/face.h"
#include "transport/layer/adapter.h"
#include "transport/recording/recorder.h"

namespace opennd::recording {

class RecordingAdapter final : public LayerAdapter {
public:
    RecordingAdapter(Recorder& recorder, std::uint32_t interface_index, Face face, Ref<TransportAdapter> inner)
        : LayerAdapter(std::move(inner)), recorder_(recorder), interface_index_(interface_index), face_(face) {}

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
};

}  // namespace opennd::recording
