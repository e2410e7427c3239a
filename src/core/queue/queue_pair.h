// SPDX-License-Identifier: MIT
// A queue pair: may this request be posted here? Then on to the transport, by one virtual call. The data path of every
// face runs through post(); nothing in it allocates, locks or counts references. Next: transport/queue_pair.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/status.h"
#include "core/adapter/live_objects.h"
#include "core/memory/binding_list.h"
#include "model/access.h"
#include "model/end_cause.h"
#include "model/limits.h"
#include "model/page_list.h"
#include "model/work_request.h"
#include "transport/connector.h"
#include "transport/queue_pair.h"

namespace opennd {

class Adapter;
class CompletionQueue;
class FastRegion;
class MemoryRegion;
class MemoryWindow;
class QueuePairClaimant;
class SharedReceiveQueue;

// Rules that differ between faces.
struct QueuePairRules {
    // Outstanding requests outlive a disconnect of the peer, until this side ends the connection too (ND1-EP-GEN-21);
    // if the connection is lost, the oldest initiator request has timed out (ND1-EP-GEN-22). Otherwise all are
    // canceled.
    bool outlives_peer = false;
    // Memory windows are free once the connection is over (ND1-MW-09); otherwise with the queue pair (ND2-MW-07).
    bool windows_end_with_connection = false;
    // See QueuePairParameters.
    bool waits_for_receives = false;
};

class QueuePair final : public RefCounted {
public:
    // The queues belong to `adapter`, the completion queues maybe to another open of the same interface; the numbers
    // are within the limits. Entry counts are rounded up to min(4, the adapter's), depths are taken exactly
    // (ND2-ADP-QP-05, ND2-AMB-45). With a shared receive queue it has no receive queue of its own, and the receive
    // limits of `wanted` are ignored. insufficient_resources, no_memory.
    static Result<Ref<QueuePair>> create(Ref<Adapter> adapter, const QueuePairLimits& wanted,
                                         const QueuePairRules& rules, Ref<CompletionQueue> receive_completion_queue,
                                         Ref<CompletionQueue> initiator_completion_queue, void* context,
                                         Ref<SharedReceiveQueue> shared_receive_queue = nullptr);

    // `limits` are those in force, see create(). The transport's half holds the transport halves of its
    // queues; these Refs keep the rest of them alive.
    QueuePair(Ref<Adapter> adapter, const QueuePairLimits& limits, const QueuePairRules& rules,
              Ref<CompletionQueue> receive_completion_queue, Ref<CompletionQueue> initiator_completion_queue,
              Ref<SharedReceiveQueue> shared_receive_queue, Ref<TransportQueuePair> transport);
    ~QueuePair() override;

    const Adapter& adapter() const { return *adapter_; }
    TransportQueuePair& transport() const { return *transport_; }
    const QueuePairLimits& limits() const { return limits_; }

    // For people who look into the process: its number among the queue pairs of the process, where its results go, where its
    // receives come from (null: from itself), and how full it is; see TransportQueuePair::use.
    std::uint32_t number() const { return place_.number(); }
    const CompletionQueue& receive_completion_queue() const { return *receive_completion_queue_; }
    const CompletionQueue& initiator_completion_queue() const { return *initiator_completion_queue_; }
    const SharedReceiveQueue* shared_receive_queue() const { return shared_receive_queue_.get(); }
    QueuePairUse use() const { return transport_->use(); }

    // success: accepted, a completion follows. Otherwise no trace is left (ND2-QP-POST-01):
    //   too_many_sges     more entries than the queue pair takes; inline requests may have any number (ND2-QP-SEND-04)
    //   message_too_long  over the adapter's transfer length, or the queue pair's inline length (ND2-QP-POST-05)
    //   not_connected     an initiator request before a connection (ND2-QP-POST-07)
    //   queue_full        (ND2-QP-POST-06)
    //   malformed_request a receive, but those come from a shared receive queue (ND2-QP-RECV-01)
    [[gnu::always_inline]] Status post(const WorkRequest& request) {
        const Status status = try_post(request);
        if (!ok(status)) [[unlikely]]
            return refuse(request, status);
        return status;
    }
    // try_post() does not explain a refusal, refuse() does: a face names its call only after a failure
    // (base/explanation.h).
    [[gnu::always_inline]] Status try_post(const WorkRequest& request) {
        const bool is_inline = has(request.flags, RequestFlags::inline_data);
        if (request.sges.size() > max_sges(request.operation) && !is_inline) [[unlikely]]
            return Status::too_many_sges;
        if (total_length(request.sges) > (is_inline ? limits_.inline_bytes : max_transfer_bytes_)) [[unlikely]]
            return Status::message_too_long;
        return transport_->post(request);
    }
    [[gnu::cold]] Status refuse(const WorkRequest& request, Status status) const;

    // The explanations of too_many_sges, for `count` entries, and of message_too_long, for a face that has not read all
    // entries.
    [[gnu::cold]] Status refuse_sges(Operation operation, std::size_t count) const;
    [[gnu::cold]] Status refuse_length(const WorkRequest& request, std::uint64_t bytes) const;

