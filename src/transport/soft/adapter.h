// SPDX-License-Identifier: MIT
// One open of a software adapter: a token table, the queue pairs that use it, and the wires it can connect over.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <vector>

#include "base/lock.h"
#include "platform/event_loop.h"
#include "platform/mappable_memory.h"
#include "transport/adapter.h"
#include "transport/soft/fast_region.h"
#include "transport/soft/service.h"
#include "transport/soft/token_table.h"
#include "transport/soft/traffic_ledger.h"

namespace opennd::soft {

class SoftTransport;

class SoftAdapter final : public TransportAdapter {
public:
    SoftAdapter(SoftTransport& transport, TokenTable tokens, Ref<TrafficLedger> ledger);

    const AdapterLimits& limits() const override;
    Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access) override;
    Result<Ref<TransportMemory>> register_pages(const PageList& pages, Access access) override;
    Result<Ref<TransportMemory>> register_address_space() override;
    Result<Ref<TransportFastRegion>> create_fast_region() override;
    bool names_fast_region(Token local) const override { return fast_regions_.of_local(local) != nullptr; }
    Result<Ref<TransportCompletionQueue>> create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                  CompletionQueueSink& sink) override;
    Result<Ref<TransportSharedReceiveQueue>> create_shared_receive_queue(const SharedReceiveQueueLimits& limits,
                                                                         SharedReceiveQueueSink& sink) override;
    Result<Ref<TransportQueuePair>> create_queue_pair(const QueuePairParameters& parameters) override;
    Result<Ref<TransportWindowBinding>> bind_window(TransportQueuePair& queue_pair, TransportMemory& memory,
                                                    std::byte* address, std::size_t bytes, Access access,
                                                    const BindingTerms& terms) override;
    Result<Ref<TransportConnector>> create_connector() override;
    Result<Ref<TransportListener>> create_listener(Ref<ListenerSink> sink) override;

    // For the parts of the software RNIC.
    TokenTable& tokens() { return tokens_; }
    FastRegions& fast_regions() { return fast_regions_; }
    SoftTransport& transport() { return transport_; }
    EventLoop& event_loop();
    Service& service();
    std::chrono::milliseconds no_receive_time() const;
    // What the channels of this interface count in.
    const Ref<TrafficLedger>& ledger() const { return ledger_; }

    // Queue pairs that use the token table, from construction to close.
    void add(SoftQueuePair& queue_pair);
    void remove(SoftQueuePair& queue_pair);

    // Kills the tokens; returns when nobody, here or at a peer, uses the memory any more (ND2-MR-DEREG-02).
    void end_registration(const TokenTable::Tokens& tokens, std::uint32_t segment);

    // A descriptor of a segment for a peer to map. A registration with a right for peers, or a window, grants it
    // to every peer of this adapter; a message that a peer is to fetch out of it grants it to that peer.
    // access_violation: nothing here grants it.
    enum class Grant : std::uint8_t { by_registration, by_message };
    Result<Descriptor> shared_segment(std::uint32_t segment, Grant how);
    // A registration or a window begins or ends to grant it; 0: none. Any thread.
    void grant_segment(std::uint32_t segment);
    void revoke_segment(std::uint32_t segment);

    // Names a new queue pair in the token table; never 0.
    std::uint32_t next_scope();

private:
    // Constant after construction.
    SoftTransport& transport_;
    const Ref<TrafficLedger> ledger_;
    TokenTable tokens_;
    FastRegions fast_regions_;

    Mutex queue_pairs_mutex_;  // held while a grace period passes: a queue pair is not destroyed under it
    std::vector<SoftQueuePair*> queue_pairs_ GUARDED_BY(queue_pairs_mutex_);
    std::atomic<std::uint32_t> scopes_{0};  // relaxed: only uniqueness matters
    Mutex segments_mutex_;
    std::map<std::uint32_t, std::uint64_t> granted_segments_ GUARDED_BY(segments_mutex_);  // how many grant each
};

}  // namespace opennd::soft
