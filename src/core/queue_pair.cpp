// SPDX-License-Identifier: MIT
// The cold half of queue_pair.h.
#include "core/queue_pair.h"

#include <algorithm>
#include <utility>

#include "base/explanation.h"
#include "core/adapter.h"
#include "core/completion_queue.h"
#include "core/connector.h"

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

QueuePair::QueuePair(Ref<Adapter> adapter, const QueuePairLimits& limits, Ref<CompletionQueue> receive_completion_queue,
                     Ref<CompletionQueue> initiator_completion_queue, Ref<TransportQueuePair> transport)
    : transport_(std::move(transport)),
      limits_(limits),
      max_read_sges_(std::min(limits.initiator_sges, adapter->limits().max_read_sges)),
      max_transfer_bytes_(adapter->limits().max_transfer_bytes),
      adapter_(std::move(adapter)),
      receive_completion_queue_(std::move(receive_completion_queue)),
      initiator_completion_queue_(std::move(initiator_completion_queue)) {}

QueuePair::~QueuePair() = default;

Status QueuePair::refuse_sges(const WorkRequest& request) const {
    return explain(Status::too_many_sges, {.object = "queue pair",
                                           .operation = name(request.operation),
                                           .asked = phrase("{} scatter/gather entries", request.sges.size()),
                                           .limit = phrase("{}", max_sges(request.operation)),
                                           .remedy = "create it with a larger maximum, or use fewer entries",
                                           .requirement = "ND2-QP-POST-04"});
}

Status QueuePair::refuse_length(const WorkRequest& request) const {
    const bool is_inline = has(request.flags, RequestFlags::inline_data);
    return explain(
        Status::message_too_long,
        {.object = "queue pair",
         .operation = name(request.operation),
         .asked = phrase("{} bytes{}", total_length(request.sges), is_inline ? " inline" : ""),
         .limit = is_inline ? phrase("{} inline bytes, as it was created", limits_.inline_bytes)
                            : phrase("{} bytes (MaxTransferLength)", max_transfer_bytes_),
         .remedy = is_inline ? "create it with more, or post without ND_OP_FLAG_INLINE" : "use several requests",
         .requirement = "ND2-QP-POST-05"});
}

Status QueuePair::refuse_now(const WorkRequest& request, Status status) const {
    const bool receive = request.operation == Operation::receive;
    if (status == Status::queue_full)
        return explain(status, {.object = "queue pair",
                                .operation = name(request.operation),
                                .asked = "one more request",
                                .limit = phrase("{} whose results have not been taken",
                                                receive ? limits_.receive_depth : limits_.initiator_depth),
                                .remedy = "take results with GetResults, or create it with a deeper queue",
                                .requirement = "ND2-QP-POST-06"});
    return explain(status, {.object = "queue pair",
                            .operation = name(request.operation),
                            .asked = "a request before there is a connection",
                            .limit = "from CompleteConnect or Accept on",
                            .remedy = "connect it first",
                            .requirement = "ND2-QP-POST-07"});
}

Status QueuePair::claim(Connector& connector) {
    const Held lock(mutex_);
    if (connector_)
        return refuse_claim(Status::connection_active, "a queue pair that another connector has",
                            "use one queue pair for each connection", "ND2-CON-CONN-01");
    if (spent_)
        return refuse_claim(Status::invalid_state, "a queue pair that has been connected, or was released",
                            "create a queue pair for each connection", "ND2-QP-REL-03");
    connector_ = &connector;
    return Status::success;
}

void QueuePair::release(const Connector& connector, Outcome outcome) {
    const Held lock(mutex_);
    if (connector_ != &connector) return;
    connector_ = nullptr;
    spent_ = outcome == Outcome::spent;
}

void QueuePair::close() {
    Ref<Connector> connector;
    {
        const Held lock(mutex_);
        // Alive: it would have ended its claim before its last reference went.
        connector = Ref<Connector>(std::exchange(connector_, nullptr));
        spent_ = true;
    }
    if (connector) connector->on_queue_pair_closed();
    transport_->close();
}

}  // namespace opennd
