// SPDX-License-Identifier: MIT
// Seam: one open of one adapter, which is a protection domain (ND2-PRV-OPEN-02): the factory of everything else.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "model/access.h"
#include "model/adapter_abilities.h"
#include "model/face.h"
#include "model/interface.h"
#include "model/limits.h"
#include "model/page_list.h"
#include "model/traffic.h"
#include "transport/completion_queue.h"
#include "transport/connector.h"
#include "transport/fast_region.h"
#include "transport/listener.h"
#include "transport/memory.h"
#include "transport/queue_pair.h"
#include "transport/shared_receive_queue.h"
#include "transport/window_binding.h"

namespace opennd {

class TransportAdapter : public RefCounted {
public:
    virtual const AdapterLimits& limits() const = 0;
    virtual const AdapterTraits& traits() const = 0;
    // The profile that has lowered limits() and traits(); null: none.
    virtual const AppliedProfile* profile() const { return nullptr; }

    // Registers a range that stays the program's: the transport reads or writes it until TransportMemory::deregister
    // returned. Fails with access_violation (part of the range is not mapped, or not writable where `access` writes) or
    // insufficient_resources.
    virtual Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access) = 0;

    // Registers memory that is named by an index into pages, which core has checked. The list is copied; the content of
    // the pages is not checked. insufficient_resources.
    virtual Result<Ref<TransportMemory>> register_pages(const PageList& pages, Access access) = 0;
    // Registers all memory of this process, to be read and written by requests of this side; the remote token never
    // lives (NDK-PD-02). Addresses are not checked for mapped memory; where name_pages() gives names, memory without
    // one is refused (NDK-PD-05). insufficient_resources.
    virtual Result<Ref<TransportMemory>> register_address_space() = 0;
    // Lets requests name these pages of this process (addresses that are multiples of kPageBytes) under the token of
    // register_address_space() of every open of the interface, until the reference goes. Requests that name them have
    // completed by then (NDK-LAM-09). Returns null where that token needs no names. insufficient_resources.
    virtual Result<Ref<RefCounted>> name_pages(std::span<const std::uint64_t>) { return Ref<RefCounted>(); }
    // Creates a region without a registration. Peers may use it only where the traits say so. insufficient_resources.
    virtual Result<Ref<TransportFastRegion>> create_fast_region() = 0;
    // Returns true if `local` is the local token of a region of create_fast_region() that is not closed, valid or free.
    // Any thread.
    virtual bool names_fast_region(Token local) const = 0;

    // `sink` is called until TransportCompletionQueue::close returned; the caller keeps it alive until then.
    virtual Result<Ref<TransportCompletionQueue>> create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                          CompletionQueueSink& sink) = 0;
    // not_supported: max_shared_receive_depth is 0. `sink` as with a completion queue.
    virtual Result<Ref<TransportSharedReceiveQueue>> create_shared_receive_queue(const SharedReceiveQueueLimits& limits,
                                                                                 SharedReceiveQueueSink& sink) = 0;
    // Creates a queue pair on the memory of this open. Its completion queues may be of another open of the same
    // interface, and a connector of another open may connect it (NDK-QP-CREATE-03).
    virtual Result<Ref<TransportQueuePair>> create_queue_pair(const QueuePairParameters& parameters) = 0;
    // Makes the binding for a Bind on `queue_pair`: of a part of `memory` that core has checked, with `access` of
    // remote_read and remote_write.
    // insufficient_resources: no token is free. not_supported: traits().max_window_bytes is 0.
    virtual Result<Ref<TransportWindowBinding>> bind_window(TransportQueuePair& queue_pair, TransportMemory& memory,
                                                            std::byte* address, std::size_t bytes, Access access,
                                                            const BindingTerms& terms) = 0;
    // Begins a connection from this side and returns its end, or null: no transport finds the peer, and
    // on_connect_failed follows. The outcome comes through `sink`, never from inside the call, though perhaps on
    // another thread before it returns. If it throws std::bad_alloc, nothing has begun, and the sink is not called.
    virtual Ref<TransportConnector> connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                            const Address& remote, const ReadLimits& offer,
                                            std::span<const std::byte> private_data,
                                            Ref<TransportQueuePair> queue_pair) = 0;
    virtual Result<Ref<TransportListener>> create_listener(Ref<ListenerSink> sink) = 0;
};

// The transport that a connection would take, and the reason.
struct TransportChoice {
    std::string transport;  // empty: none
    std::string reason;
};

// The kinds of adapter that an opening accepts (NDK-HOST-03).
enum class AdapterKinds : std::uint8_t { any, software, hardware };

// Makes adapters for network interfaces. One per process and kind (software, verbs); library/transport_map.h picks.
class Transport {
public:
    virtual ~Transport() = default;
    // Opens an adapter on `on`, which has an address. `face` is that of the program that opens it, for counts.
    virtual Result<Ref<TransportAdapter>> open(const Interface& on, Face face) = 0;
    // Keeps all adapters of this interface of one kind as long as the reference lives; called before open(). Returns
    // null if there is one kind alone. not_supported, explained: no adapter of `kinds` can be opened.
    virtual Result<Ref<RefCounted>> hold_kind(const Interface&, AdapterKinds) { return Ref<RefCounted>(); }
    // `local`: an address of this host, or the unspecified one for that from which this host reaches `remote`.
    virtual TransportChoice explain(const Address& local, const Address& remote) = 0;
    // Returns the traffic so far of all connections of this process through the interface with this index, by face and
    // wire; nothing if the transport does not count it (NDK-STAT-04). Throws std::bad_alloc.
    virtual std::optional<std::vector<WireTraffic>> traffic(std::uint32_t) const { return std::nullopt; }
};

}  // namespace opennd
