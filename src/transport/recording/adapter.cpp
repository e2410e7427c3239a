// SPDX-License-Identifier: MIT
// See adapter.h.
#include "transport/recording/adapter.h"

#include "transport/recording/completion_queue.h"
#include "transport/recording/connector.h"
#include "transport/recording/queue_pair.h"
#include "transport/recording/shared_receive_queue.h"

namespace opennd::recording {

Result<Ref<TransportCompletionQueue>> RecordingAdapter::create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                                CompletionQueueSink& sink) {
    Result<Ref<TransportCompletionQueue>> inner = LayerAdapter::create_completion_queue(depth, rule, sink);
    if (!inner.ok()) return inner;
    return Ref<TransportCompletionQueue>(make_ref<RecordedCompletionQueue>(recorder_, inner.value()));
}

Result<Ref<TransportSharedReceiveQueue>> RecordingAdapter::create_shared_receive_queue(
    const SharedReceiveQueueLimits& limits, SharedReceiveQueueSink& sink) {
    const Ref<RequestRecord> record = recorder_.make("shared receive queue", nullptr);
    Result<Ref<TransportSharedReceiveQueue>> inner = LayerAdapter::create_shared_receive_queue(limits, sink);
    if (inner.ok())
        return Ref<TransportSharedReceiveQueue>(make_ref<RecordedSharedReceiveQueue>(recorder_, record, inner.value()));
    recorder_.end(*record);
    return inner;
}

Result<Ref<TransportQueuePair>> RecordingAdapter::create_queue_pair(const QueuePairParameters& parameters) {
    // All objects that core has are recorded ones, also those of another open.
    auto& receives = static_cast<RecordedCompletionQueue&>(*parameters.receive_completion_queue);
    auto& initiators = static_cast<RecordedCompletionQueue&>(*parameters.initiator_completion_queue);
    const Ref<RequestRecord> record = recorder_.make("queue pair", parameters.context);
    QueuePairParameters inner_parameters = parameters;
    inner_parameters.context = record.get();
    inner_parameters.receive_completion_queue = receives.inner();
    inner_parameters.initiator_completion_queue = initiators.inner();
    Ref<RequestRecord> shared;
    if (parameters.shared_receive_queue) {
        auto& queue = static_cast<RecordedSharedReceiveQueue&>(*parameters.shared_receive_queue);
        inner_parameters.shared_receive_queue = queue.inner();
        shared = queue.record();
    }
    Result<Ref<TransportQueuePair>> inner = Status::no_memory;
    try {
        // Before there can be a result.
        receives.keep(record);
        if (shared) receives.keep(shared);
        if (&initiators != &receives) initiators.keep(record);
        inner = LayerAdapter::create_queue_pair(inner_parameters);
        if (inner.ok())
            return Ref<TransportQueuePair>(make_ref<RecordedQueuePair>(recorder_, record, interface_index_, face_,
                                                                       inner.value(), parameters.shared_receive_queue));
    } catch (...) {
        if (inner.ok()) inner.value()->close();
        recorder_.end(*record);
        throw;
    }
    recorder_.end(*record);
    return inner;
}

Result<Ref<TransportWindowBinding>> RecordingAdapter::bind_window(TransportQueuePair& queue_pair,
                                                                  TransportMemory& memory, std::byte* address,
                                                                  std::size_t bytes, Access access,
                                                                  const BindingTerms& terms) {
    return LayerAdapter::bind_window(*static_cast<RecordedQueuePair&>(queue_pair).inner(), memory, address, bytes,
                                     access, terms);
}

Ref<TransportConnector> RecordingAdapter::connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                                  const Address& remote, const ReadLimits& offer,
                                                  std::span<const std::byte> private_data,
                                                  Ref<TransportQueuePair> queue_pair) {
    auto& recorded = static_cast<RecordedQueuePair&>(*queue_pair);
    const Ref<RecordedConnector> made = make_ref<RecordedConnector>();  // first: a connection that has begun needs it
    Ref<TransportConnector> inner =
        LayerAdapter::connect(std::move(sink), local, origin, remote, offer, private_data, recorded.inner());
    if (!inner) return nullptr;
    recorded.connects_over(inner->path().transport);
    made->stand_around(std::move(inner));
    return made;
}

Result<Ref<TransportListener>> RecordingAdapter::create_listener(Ref<ListenerSink> sink) {
    return LayerAdapter::create_listener(make_ref<LayerListenerSink<RecordedConnector>>(std::move(sink)));
}

}  // namespace opennd::recording
