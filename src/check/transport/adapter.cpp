// SPDX-License-Identifier: MIT
// See adapter.h.
#include "check/transport/adapter.h"

#include "check/transport/completion_queue.h"
#include "check/transport/connector.h"
#include "check/transport/memory.h"
#include "check/transport/queue_pair.h"
#include "check/transport/shared_receive_queue.h"

namespace opennd {
Result<Ref<TransportMemory>> CheckedAdapter::checked(Result<Ref<TransportMemory>> inner,
                                                     const RegisteredMemory::Region& region) {
    if (!inner.ok()) return inner;
    try {
        return Ref<TransportMemory>(make_ref<CheckedMemory>(parts_.diagnostics, regions_, inner.value(), region));
    } catch (...) {
        inner.value()->deregister();
        throw;
    }
}

Result<Ref<TransportMemory>> CheckedAdapter::register_memory(std::byte* address, std::size_t bytes, Access access) {
    return checked(
        LayerAdapter::register_memory(address, bytes, access),
        {RegisteredMemory::Kind::plain, reinterpret_cast<std::uint64_t>(address), bytes, access, program_stack()});
}

Result<Ref<TransportMemory>> CheckedAdapter::register_pages(const PageList& pages, Access access) {
    return checked(LayerAdapter::register_pages(pages, access),
                   {RegisteredMemory::Kind::pages, pages.base, pages.length, access, program_stack()});
}

Result<Ref<TransportMemory>> CheckedAdapter::register_address_space() {
    return checked(LayerAdapter::register_address_space(),
                   {RegisteredMemory::Kind::address_space, 0, 0, Access::local_write, program_stack()});
}

Result<Ref<TransportCompletionQueue>> CheckedAdapter::create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                              CompletionQueueSink& sink) {
    Result<Ref<TransportCompletionQueue>> inner = LayerAdapter::create_completion_queue(depth, rule, sink);
    if (!inner.ok()) return inner;
    return Ref<TransportCompletionQueue>(make_ref<CheckedCompletionQueue>(parts_, inner.value(), depth));
}

Result<Ref<TransportSharedReceiveQueue>> CheckedAdapter::create_shared_receive_queue(
    const SharedReceiveQueueLimits& limits, SharedReceiveQueueSink& sink) {
    Result<Ref<TransportSharedReceiveQueue>> inner = LayerAdapter::create_shared_receive_queue(limits, sink);
    if (!inner.ok()) return inner;
    return Ref<TransportSharedReceiveQueue>(make_ref<CheckedSharedReceiveQueue>(parts_, judge(), inner.value(), face_));
}

Result<Ref<TransportQueuePair>> CheckedAdapter::create_queue_pair(const QueuePairParameters& parameters) {
    // All objects that core has are checked ones, also those of another open.
    auto& receives = static_cast<CheckedCompletionQueue&>(*parameters.receive_completion_queue);
    auto& initiators = static_cast<CheckedCompletionQueue&>(*parameters.initiator_completion_queue);
    QueuePairParameters inner_parameters = parameters;
    inner_parameters.receive_completion_queue = receives.inner();
    inner_parameters.initiator_completion_queue = initiators.inner();
    CheckedQueuePair::Rooms rooms{receives.room(), initiators.room()};
    if (parameters.shared_receive_queue) {
        inner_parameters.shared_receive_queue =
            static_cast<CheckedSharedReceiveQueue&>(*parameters.shared_receive_queue).inner();
        rooms.receives = nullptr;
    }
    Result<Ref<TransportQueuePair>> inner = LayerAdapter::create_queue_pair(inner_parameters);
    if (!inner.ok()) return inner;
    try {
        const auto made = make_ref<CheckedQueuePair>(parts_, judge(), inner.value(), std::move(rooms),
                                                     parameters.shared_receive_queue, face_);
        receives.add(made->book());
        if (&initiators != &receives) initiators.add(made->book());
        return Ref<TransportQueuePair>(made);
    } catch (...) {
        inner.value()->close();
        throw;
    }
}

Result<Ref<TransportWindowBinding>> CheckedAdapter::bind_window(TransportQueuePair& queue_pair, TransportMemory& memory,
                                                                std::byte* address, std::size_t bytes, Access access,
                                                                const BindingTerms& terms) {
    return LayerAdapter::bind_window(*static_cast<CheckedQueuePair&>(queue_pair).inner(),
                                     *static_cast<CheckedMemory&>(memory).inner(), address, bytes, access, terms);
}

Ref<TransportConnector> CheckedAdapter::connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                                const Address& remote, const ReadLimits& offer,
                                                std::span<const std::byte> private_data,
                                                Ref<TransportQueuePair> queue_pair) {
    const Ref<CheckedQueuePair> checked(static_cast<CheckedQueuePair*>(queue_pair.get()));
    const Ref<CheckedConnector> made = make_ref<CheckedConnector>();  // first: a connection that has begun needs it
    Ref<TransportConnector> inner = LayerAdapter::connect(checked_sink(std::move(sink), checked), local, origin, remote,
                                                          offer, private_data, checked->inner());
    if (!inner) return nullptr;
    made->stand_around(std::move(inner));
    return made;
}

Result<Ref<TransportListener>> CheckedAdapter::create_listener(Ref<ListenerSink> sink) {
    return LayerAdapter::create_listener(make_ref<LayerListenerSink<CheckedConnector>>(std::move(sink)));
}

}  // namespace opennd
