// SPDX-License-Identifier: MIT
// An open of an adapter that gives watched objects, and takes their inner ones out where it passes them on.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "model/face.h"
#include "transport/layer/adapter.h"
#include "transport/watch/misuse/registered_memory.h"
#include "transport/watch/misuse/request_judge.h"
#include "transport/watch/watch.h"

namespace opennd::watch {

class WatchingAdapter final : public LayerAdapter {
public:
    WatchingAdapter(Watch& watch, std::uint32_t interface_index, Face face, Ref<TransportAdapter> inner)
        : LayerAdapter(std::move(inner)),
          watch_(watch),
          interface_index_(interface_index),
          face_(face),
          regions_(watch.checked() ? make_ref<RegisteredMemory>() : nullptr) {}

    Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access) override;
    Result<Ref<TransportMemory>> register_pages(const PageList& pages, Access access) override;
    Result<Ref<TransportMemory>> register_address_space() override;

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
    Result<Ref<TransportMemory>> watched(Result<Ref<TransportMemory>> inner, RegisteredMemory::Kind kind,
                                         std::uint64_t start, std::uint64_t bytes, Access access);
    // The judge of a queue; null: requests are not checked. Throws std::bad_alloc.
    std::unique_ptr<RequestJudge> make_judge(RequestJudge::Rooms rooms) const;

    // Constant after construction.
    Watch& watch_;
    const std::uint32_t interface_index_;
    const Face face_;
    const Ref<RegisteredMemory> regions_;  // null: requests are not checked
};

}  // namespace opennd::watch
