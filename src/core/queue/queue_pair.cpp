// SPDX-License-Identifier: MIT
// The cold half of queue_pair.h.
#include "core/queue/queue_pair.h"

#include <algorithm>
#include <utility>

#include "base/check_rule.h"
#include "base/explanation.h"
#include "core/adapter/adapter.h"
#include "core/memory/fast_region.h"
#include "core/memory/memory_region.h"
#include "core/memory/memory_window.h"
#include "core/queue/completion_queue.h"
#include "core/queue/shared_receive_queue.h"

namespace opennd {
namespace {

[[gnu::cold]] Status refuse_claim(Status status, std::string_view asked, std::string_view remedy,
                                  std::string_view requirement) {
    return explain(status, {.object = "connector",
                            .operation = "Connect or Accept",
                            .asked = asked,
                            .limit = "one that was never connected and that no other connector has",
                            .remedy = remedy,
                            .requirement = requirement});
}

}  // namespace

Result<Ref<QueuePair>> QueuePair::create(Ref<Adapter> adapter, const QueuePairLimits& wanted,
                                         const QueuePairRules& rules, Ref<CompletionQueue> receive_completion_queue,
                                         Ref<CompletionQueue> initiator_completion_queue, void* context,
                                         Ref<SharedReceiveQueue> shared_receive_queue) {
    const AdapterLimits& most = adapter->limits();
    QueuePairParameters parameters;
    parameters.limits = wanted;
    parameters.limits.receive_sges = Adapter::round_up_sges(wanted.receive_sges, most.max_receive_sges);
    parameters.limits.initiator_sges = Adapter::round_up_sges(wanted.initiator_sges, most.max_initiator_sges);
    parameters.receive_completion_queue = receive_completion_queue->transport();
    parameters.initiator_completion_queue = initiator_completion_queue->transport();
    parameters.context = context;
    parameters.waits_for_receives = rules.waits_for_receives;
    if (shared_receive_queue) {
        parameters.limits.receive_depth = 0;
        parameters.limits.receive_sges = shared_receive_queue->max_sges();
        parameters.shared_receive_queue = shared_receive_queue->transport();
    }

    Result<Ref<TransportQueuePair>> transport = adapter->transport().create_queue_pair(parameters);
    if (!transport.ok()) return transport.status();
    try {
        return make_ref<QueuePair>(std::move(adapter), parameters.limits, rules, std::move(receive_completion_queue),
                                   std::move(initiator_completion_queue), std::move(shared_receive_queue),
                                   transport.value());
    } catch (...) {
        transport.value()->close();
        throw;
    }
}

QueuePair::QueuePair(Ref<Adapter> adapter, const QueuePairLimits& limits, const QueuePairRules& rules,
                     Ref<CompletionQueue> receive_completion_queue, Ref<CompletionQueue> initiator_completion_queue,
                     Ref<SharedReceiveQueue> shared_receive_queue, Ref<TransportQueuePair> transport)
    : transport_(std::move(transport)),
      limits_(limits),
      rules_(rules),
      max_read_sges_(std::min(limits.initiator_sges, adapter->limits().max_read_sges)),
      max_transfer_bytes_(adapter->limits().max_transfer_bytes),
      adapter_(std::move(adapter)),
      receive_completion_queue_(std::move(receive_completion_queue)),
      initiator_completion_queue_(std::move(initiator_completion_queue)),
      shared_receive_queue_(std::move(shared_receive_queue)),
      place_(adapter_->inventory().queue_pairs) {
    place_.enter(*this);
    transport_->set_number(place_.number());
}

QueuePair::~QueuePair() = default;

std::string_view QueuePair::imposer_of_sges(Operation operation) const {
    const std::uint32_t most = max_sges(operation);
    if (operation == Operation::receive) return adapter_->imposer(&AdapterLimits::max_receive_sges, most);
    const bool of_reads = operation == Operation::read && most < limits_.initiator_sges;
    return adapter_->imposer(of_reads ? &AdapterLimits::max_read_sges : &AdapterLimits::max_initiator_sges, most);
}

Status QueuePair::refuse_sges(Operation operation, std::size_t count) const {
    return explain(Status::too_many_sges, {.object = "queue pair",
                                           .operation = name(operation),
                                           .asked = phrase("{} scatter/gather entries", count),
                                           .limit = phrase("{}", max_sges(operation)),
                                           .remedy = "create it with a larger maximum, or use fewer entries",
                                           .requirement = "ND2-QP-POST-04",
                                           .imposed_by = imposer_of_sges(operation)});
}

Status QueuePair::refuse(const WorkRequest& request, Status status) const {
    if (status == Status::too_many_sges) return refuse_sges(request.operation, request.sges.size());
    if (status == Status::message_too_long) return refuse_length(request, total_length(request.sges));
    return refuse_now(request, status);
}

Status QueuePair::refuse_length(const WorkRequest& request, std::uint64_t bytes) const {
    const bool is_inline = has(request.flags, RequestFlags::inline_data);
    return explain(
        Status::message_too_long,
        {.object = "queue pair",
         .operation = name(request.operation),
         .asked = phrase("{} bytes{}", bytes, is_inline ? " inline, or more" : ""),
         .limit = is_inline ? phrase("{} inline bytes, as it was created", limits_.inline_bytes)
                            : phrase("{} bytes (MaxTransferLength)", max_transfer_bytes_),
         .remedy = is_inline ? "create it with more, or post without ND_OP_FLAG_INLINE" : "use several requests",
         .requirement = "ND2-QP-POST-05",
         .imposed_by = is_inline ? adapter_->imposer(&AdapterLimits::max_inline_bytes, limits_.inline_bytes)
                                 : adapter_->imposer(&AdapterLimits::max_transfer_bytes, max_transfer_bytes_)});
}

Status QueuePair::refuse_now(const WorkRequest& request, Status status) const {
    const bool receive = request.operation == Operation::receive;
    if (status == Status::queue_full)
        return explain(status, {.object = "queue pair",
                                .operation = name(request.operation),
                                .asked = "one more request",
                                .limit = phrase("{} requests with results still to take",
                                                receive ? limits_.receive_depth : limits_.initiator_depth),
                                .remedy = "take results, or create it with a deeper queue",
                                .requirement = "ND2-QP-POST-06"});
    if (status != Status::not_connected) return status;  // explained where it was decided
    return explain(status, {.object = "queue pair",
                            .operation = name(request.operation),
                            .asked = "a request before there is a connection",
                            .limit = "from CompleteConnect or Accept on",
                            .remedy = "connect it first",
                            .requirement = "ND2-QP-POST-07",
                            .rule = request.operation == Operation::bind ? CheckRule::bind_early : CheckRule::none});
}

Status QueuePair::bind(MemoryRegion& region, MemoryWindow& window, std::byte* address, std::size_t bytes, Access access,
                       RequestFlags flags, void* context) {
    WorkRequest request{Operation::bind, flags, context, {}};
    if (transport_->state() == QueuePairState::idle) return refuse_now(request, Status::not_connected);
    if (const Status status = window.begin_bind(*this); !ok(status))
        return explain(status, {.object = "queue pair",
                                .operation = "Bind",
                                .asked = "a binding of a memory window that is bound",
                                .limit = "one at a time",
                                .remedy = "invalidate it first",
                                .requirement = "ND2-QP-BIND-01"});
    const BindingTerms terms{window.invalidated_context(), rules_.windows_end_with_connection};
    const auto binding = region.bind_window(*transport_, address, bytes, access, terms);
    Status status = binding.status();
    if (ok(status)) {
        {
            const Held lock(mutex_);
            windows_.add(binding.value());
        }
        request.extra = binding.value().get();
        status = transport_->post(request);
        if (ok(status)) {
            window.bound(binding.value(), *this);
            return status;
        }
        binding.value()->end();
        (void)refuse_now(request, status);
    }
    window.bind_failed();
    return status;
}

Status QueuePair::bind_nothing(RequestFlags flags, void* context) {
    const WorkRequest request{Operation::bind, flags, context, {}};
    const Status status = transport_->post(request);
    return ok(status) ? status : refuse_now(request, status);
}

Status QueuePair::invalidate(MemoryWindow& window, RequestFlags flags, void* context) {
    const Ref<TransportWindowBinding> binding = window.binding_on(*this);
    WorkRequest request{Operation::invalidate, flags, context, {}};
    request.extra = binding.get();
    const Status status = transport_->post(request);
    if (!ok(status)) return refuse_now(request, status);
    window.invalidate_posted(binding);
    return status;
}

Status QueuePair::fast_register(FastRegion& region, const PageList& pages, Access access, RequestFlags flags,
                                void* context) {
    const auto registration = region.prepare(pages, access);
    if (!registration.ok()) return registration.status();
    WorkRequest request{Operation::fast_register, flags, context, {}};
    request.extra = registration.value().get();
    const Status status = transport_->post(request);
    return ok(status) ? status : refuse_now(request, status);
}

Status QueuePair::invalidate(FastRegion& region, RequestFlags flags, void* context) {
    const Ref<TransportFastRegion> subject = region.transport();
    WorkRequest request{Operation::invalidate, flags, context, {}};
    if (!subject)
        return explain(Status::invalid_parameter, {.object = "queue pair",
                                                   .operation = "Invalidate",
                                                   .asked = "a fast region that was never initialised",
                                                   .limit = "one that was",
                                                   .remedy = "initialise and register it first",
                                                   .requirement = "NDK-QP-INV-02"});
    request.extra = subject.get();
    const Status status = transport_->post(request);
    return ok(status) ? status : refuse_now(request, status);
}

Status QueuePair::read_and_invalidate(WorkRequest request) {
    if (request.sges.empty() || !adapter_->transport().names_fast_region(request.sges[0].token))
        return explain(Status::invalid_parameter,
                       {.object = "queue pair",
                        .operation = "Read",
                        .asked = "the end of its first entry's registration, which is no fast one",
                        .limit = "an entry with the local token of a fast region",
                        .remedy = "read into memory that is fast-registered, or do not ask for its end",
                        .requirement = "NDK-QP-READ-05"});
    request.flags = request.flags | RequestFlags::local_invalidate;
    return post(request);
}

bool QueuePair::end_with_peer(EndCause cause, bool told) {
    if (rules_.outlives_peer && cause == EndCause::disconnect) return false;
    // A queue pair that outlives its peer has lost it also where the peer is there.
    const bool broken = cause == EndCause::reset || cause == EndCause::failure;
    const bool lost = cause == EndCause::silence || (rules_.outlives_peer && broken);
    const Status oldest = lost ? Status::timed_out : Status::canceled;
    if (told && !rules_.outlives_peer) {
        transport_->end_soon(oldest);
        return false;
    }
    transport_->end(oldest);
    return true;
}

Status QueuePair::claim(QueuePairClaimant& connector) {
    const Held lock(mutex_);
    if (connector_)
        return refuse_claim(Status::connection_active, "a queue pair that another connector has",
                            "use one queue pair for each connection", "ND2-CON-CONN-01");
    if (spent_ || transport_->state() == QueuePairState::error)
        return refuse_claim(Status::invalid_state, "a queue pair that has been connected, or was released",
                            "create a queue pair for each connection", "ND2-QP-REL-03");
    connector_ = &connector;
    return Status::success;
}

void QueuePair::release(const QueuePairClaimant& connector, Outcome outcome) {
    const Held lock(mutex_);
    if (connector_ != &connector) return;
    connector_ = nullptr;
    spent_ = outcome == Outcome::spent;
}

void QueuePair::close() {
    Ref<QueuePairClaimant> connector;
    {
        const Held lock(mutex_);
        // Alive: it would have ended its claim before its last reference went.
        connector = Ref<QueuePairClaimant>(std::exchange(connector_, nullptr));
        spent_ = true;
    }
    if (connector) connector->on_queue_pair_closed();
    transport_->close();
    BindingList windows;
    {
        const Held lock(mutex_);
        std::swap(windows, windows_);
    }
    BindingList::end(std::move(windows));
}

}  // namespace opennd
