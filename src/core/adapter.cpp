// SPDX-License-Identifier: MIT
// See adapter.h.
#include "core/adapter.h"

#include <algorithm>
#include <utility>

#include "base/explanation.h"
#include "core/completion_queue.h"
#include "core/queue_pair.h"
#include "core/shared_receive_queue.h"

namespace opennd {

Adapter::Adapter(std::uint64_t id, Interface on, AddressSource addresses, Ref<TransportAdapter> transport, Owner owner,
                 Ref<Activity> activity)
    : id_(id),
      opened_on_(std::move(on)),
      address_source_(std::move(addresses)),
      transport_(std::move(transport)),
      limits_(transport_->limits()),
      owner_(owner),
      activity_(std::move(activity)) {}

// Addresses of the opening first, then the current ones of the host. The transport refuses one that has gone since.
std::optional<Address> Adapter::own_address(const Address& wanted) const {
    if (const std::optional<Address> own = find_host(opened_on_.addresses, wanted)) return own;
    return find_host(addresses(), wanted);
}

Result<Address> Adapter::resolve_local(const Address& wanted) const {
    if (!wanted.is_unspecified()) {
        if (const std::optional<Address> own = own_address(wanted)) return *own;
        return refuse_local(wanted, "an address of the interface, or the unspecified one");
    }
    for (const Address& own : addresses())
        if (own.family() == wanted.family()) return own.with_port(wanted.port());
    return refuse_local(wanted, "the unspecified address of a family in which the interface has an address");
}

Status Adapter::refuse_local(const Address& wanted, std::string_view limit) const {
    return explain(Status::invalid_address, {.object = phrase("adapter {}", opened_on_.name),
                                             .operation = "Bind",
                                             .asked = phrase("address {}", wanted.text(false)),
                                             .limit = limit,
                                             .remedy = "open the adapter that has the address",
                                             .requirement = "ND2-CON-BIND-01"});
}

Adapter::~Adapter() {
    if (address_space_) address_space_->deregister();
}

Result<Token> Adapter::address_space_token() {
    const Held lock(mutex_);
    if (!address_space_) {
        auto memory = transport_->register_address_space();
        if (!memory.ok()) return memory.status();
        address_space_ = memory.take();
    }
    return address_space_->local_token();
}

std::uint32_t Adapter::round_up_sges(std::uint32_t wanted, std::uint32_t maximum) {
    constexpr std::uint32_t kLeastSges = 4;
    return std::max(wanted, std::min(kLeastSges, maximum));
}

Result<Ref<QueuePair>> Adapter::create_queue_pair(const QueuePairLimits& wanted,
                                                  Ref<CompletionQueue> receive_completion_queue,
                                                  Ref<CompletionQueue> initiator_completion_queue, void* context,
                                                  Ref<SharedReceiveQueue> shared_receive_queue) {
    return create_queue_pair(wanted, QueuePairRules{}, std::move(receive_completion_queue),
                             std::move(initiator_completion_queue), context, std::move(shared_receive_queue));
}

Result<Ref<QueuePair>> Adapter::create_queue_pair(const QueuePairLimits& wanted, const QueuePairRules& rules,
                                                  Ref<CompletionQueue> receive_completion_queue,
                                                  Ref<CompletionQueue> initiator_completion_queue, void* context,
                                                  Ref<SharedReceiveQueue> shared_receive_queue) {
    QueuePairParameters parameters;
    parameters.limits = wanted;
    parameters.limits.receive_sges = round_up_sges(wanted.receive_sges, limits_.max_receive_sges);
    parameters.limits.initiator_sges = round_up_sges(wanted.initiator_sges, limits_.max_initiator_sges);
    parameters.receive_completion_queue = receive_completion_queue->transport();
    parameters.initiator_completion_queue = initiator_completion_queue->transport();
    parameters.context = context;
    parameters.waits_for_receives = rules.waits_for_receives;
    if (shared_receive_queue) {
        parameters.limits.receive_depth = 0;
        parameters.limits.receive_sges = shared_receive_queue->max_sges();
        parameters.shared_receive_queue = shared_receive_queue->transport();
    }

    Result<Ref<TransportQueuePair>> transport = transport_->create_queue_pair(parameters);
    if (!transport.ok()) return transport.status();
    try {
        return make_ref<QueuePair>(Ref<Adapter>(this), parameters.limits, rules, std::move(receive_completion_queue),
                                   std::move(initiator_completion_queue), std::move(shared_receive_queue),
                                   transport.value());
    } catch (...) {
        transport.value()->close();
        throw;
    }
}

}  // namespace opennd