    // post() for a face that has made all its checks and explains refusals itself: queue_full, not_connected.
    Status submit(const WorkRequest& request) { return transport_->post(request); }

    // Gives the peer a part of `region` by the window's token, from the request's execution on. As post(), and:
    //   not_connected, invalid_state     before a connection; the window is bound, in this order (ND2-QP-BIND-01)
    //   and the statuses of MemoryRegion::bind_window
    Status bind(MemoryRegion& region, MemoryWindow& window, std::byte* address, std::size_t bytes, Access access,
                RequestFlags flags, void* context) EXCLUDES(mutex_);
    // A Bind that cannot succeed: it is accepted and completes with access_violation. As post().
    Status bind_nothing(RequestFlags flags, void* context);
    // Ends the window's binding. As post().
    Status invalidate(MemoryWindow& window, RequestFlags flags, void* context);

    // Lets the region name `pages`, from the request's execution on; it completes with malformed_request, and the queue
    // pair fails, if the region is valid then. Its tokens may be used in requests posted after this one
    // (NDK-QP-FREG-04). Statuses of FastRegion::prepare, then as post().
    Status fast_register(FastRegion& region, const PageList& pages, Access access, RequestFlags flags, void* context);
    // Ends the registration; completes with malformed_request, and the queue pair fails, if there is none when it executes
    // (NDK-QP-INV-03). As post(). invalid_parameter: the region was never initialised.
    Status invalidate(FastRegion& region, RequestFlags flags, void* context);
    // A Read which, if it succeeds, ends the registration that its first entry lies in before it completes (NDK-QP-READ-04).
    // As post(). invalid_parameter: the first entry's token is not that of a fast region (NDK-QP-READ-05).
    Status read_and_invalidate(WorkRequest request);

    // Everything outstanding completes as canceled before this returns, in any state (ND2-QP-FLUSH-01, -02).
    void flush() { transport_->flush(); }

    // There will be no connection, or no longer: everything outstanding completes as canceled before this returns, and
    // later requests do too.
    void end() { transport_->end(Status::canceled); }
    // A message of the peer has arrived: the connection is up, though Accept may not have completed yet.
    bool heard() const { return transport_->heard(); }

    // Releases it for the program: ends the work of its connector, then flushes (ND2-QP-REL-01). Once.
    void close() EXCLUDES(mutex_);

    // For Connector: takes the queue pair for one attempt, or says why not (ND2-CON-CONN-01). While taken, close()
    // tells `connector`.
    //   connection_active  another connector has it
    //   invalid_state      it has been connected, was released (ND2-QP-REL-03), or its completion queue overran
    Status claim(QueuePairClaimant& connector) EXCLUDES(mutex_);

    // For Connector: the connection is over; `told` says whether the program knows. The oldest request of a connection that is
    // lost times out (ND2-QP-ERR-03, ND1-EP-GEN-22), the others are canceled. False: requests stay outstanding until end() or
    // for a moment (docs/decisions/0023).
    bool end_with_peer(EndCause cause, bool told);

    // The outcome of the attempt: never attached, so that another may follow (ND2-CON-CONN-06), or spent for good.
    enum class Outcome { reusable, spent };
    // For Connector: ends its claim; no effect if it has none.
    void release(const QueuePairClaimant& connector, Outcome outcome) EXCLUDES(mutex_);

private:
    std::uint32_t max_sges(Operation operation) const {
        if (operation == Operation::receive) return limits_.receive_sges;
        return operation == Operation::read ? max_read_sges_ : limits_.initiator_sges;
    }
    [[gnu::cold]] std::string_view imposer_of_sges(Operation operation) const;
    [[gnu::cold]] Status refuse_now(const WorkRequest& request, Status status) const;

    // Constant after construction.
    const Ref<TransportQueuePair> transport_;
    const QueuePairLimits limits_;
    const QueuePairRules rules_;
    const std::uint32_t max_read_sges_;  // ND2-QP-POST-04
    const std::uint32_t max_transfer_bytes_;
    const Ref<Adapter> adapter_;
    const Ref<CompletionQueue> receive_completion_queue_;
    const Ref<CompletionQueue> initiator_completion_queue_;
    const Ref<SharedReceiveQueue> shared_receive_queue_;  // null: it has a receive queue of its own

    Mutex mutex_;
    // The connector that has claimed it. Not owned: a connector ends its claim before it dies, and close() clears this.
    QueuePairClaimant* connector_ GUARDED_BY(mutex_) = nullptr;
    bool spent_ GUARDED_BY(mutex_) = false;
    BindingList windows_ GUARDED_BY(mutex_);  // bound here

    LiveObjects<QueuePair>::Place place_;
};

// A connector as the queue pair that it has claimed knows it (connector.h).
class QueuePairClaimant : public ConnectorSink {
public:
    // The queue pair is being released while this connector has it. No lock of the queue pair's is held.
    virtual void on_queue_pair_closed() = 0;
};

}  // namespace opennd
