// SPDX-License-Identifier: MIT
// An open of an adapter that gives checked objects, and takes their inner ones out where it passes them on.
#pragma once

#include <utility>

#include "check/transport/checked_parts.h"
#include "check/transport/entry_judge.h"
#include "check/transport/registered_memory.h"
#include "transport/adapter.h"

namespace opennd {

class CheckedAdapter final : public TransportAdapter {
public:
    CheckedAdapter(CheckedParts& parts, Ref<TransportAdapter> inner)
        : parts_(parts), inner_(std::move(inner)), regions_(make_ref<RegisteredMemory>()) {}

    const AdapterLimits& limits() const override { return inner_->limits(); }
    const AdapterTraits& traits() const override { return inner_->traits(); }
    const AppliedProfile* profile() const override { return inner_->profile(); }

    Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access) override;
    Result<Ref<TransportMemory>> register_pages(const PageList& pages, Access access) override;
    Result<Ref<TransportMemory>> register_address_space() override;
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
    Result<Ref<TransportMemory>> checked(Result<Ref<TransportMemory>> inner, const RegisteredMemory::Region& region);
    EntryJudge judge() const { return {parts_.diagnostics, parts_.filled, regions_, inner_}; }

    // Constant after construction.
    CheckedParts& parts_;
    const Ref<TransportAdapter> inner_;
    const Ref<RegisteredMemory> regions_;
};

}  // namespace opennd
