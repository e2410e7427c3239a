// SPDX-License-Identifier: MIT
// JointAdapter: see adapter.h.
#include "transport/joint/adapter.h"

#include <string>
#include <utility>
#include <vector>

#include "base/explanation.h"
#include "base/log.h"
#include "transport/joint/completion_queue.h"
#include "transport/joint/memory_region.h"
#include "transport/joint/nic_end.h"
#include "transport/joint/queue_pair.h"
#include "transport/layer/connector.h"
#include "transport/soft/listener.h"
#include "transport/soft/rerouted_connector.h"

namespace opennd::joint {
namespace {

// The least of both, and the device's identity.
AdapterAbilities common(const TransportAdapter& host, const TransportAdapter& nic) {
    AdapterAbilities both = lowered({host.limits(), host.traits()}, {nic.limits(), nic.traits()});
    both.limits.max_shared_receive_depth = 0;
    both.traits.max_fast_pages = 0;
    both.traits.vendor_id = nic.traits().vendor_id;
    both.traits.device_id = nic.traits().device_id;
    return both;
}

// A passive connector of one part.
template <Part part>
class Caller final : public LayerConnector {
public:
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override {
        inner()->accept(static_cast<JointQueuePair&>(*queue_pair).choose(part), limits, private_data);
    }
};

template <Part part>
Ref<ListenerSink> callers(const Ref<ListenerSink>& sink) {
    return Ref<ListenerSink>(make_ref<LayerListenerSink<Caller<part>>>(sink));
}

const JointCompletionQueue& joint(const Ref<TransportCompletionQueue>& queue) {
    return static_cast<const JointCompletionQueue&>(*queue);
}

QueuePairParameters half(const QueuePairParameters& parameters, Part part) {
    QueuePairParameters own = parameters;
    own.receive_completion_queue = joint(parameters.receive_completion_queue).of(part);
    own.initiator_completion_queue = joint(parameters.initiator_completion_queue).of(part);
    return own;
}

[[gnu::cold]] Status refuse_feature(std::string_view operation, std::string_view asked, std::string_view requirement) {
    return explain(Status::not_supported,
                   {.object = "adapter",
                    .operation = operation,
                    .asked = asked,
                    .limit = "an adapter that joins an RDMA device and shared memory (OPENND_TRANSPORT) has none",
                    .remedy = "choose verbs alone",
                    .requirement = requirement});
}

}  // namespace

JointAdapter::JointAdapter(Ref<soft::SoftAdapter> host, Ref<TransportAdapter> nic)
    : host_(std::move(host)), nic_(std::move(nic)), can_(common(*host_, *nic_)), keys_(host_->tokens()) {}

Result<Ref<TransportMemory>> JointAdapter::register_memory(std::byte* address, std::size_t bytes, Access access) {
    Result<Ref<TransportMemory>> nic = nic_->register_memory(address, bytes, access);
    if (!nic.ok()) return nic.status();
    Ref<TransportMemory> of_host;
    try {
        const bool for_peers = any_of(access, Access::remote_read | Access::remote_write);
        Result<Ref<TransportMemory>> host =
            host_->register_memory(address, bytes, access, for_peers ? nic.value()->remote_token() : Token::none);
        if (!host.ok()) {
            nic.value()->deregister();
            return host.status();
        }
        of_host = host.take();
        return Ref<TransportMemory>(make_ref<JointMemoryRegion>(Ref<JointAdapter>(this), keys_, of_host, nic.value()));
    } catch (...) {
        if (of_host) of_host->deregister();
        nic.value()->deregister();
        throw;
    }
}

Result<Ref<TransportCompletionQueue>> JointAdapter::create_completion_queue(std::uint32_t depth, NotifyRule rule,
                                                                            CompletionQueueSink& sink) {
    const auto made = make_ref<JointCompletionQueue>(depth, rule, sink);
    Result<Ref<TransportCompletionQueue>> host = host_->create_completion_queue(depth, rule, made->sink_of(Part::host));
    if (!host.ok()) return host.status();
    Result<Ref<TransportCompletionQueue>> nic = nic_->create_completion_queue(depth, rule, made->sink_of(Part::nic));
    if (!nic.ok()) {
        host.value()->close();
        return nic.status();
    }
    made->set(host.take(), nic.take());
    return Ref<TransportCompletionQueue>(made);
}

Result<Ref<TransportQueuePair>> JointAdapter::create_queue_pair(const QueuePairParameters& parameters) {
    const auto receives = Ref<JointCompletionQueue>(parameters.receive_completion_queue);
    const auto initiators = Ref<JointCompletionQueue>(parameters.initiator_completion_queue);
    Result<Ref<TransportQueuePair>> host = host_->create_queue_pair(half(parameters, Part::host));
    if (!host.ok()) return host.status();
    Ref<TransportQueuePair> of_nic;
    try {
        Result<Ref<TransportQueuePair>> nic = nic_->create_queue_pair(half(parameters, Part::nic));
        if (!nic.ok()) {
            host.value()->close();
            return nic.status();
        }
        of_nic = nic.take();
        return JointQueuePair::create(Ref<JointAdapter>(this), keys_, receives, initiators, host.value(), of_nic);
    } catch (...) {
        host.value()->close();
        if (of_nic) of_nic->close();
        throw;
    }
}

Result<Ref<TransportWindowBinding>> JointAdapter::bind_window(TransportQueuePair& queue_pair, TransportMemory& memory,
                                                              std::byte* address, std::size_t bytes, Access access,
                                                              const BindingTerms& terms) {
    const auto& pair = static_cast<const JointQueuePair&>(queue_pair);
    const auto& region = static_cast<const JointMemoryRegion&>(memory);
    // A window is for the one peer of its queue pair, and so of one part.
    if (pair.part() == Part::host)
        return host_->bind_window(pair.inner(), region.host(), address, bytes, access, terms);
    return nic_->bind_window(pair.inner(), region.nic(), address, bytes, access, terms);
}

Ref<TransportConnector> JointAdapter::connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                              const Address& remote, const ReadLimits& offer,
                                              std::span<const std::byte> private_data,
                                              Ref<TransportQueuePair> queue_pair) {
    const auto pair = Ref<JointQueuePair>(queue_pair);
    std::size_t first = 0;
    std::string reasons;
    Result<Ref<soft::ActiveEnd>> found = host_->find(remote, first, reasons);
    const bool over_host = found.ok();
    if (!over_host) {
        log(LogLevel::info, "connection to {}: transport verbs{}", remote.text(), reasons);
        found = Ref<soft::ActiveEnd>(make_ref<NicEnd>(nic_));
    }
    const auto next = [self = Ref<JointAdapter>(this), pair, is_left = over_host](
                          Ref<TransportQueuePair>& of_attempt) mutable -> Result<Ref<soft::ActiveEnd>> {
        if (!std::exchange(is_left, false)) return Status::network_unreachable;
        of_attempt = pair->choose(Part::nic);
        return Ref<soft::ActiveEnd>(make_ref<NicEnd>(self->nic_));
    };
    const auto end = make_ref<soft::ReroutedConnector>(found.take(), next);
    try {
        end->connect(std::move(sink), local, origin, remote, offer, private_data,
                     pair->choose(over_host ? Part::host : Part::nic));
    } catch (...) {
        end->end(Ending::cancel);
        throw;
    }
    return end;
}

