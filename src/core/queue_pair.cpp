// SPDX-License-Identifier: MIT
// The cold half of queue_pair.h.
#include "core/queue_pair.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "core/adapter.h"
#include "core/completion_queue.h"
#include "core/connector.h"
#include "core/memory_region.h"
#include "core/memory_window.h"
#include "core/shared_receive_queue.h"

namespace opennd {
namespace {

const char* verb(Operation operation) {
    switch (operation) {
        case Operation::receive: return "Receive";
        case Operation::send: return "Send";
        case Operation::bind: return "Bind";
        case Operation::invalidate: return "Invalidate";
        case Operation::read: return "Read";
        case Operation::write: return "Write";
    }
    return "request";
}

}  // namespace

QueuePair::QueuePair(Ref<Adapter> adapter, const QueuePairLimits& limits, Ref<CompletionQueue> receive_completion_queue,
                     Ref<CompletionQueue> initiator_completion_queue, Ref<SharedReceiveQueue> shared_receive_queue,
                     Ref<TransportQueuePair> transport)
    : transport_(std::move(transport)),
      limits_(limits),
      max_read_sges_(std::min(limits.initiator_sges, adapter->limits().max_read_sges)),
      max_transfer_bytes_(adapter->limits().max_transfer_bytes),
      adapter_(std::move(adapter)),
      receive_completion_queue_(std::move(receive_completion_queue)),
      initiator_completion_queue_(std::move(initiator_completion_queue)),
      shared_receive_queue_(std::move(shared_receive_queue)) {}

QueuePair::~QueuePair() = default;

Status QueuePair::refuse_sges(const WorkRequest& request) const {
    log(LogLevel::warn,
        "queue pair: {} with {} scatter/gather entries, but it takes {}; create it with a larger maximum, or use fewer "
        "entries",
        verb(request.operation), request.sges.size(), max_sges(request.operation));
    return Status::too_many_sges;
}

Status QueuePair::refuse_length(const WorkRequest& request) const {
    if (has(request.flags, RequestFlags::inline_data))
        log(LogLevel::warn,
            "queue pair: inline {} of {} bytes, but it was created for {} inline bytes; create it with more, or post "
            "without the inline flag",
            verb(request.operation), total_length(request.sges), limits_.inline_bytes);
    else
        log(LogLevel::warn,
            "queue pair: {} of {} bytes, but the adapter transfers at most {} at a time; use several requests",
            verb(request.operation), total_length(request.sges), max_transfer_bytes_);
    return Status::message_too_long;
}

Status QueuePair::bind(MemoryRegion& region, MemoryWindow& window, std::byte* address, std::size_t bytes, Access access,
                       RequestFlags flags, void* context) {
    if (transport_->state() == QueuePairState::idle) return Status::not_connected;
    if (const Status status = window.begin_bind(*this); !ok(status)) {
        log(LogLevel::warn, "queue pair: Bind of a memory window that is bound; Invalidate it first (ND2-QP-BIND-01)");
        return status;
    }
    const auto binding = region.bind_window(*transport_, address, bytes, access);
    Status status = binding.status();
    if (ok(status)) {
        {
            const Held lock(mutex_);
            windows_.add(binding.value());
        }
        WorkRequest request{Operation::bind, flags, context, {}};
        request.window_binding = binding.value().get();
        status = transport_->post(request);
        if (ok(status)) {
            window.bound(binding.value(), *this);
            return status;
        }
        binding.value()->end();
    }
    window.bind_failed();
    return status;
}

Status QueuePair::invalidate(MemoryWindow& window, RequestFlags flags, void* context) {
    const Ref<TransportWindowBinding> binding = window.binding_on(*this);
    WorkRequest request{Operation::invalidate, flags, context, {}};
    request.window_binding = binding.get();
    const Status status = transport_->post(request);
    if (ok(status)) window.invalidate_posted(binding);
    return status;
}

Status QueuePair::claim(Connector& connector) {
    const Held lock(mutex_);
    if (connector_) return Status::connection_active;
    if (spent_ || transport_->state() == QueuePairState::error) return Status::invalid_state;
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
    BindingList windows;
    {
        const Held lock(mutex_);
        std::swap(windows, windows_);
    }
    BindingList::end(std::move(windows));
}

}  // namespace opennd
