// SPDX-License-Identifier: MIT
// One open of one adapter: a protection domain and its limits. Objects of two adapters do not mix (ND2-PRV-OPEN-02).
#pragma once

#include <cstdint>

#include "base/ref.h"
#include "base/result.h"
#include "model/address.h"
#include "model/limits.h"
#include "transport/adapter.h"

namespace opennd {

class CompletionQueue;
class QueuePair;
struct QueuePairRules;
class SharedReceiveQueue;

class Adapter final : public RefCounted {
public:
    // `id` as the catalog gives it (adapter_catalog.h); `local` without port.
    Adapter(std::uint64_t id, const Address& local, Ref<TransportAdapter> transport);

    std::uint64_t id() const { return id_; }
    const Address& address() const { return local_; }
    const AdapterLimits& limits() const { return limits_; }
    TransportAdapter& transport() const { return *transport_; }

    // The address a connector or listener gets that asked for `wanted`: this adapter's, with that port.
    // invalid_address: neither this adapter's nor the unspecified one of its family (ND2-CON-BIND-01).
    Result<Address> resolve_local(const Address& wanted) const;

    // The queues belong to this adapter; the numbers are within the limits. Entry counts are rounded up to min(4, the
    // adapter's), depths are taken exactly (ND2-ADP-QP-05, ND2-AMB-45). With a shared receive queue it has no other,
    // whatever `wanted` says of receives. insufficient_resources, no_memory.
    Result<Ref<QueuePair>> create_queue_pair(const QueuePairLimits& wanted,
                                             Ref<CompletionQueue> receive_completion_queue,
                                             Ref<CompletionQueue> initiator_completion_queue, void* context,
                                             Ref<SharedReceiveQueue> shared_receive_queue = nullptr);
    // The same for a face whose queue pairs end otherwise.
    Result<Ref<QueuePair>> create_queue_pair(const QueuePairLimits& wanted, const QueuePairRules& rules,
                                             Ref<CompletionQueue> receive_completion_queue,
                                             Ref<CompletionQueue> initiator_completion_queue, void* context,
                                             Ref<SharedReceiveQueue> shared_receive_queue = nullptr);

    // The number of entries that a queue made for `wanted` has; a program that asked for one and uses two exists
    // (ND2-ADP-QP-05).
    static std::uint32_t round_up_sges(std::uint32_t wanted, std::uint32_t maximum);

private:
    // Constant after construction.
    const std::uint64_t id_;
    const Address local_;
    const Ref<TransportAdapter> transport_;
    const AdapterLimits limits_;
};

}  // namespace opennd
