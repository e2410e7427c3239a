// SPDX-License-Identifier: MIT
// One open of a software adapter as its queue pairs and their memory see it: the token table, the queue pairs that use it,
// and the segments that its peers may map. SoftAdapter (../adapter.h) makes the objects.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include "base/lock.h"
#include "platform/memory/mappable_memory.h"
#include "platform/thread/event_loop.h"
#include "transport/adapter.h"
#include "transport/soft/channel/channel_layer.h"
#include "transport/soft/channel/traffic_ledger.h"
#include "transport/soft/engine/services.h"
#include "transport/soft/memory/fast_region.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::soft {

class OpenAdapter;

// Keeps something for the connections of an open.
class OpenEndSink : public RefCounted {
public:
    // The open ends: no object of it is left. Any thread.
    virtual void on_open_ended(const OpenAdapter& open) = 0;
};

// All adapters of one transport share these, which outlive them.
struct SharedParts {
    EventLoop& event_loop;
    MappableMemory& mappable_memory;
    Services& services;
    std::chrono::milliseconds no_receive_time;
    ChannelLayer& layer;
};

class OpenAdapter : public TransportAdapter {
public:
    ~OpenAdapter() override;

    TokenTable& tokens() { return tokens_; }
    FastRegions& fast_regions() { return fast_regions_; }
    const FastRegions& fast_regions() const { return fast_regions_; }
    EventLoop& event_loop() { return parts_.event_loop; }
    MappableMemory& mappable_memory() { return parts_.mappable_memory; }
    Services& services() { return parts_.services; }
    // The first one.
    Service& service() { return parts_.services.first(); }
    std::chrono::milliseconds no_receive_time() const { return parts_.no_receive_time; }
    ChannelLayer& layer() { return parts_.layer; }
    // The channels of this interface and face count their traffic here.
    const Ref<TrafficLedger>& ledger() const { return ledger_; }

    // Lists a queue pair that uses the token table, from construction to close.
    void add(ServedQueuePair& queue_pair);
    // Removes a queue pair. `channel` is that of its connection, or null. The next end of a registration waits for its
    // peer if that is in an access.
    void remove(ServedQueuePair& queue_pair, Ref<Channel> channel);

    // Kills the tokens; returns when no thread here and no peer uses the memory any more (ND2-MR-DEREG-02).
    void end_registration(const TokenTable::Tokens& tokens, std::uint32_t segment);

    // Returns a descriptor of a segment for a peer to map. A registration with a right for peers, or a window, grants
    // it to every peer of this adapter; a message that a peer is to fetch out of it grants it to that peer.
    // access_violation: nothing here grants it.
    enum class Grant : std::uint8_t { by_registration, by_message };
    Result<Descriptor> shared_segment(std::uint32_t segment, Grant how);
    // Notes that a registration or a window begins or ends to grant the segment; 0: none. Any thread.
    void grant_segment(std::uint32_t segment);
    void revoke_segment(std::uint32_t segment);

    // Tells `sink` when this open ends. Any thread; a second time has no effect.
    void tell_end_to(Ref<OpenEndSink> sink);

    // Returns a number that names a new queue pair in the token table; never 0.
    std::uint32_t next_scope();

protected:
    OpenAdapter(const SharedParts& parts, TokenTable tokens, Ref<TrafficLedger> ledger)
        : parts_(parts), ledger_(std::move(ledger)), tokens_(std::move(tokens)) {}

private:
    // Constant after construction.
    const SharedParts parts_;
    const Ref<TrafficLedger> ledger_;
    TokenTable tokens_;
    FastRegions fast_regions_;

    Mutex queue_pairs_mutex_;  // held while a grace period passes: a queue pair is not destroyed under it
    std::vector<ServedQueuePair*> queue_pairs_ GUARDED_BY(queue_pairs_mutex_);
    // The channels of closed queue pairs, for peers that were in the middle of an access then.
    std::vector<Ref<Channel>> departing_ GUARDED_BY(queue_pairs_mutex_);
    std::atomic<std::uint32_t> scopes_{0};  // relaxed: only uniqueness matters
    Mutex end_sinks_mutex_;                 // nothing is called under it
    std::vector<Ref<OpenEndSink>> end_sinks_ GUARDED_BY(end_sinks_mutex_);
    Mutex segments_mutex_;
    std::map<std::uint32_t, std::uint64_t> granted_segments_ GUARDED_BY(segments_mutex_);  // grants of each
};

}  // namespace opennd::soft
