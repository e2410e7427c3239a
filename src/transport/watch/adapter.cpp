// SPDX-License-Identifier: MIT
// See adapter.h.
#include "transport/watch/adapter.h"

#include "transport/watch/completion_queue.h"
#include "transport/watch/connector.h"
#include "transport/watch/queue_pair.h"
#include "transport/watch/shared_receive_queue.h"

namespace opennd::watch {

Result<Ref<TransportMemory>> WatchingAdapter::watched(Result<Ref<TransportMemory>> inner, RegisteredMemory::Kind kind,
                                                      std::uint64_t start, std::uint64_t bytes, Access access) {
    if (!inner.ok() || !regions_) return inner;
    try {
        const RegisteredMemory::Region region{kind, start, bytes, access, program_stack()};
        return Ref<TransportMemory>(
            make_ref<CheckedMemory>(watch_.checked()->diagnostics, regions_, inner.value(), region));
    } catch (...) {
        inner.value()->deregister();
        throw;
    }
}

Result<Ref<TransportMemory>> WatchingAdapter::register_memory(std::byte* address, std::size_t bytes, Access access) {
    return watched(LayerAdapter::register_memory(address, bytes, access), RegisteredMemory::Kind::plain,
                   reinterpret_cast<std::uint64_t>(address), bytes, access);
}

Result<Ref<TransportMemory>> WatchingAdapter::register_pages(const PageList& pages, Access access) {
    return watched(LayerAdapter::register_pages(pages, access), RegisteredMemory::Kind::pages, pages.base, pages.length,
                   access);
}

Result<Ref<TransportMemory>> WatchingAdapter::register_address_space() {
    return watched(LayerAdapter::register_address_space(), RegisteredMemory::Kind::address_space, 0, 0,
                   Access::local_write);
}

std::unique_ptr<RequestJudge> WatchingAdapter::make_judge(RequestJudge::Rooms rooms) const {
    if (!regions_) return nullptr;
    return std::make_unique<RequestJudge>(*watch_.checked(), regions_, inner(), std::move(rooms));
}

Result<Ref<TransportCompletionQueue>> WatchingAdapter::create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                               CompletionQueueSink& sink) {
    Result<Ref<TransportCompletionQueue>> inner = LayerAdapter::create_completion_queue(depth, rule, sink);
    if (!inner.ok()) return inner;
    Ref<ResultRoom> room = regions_ ? make_ref<ResultRoom>(depth) : nullptr;
    return Ref<TransportCompletionQueue>(make_ref<WatchedCompletionQueue>(watch_, inner.value(), std::move(room)));
}

Result<Ref<TransportSharedReceiveQueue>> WatchingAdapter::create_shared_receive_queue(
    const SharedReceiveQueueLimits& limits, SharedReceiveQueueSink& sink) {
    std::unique_ptr<RequestJudge> judge = make_judge({});
    const Ref<RequestBook> book = watch_.make_book("shared receive queue", nullptr, face_);
    Result<Ref<TransportSharedReceiveQueue>> inner = LayerAdapter::create_shared_receive_queue(limits, sink);
    if (inner.ok())
        return Ref<TransportSharedReceiveQueue>(
            make_ref<WatchedSharedReceiveQueue>(watch_, book, std::move(judge), inner.value()));
    watch_.end(*book);
    return inner;
}

Result<Ref<TransportQueuePair>> WatchingAdapter::create_queue_pair(const QueuePairParameters& parameters) {
    // All objects that core has are watched ones, also those of another open.
    auto& receives = static_cast<WatchedCompletionQueue&>(*parameters.receive_completion_queue);
    auto& initiators = static_cast<WatchedCompletionQueue&>(*parameters.initiator_completion_queue);
    const Ref<RequestBook> book = watch_.make_book("queue pair", parameters.context, face_);
    QueuePairParameters inner_parameters = parameters;
    inner_parameters.context = book.get();
    inner_parameters.receive_completion_queue = receives.inner();
    inner_parameters.initiator_completion_queue = initiators.inner();
    RequestJudge::Rooms rooms{receives.room(), initiators.room()};
    Ref<RequestBook> shared;
    if (parameters.shared_receive_queue) {
        auto& queue = static_cast<WatchedSharedReceiveQueue&>(*parameters.shared_receive_queue);
        inner_parameters.shared_receive_queue = queue.inner();
        shared = queue.book();
        rooms.receives = nullptr;
    }
    Result<Ref<TransportQueuePair>> inner = Status::no_memory;
    try {
        std::unique_ptr<RequestJudge> judge = make_judge(std::move(rooms));
        // Before there can be a result.
        receives.keep(book);
        if (shared) receives.keep(shared);
        if (&initiators != &receives) initiators.keep(book);
        inner = LayerAdapter::create_queue_pair(inner_parameters);
        if (inner.ok())
            return Ref<TransportQueuePair>(make_ref<WatchedQueuePair>(watch_, book, std::move(judge), interface_index_,
                                                                      face_, inner.value(),
                                                                      parameters.shared_receive_queue));
    } catch (...) {
        if (inner.ok()) inner.value()->close();
        watch_.end(*book);
        throw;
    }
    watch_.end(*book);
    return inner;
}

Result<Ref<TransportWindowBinding>> WatchingAdapter::bind_window(TransportQueuePair& queue_pair,
                                                                 TransportMemory& memory, std::byte* address,
                                                                 std::size_t bytes, Access access,
                                                                 const BindingTerms& terms) {
    return LayerAdapter::bind_window(*static_cast<WatchedQueuePair&>(queue_pair).inner(),
                                     regions_ ? *static_cast<CheckedMemory&>(memory).inner() : memory, address, bytes,
                                     access, terms);
}

Ref<TransportConnector> WatchingAdapter::connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                                 const Address& remote, const ReadLimits& offer,
                                                 std::span<const std::byte> private_data,
                                                 Ref<TransportQueuePair> queue_pair) {
    const Ref<WatchedQueuePair> watched(static_cast<WatchedQueuePair*>(queue_pair.get()));
    const Ref<WatchedConnector> made = make_ref<WatchedConnector>();  // first: a connection that has begun needs it
    Ref<TransportConnector> inner = LayerAdapter::connect(watched_sink(std::move(sink), watched), local, origin, remote,
                                                          offer, private_data, watched->inner());
    if (!inner) return nullptr;
    watched->connects_over(inner->path().transport);
    made->wrap(std::move(inner));
    return made;
}

Result<Ref<TransportListener>> WatchingAdapter::create_listener(Ref<ListenerSink> sink) {
    return LayerAdapter::create_listener(make_ref<LayerListenerSink<WatchedConnector>>(std::move(sink)));
}

}  // namespace opennd::watch