Result<Ref<TransportListener>> JointAdapter::create_listener(Ref<ListenerSink> sink) {
    std::vector<soft::SoftListener::Way> ways = host_->listening_ways(callers<Part::host>(sink));
    ways.push_back({"verbs", [nic = nic_, mine = callers<Part::nic>(sink)] { return nic->create_listener(mine); }});
    return Ref<TransportListener>(make_ref<soft::SoftListener>(std::move(ways)));
}

Result<Ref<TransportSharedReceiveQueue>> JointAdapter::create_shared_receive_queue(const SharedReceiveQueueLimits&,
                                                                                   SharedReceiveQueueSink&) {
    return refuse_feature("CreateSharedReceiveQueue", "a shared receive queue", "ND2-ADP-SRQ-01");
}

Result<Ref<TransportMemory>> JointAdapter::register_pages(const PageList&, Access) {
    return refuse_feature("Register", "memory by its pages", "NDK-MAP-11");
}

Result<Ref<TransportMemory>> JointAdapter::register_address_space() {
    return refuse_feature("a protection domain", "a token of all memory", "NDK-PD-02");
}

Result<Ref<TransportFastRegion>> JointAdapter::create_fast_region() {
    return refuse_feature("NdkInitializeFastRegisterMr", "a fast region", "NDK-MAP-10");
}

}  // namespace opennd::joint
