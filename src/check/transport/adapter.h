// SPDX-License-Identifier: MIT
// An open of an adapter that gives checked objects, and takes their inner ones out where it passes them on.
#pragma once

#include <utility>

#include "check/transport/checked_parts.h"
#include "check/transport/entry_judge.h"
#include "check/transport/registered_memory.h"
#include "transport/layer/adapter.h"

namespace opennd {

class CheckedAdapter final : public LayerAdapter {
public:
    CheckedAdapter(CheckedParts& parts, Ref<TransportAdapter> inner, Face face)
        : LayerAdapter(std::move(inner)), parts_(parts), face_(face), regions_(make_ref<RegisteredMemory>()) {}

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
    Result<Ref<TransportMemory>> checked(Result<Ref<TransportMemory>> inner, const RegisteredMemory::Region& region);
    EntryJudge judge() const { return {parts_.diagnostics, parts_.filled, regions_, inner()}; }

    // Constant after construction.
    CheckedParts& parts_;
    const Face face_;
    const Ref<RegisteredMemory> regions_;
};

}  // namespace opennd
