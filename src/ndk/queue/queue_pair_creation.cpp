// SPDX-License-Identifier: MIT
// NdkCreateQp and NdkCreateQpWithSrq. See queue_pair.h.
#include <algorithm>
#include <utility>

#include "core/adapter/adapter.h"
#include "ndk/call/process_dispatch.h"
#include "ndk/object/adapter.h"
#include "ndk/queue/queue_pair.h"

namespace opennd {
namespace {

constexpr NdkCall kCall{"protection domain", "NdkCreateQp"};

// A peer that ends the connection ends none of this side's requests (NDK-CON-EVT-03); one that posts its receives late
// gets its messages late (NDK-QP-SEND-04).
constexpr QueuePairRules kRules{.outlives_peer = true, .waits_for_receives = true};

NTSTATUS check_limits(const QueuePairLimits& wanted, const NDK_ADAPTER_INFO& can, const Adapter& adapter) {
    const struct {
        std::string_view what;
        ULONG asked, most;
        std::uint32_t AdapterLimits::*of_adapter;
    } limits[] = {
        {"receive queue depth", wanted.receive_depth, can.MaxReceiveQueueDepth, &AdapterLimits::max_receive_depth},
        {"initiator queue depth", wanted.initiator_depth, can.MaxInitiatorQueueDepth,
         &AdapterLimits::max_initiator_depth},
        {"receive SGEs", wanted.receive_sges, can.MaxReceiveRequestSge, &AdapterLimits::max_receive_sges},
        {"initiator SGEs", wanted.initiator_sges, can.MaxInitiatorRequestSge, &AdapterLimits::max_initiator_sges},
        {"inline data size", wanted.inline_bytes, can.MaxInlineDataSize, &AdapterLimits::max_inline_bytes},
    };
    for (const auto& limit : limits)
        if (limit.asked > limit.most)
            return refuse_number(kCall, limit.what, limit.asked, 0, limit.most, "NDK-QP-CREATE-01",
                                 adapter.imposer(limit.of_adapter, limit.most));
    return STATUS_SUCCESS;
}

}  // namespace

NTSTATUS NdkQueuePair::create(NdkProtectionDomain& domain, const Queues& queues, PVOID context,
                              const QueuePairLimits& limits, NDK_QP** made) {
    return create_at_face(kCall, domain.adapter(), made, [&](NDK_QP** out) -> NTSTATUS {
        NdkAdapter& adapter = domain.adapter();
        auto* const receives = face_on<NdkCompletionQueue>(queues.receive, adapter);
        if (!receives) return refuse_object(kCall, "pReceiveCq", "completion queue");
        auto* const initiators = face_on<NdkCompletionQueue>(queues.initiator, adapter);
        if (!initiators) return refuse_object(kCall, "pInitiatorCq", "completion queue");
        NdkSharedReceiveQueue* const shared =
            queues.has_shared ? face_of<NdkSharedReceiveQueue>(queues.shared) : nullptr;
        if (queues.has_shared && (!shared || &shared->domain() != &domain))
            return refuse_object(kCall, "pSrq", "shared receive queue");
        if (const NTSTATUS bad = check_limits(limits, adapter.info(), *adapter.core()); !NT_SUCCESS(bad)) return bad;
        Result<Ref<QueuePair>> core = QueuePair::create(domain.core(), limits, kRules, receives->core(),
                                                        initiators->core(), context, shared ? shared->core() : nullptr);
        if (!core.ok()) return to_ntstatus(core.status());
        const Ref<QueuePair> kept = core.value();
        try {
            *out = new NdkQueuePair(domain, Use(*receives), Use(*initiators),
                                    shared ? Use(*shared) : Use<NdkSharedReceiveQueue>(), limits, core.take());
        } catch (...) {
            kept->close();
            throw;
        }
        return STATUS_SUCCESS;
    });
}

NdkQueuePair::NdkQueuePair(NdkProtectionDomain& domain, Use<NdkCompletionQueue> receives,
                           Use<NdkCompletionQueue> initiators, Use<NdkSharedReceiveQueue> shared,
                           const QueuePairLimits& limits, Ref<QueuePair> core)
    : NDK_QP{domain.adapter().header(kType), &dispatch().queue_pair},
      NdkObject(domain.adapter(), kObject),
      limits_(limits),
      read_sges_(std::min(limits.initiator_sges, domain.adapter().info().MaxReadRequestSge)),
      core_(std::move(core)),
      domain_(domain),
      receives_(std::move(receives)),
      initiators_(std::move(initiators)),
      shared_(std::move(shared)) {}

}  // namespace opennd
