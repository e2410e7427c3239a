// SPDX-License-Identifier: MIT
// SoftAdapter: see adapter.h.
#include "transport/soft/adapter.h"

#include <limits>

#include "base/explanation.h"
#include "platform/memory/guarded_copy.h"
#include "platform/memory/present_memory.h"
#include "transport/soft/engine/shared_receive_queue.h"
#include "transport/soft/engine/window_binding.h"
#include "transport/soft/memory_region.h"
#include "transport/soft/progress/polled_queue_pair.h"
#include "transport/soft/rerouted_connector.h"
#include "transport/soft/transport.h"
#include "transport/soft/wire.h"

namespace opennd::soft {
namespace {

[[gnu::cold]] Status refuse_memory(Status status, std::size_t bytes, std::uint64_t address, bool written) {
    if (status != Status::access_violation) return status;
    const std::string_view writable = written ? " and writable" : "";
    return explain(
        status,
        {.object = "memory region",
         .operation = "Register",
         .asked = phrase("{} bytes at {:#x}", bytes, address),
         .limit = phrase("memory that is mapped{}, with pages that the kernel gives: a file's within its length and "
                         "with room, no secret memory and none of a device",
                         writable),
         .remedy = "register memory of this process that exists, from first to last byte; give a file its length and "
                   "its room (posix_fallocate) before",
         .requirement = "ND2-MR-REG-01"});
}

}  // namespace

SoftAdapter::SoftAdapter(SoftTransport& transport, TokenTable tokens, Ref<TrafficLedger> ledger,
                         std::uint32_t interface, Wire* wire)
    : OpenAdapter(transport.shared_parts(), std::move(tokens), std::move(ledger)),
      transport_(transport),
      interface_(interface),
      wire_(wire) {
    if (transport.profile()) this->tokens().set_imposer_of_sinks(transport.profile()->label);
}

const AdapterLimits& SoftAdapter::limits() const { return transport_.abilities().limits; }
const AdapterTraits& SoftAdapter::traits() const { return transport_.abilities().traits; }
const AppliedProfile* SoftAdapter::profile() const { return transport_.profile(); }

// The engine asks for the right of a read sink alone.
Access SoftAdapter::granted(Access access) const {
    const Access fillable = traits().reads_fill_written_memory ? Access::local_write : Access::remote_write;
    return any_of(access, fillable) ? access | Access::read_sink : access;
}

Result<Ref<TransportMemory>> SoftAdapter::register_memory(std::byte* address, std::size_t bytes, Access access) {
    return register_memory(address, bytes, access, Token::none);
}

Result<Ref<TransportMemory>> SoftAdapter::register_memory(std::byte* address, std::size_t bytes, Access access,
                                                          Token remote) {
    guard_copies();
    const bool written = any_of(access, Access::local_write | Access::remote_write | Access::read_sink);
    MemoryGrant grant{reinterpret_cast<std::uint64_t>(address), bytes, granted(access), {}};
    if (const auto location = mappable_memory().locate(address, bytes)) {
        grant.location = {location->segment, location->offset};
    } else if (const Status status = obtain_memory(address, bytes, written); !ok(status)) {
        return refuse_memory(status, bytes, grant.address, written);
    }
    const auto reserved = tokens().reserve(grant, remote);
    if (!reserved.ok()) return reserved.status();
    // No peer has a reason to map memory without a right for peers.
    const bool for_peers = any_of(access, Access::remote_read | Access::remote_write);
    const std::uint32_t granted = for_peers ? grant.location.segment : 0;
    grant_segment(granted);
    tokens().enable(reserved.value());
    return Ref<TransportMemory>(new SoftMemoryRegion(Ref<SoftAdapter>(this), reserved.value(), granted));
}

Result<Ref<TransportMemory>> SoftAdapter::register_pages(const PageList& pages, Access access) {
    guard_copies();
    auto memory = std::make_unique<const PagedMemory>(pages, granted(access), false);
    const auto reserved = tokens().reserve({});
    if (!reserved.ok()) return reserved.status();
    tokens().set_pages(reserved.value(), std::move(memory));
    tokens().enable(reserved.value());
    return Ref<TransportMemory>(new SoftMemoryRegion(Ref<SoftAdapter>(this), reserved.value(), 0));
}

Result<Ref<TransportMemory>> SoftAdapter::register_address_space() {
    guard_copies();
    const auto reserved =
        tokens().reserve({0, std::numeric_limits<std::uint64_t>::max(), Access::local_write | Access::read_sink, {}});
    if (!reserved.ok()) return reserved.status();
    tokens().enable_local(reserved.value());
    return Ref<TransportMemory>(new SoftMemoryRegion(Ref<SoftAdapter>(this), reserved.value(), 0));
}

Result<Ref<TransportFastRegion>> SoftAdapter::create_fast_region() {
    guard_copies();
    const auto reserved = tokens().reserve({});
    if (!reserved.ok()) return reserved.status();
    const auto region = make_ref<SoftFastRegion>(Ref<SoftAdapter>(this), tokens(), fast_regions(), reserved.value());
    try {
        fast_regions().add(region);
    } catch (...) {
        tokens().release(reserved.value().local);
        throw;
    }
    return Ref<TransportFastRegion>(region);
}

Result<Ref<TransportWindowBinding>> SoftAdapter::bind_window(TransportQueuePair& queue_pair, TransportMemory& memory,
                                                             std::byte* address, std::size_t bytes, Access access,
                                                             const BindingTerms& terms) {
    auto& user = static_cast<SoftQueuePair&>(queue_pair);
    MemoryGrant grant;
    if (!tokens().find_local(memory.local_token(), grant)) return Status::access_violation;  // withdrawn just now
    const auto start = reinterpret_cast<std::uint64_t>(address);
    std::unique_ptr<const PagedMemory> pages;
    if (const PageUse use = tokens().use_local(memory.local_token()))
        pages = std::make_unique<const PagedMemory>(use->part(start, bytes, access));
    grant.location.offset += start - grant.address;
    grant.address = start;
    grant.length = bytes;
    grant.access = access;
    grant.scope = user.scope();
    if (terms.invalidated_context) user.receive_results().make_room(1);
    const auto reserved = tokens().reserve(grant);
    if (!reserved.ok()) {
        if (terms.invalidated_context) user.receive_results().give_room(1);
        return reserved.status();
    }
    if (pages) tokens().set_pages(reserved.value(), std::move(pages));
    grant_segment(grant.location.segment);
    return Ref<TransportWindowBinding>(new SoftWindowBinding(Ref<SoftAdapter>(this), Ref<SoftQueuePair>(&user),
                                                             reserved.value(), grant.location.segment, terms));
}

Result<Ref<TransportCompletionQueue>> SoftAdapter::create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                           CompletionQueueSink& sink) {
    return Ref<TransportCompletionQueue>(
        new SoftCompletionQueue(depth, transport_.overrun_rule(), rule, sink, layer().room_judge()));
}

Result<Ref<TransportSharedReceiveQueue>> SoftAdapter::create_shared_receive_queue(
    const SharedReceiveQueueLimits& limits, SharedReceiveQueueSink& sink) {
    return Ref<TransportSharedReceiveQueue>(new SoftSharedReceiveQueue(limits, sink));
}

Result<Ref<TransportQueuePair>> SoftAdapter::create_queue_pair(const QueuePairParameters& parameters) {
    guard_copies();  // inline data needs no registration
    // Core checks that the queues are of this very adapter, so that they are of this class.
    Ref<SoftCompletionQueue> receives(static_cast<SoftCompletionQueue*>(parameters.receive_completion_queue.get()));
    Ref<SoftCompletionQueue> initiators(static_cast<SoftCompletionQueue*>(parameters.initiator_completion_queue.get()));
    Ref<SoftSharedReceiveQueue> shared(static_cast<SoftSharedReceiveQueue*>(parameters.shared_receive_queue.get()));
    return Ref<TransportQueuePair>(new PolledQueuePair(Ref<SoftAdapter>(this), parameters, std::move(receives),
                                                       std::move(initiators), std::move(shared)));
}

Ref<TransportConnector> SoftAdapter::connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                             const Address& remote, const ReadLimits& offer,
                                             std::span<const std::byte> private_data,
                                             Ref<TransportQueuePair> queue_pair) {
    std::size_t further = 0;
    const Result<Ref<ActiveEnd>> found = dial(remote, further);
    if (!found.ok()) {
        // The sink is never called from inside the program's call (ND2-CON-CONN-04).
        event_loop().post([sink, status = found.status()] { sink->on_connect_failed(status, {}); });
        return nullptr;
    }
    const Ref<ReroutedConnector> end = make_ref<ReroutedConnector>(
        found.value(), [self = Ref<SoftAdapter>(this), remote, further](Ref<TransportQueuePair>&) mutable {
            return self->dial(remote, further);
        });
    try {
        end->connect(std::move(sink), local, origin, remote, offer, private_data, std::move(queue_pair));
    } catch (...) {
        end->end(Ending::cancel);
        throw;
    }
    return end;
}

std::vector<Wire*> SoftAdapter::wires() const { return wire_ ? std::vector<Wire*>{wire_} : transport_.chosen_wires(); }

Result<Ref<ActiveEnd>> SoftAdapter::find(const Address& remote, std::size_t& first, std::string& reasons) {
    Status outcome = Status::network_unreachable;
    const std::vector<Wire*> wires = this->wires();
    while (first < wires.size()) {
        Wire* const wire = wires[first++];
        std::string reason;
        if (!wire->reaches(remote, reason)) {
            reasons += format("; {}: {}", wire->name(), reason);
            continue;
        }
        auto end = wire->dial(Ref<SoftAdapter>(this), remote);
        if (end.ok()) {
            log(LogLevel::info, "connection to {}: transport {}, {}", remote.text(), wire->name(), reason);
            return end;
        }
        outcome = end.status();
        reasons += format("; {}: {}", wire->name(), name(outcome));
    }
    return outcome;
}

Result<Ref<ActiveEnd>> SoftAdapter::dial(const Address& remote, std::size_t& first) {
    std::string reasons;
    Result<Ref<ActiveEnd>> end = find(remote, first, reasons);
    if (end.ok()) return end;
    return report(end.status(), {.object = "connector",
                                 .operation = "Connect",
                                 .asked = phrase("a connection to {}", remote.text()),
                                 .limit = reasons.empty() ? std::string_view("no transport is chosen")
                                                          : std::string_view(reasons).substr(2),
                                 .remedy = "start a listener there, or choose other transports (OPENND_TRANSPORT)",
                                 .requirement = "ND2-CON-CONN-05"});
}

std::vector<SoftListener::Way> SoftAdapter::listening_ways(const Ref<ListenerSink>& sink) {
    std::vector<SoftListener::Way> ways;
    for (Wire* wire : wires())
        ways.push_back(
            {wire->name(), [wire, self = Ref<SoftAdapter>(this), sink] { return wire->create_listener(self, sink); }});
    return ways;
}

Result<Ref<TransportListener>> SoftAdapter::create_listener(Ref<ListenerSink> sink) {
    return Ref<TransportListener>(make_ref<SoftListener>(listening_ways(sink)));
}

}  // namespace opennd::soft
