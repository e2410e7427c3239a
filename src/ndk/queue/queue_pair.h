// SPDX-License-Identifier: MIT
// NDK_QP: the posting functions check the face's own arguments, translate, and call core. Its connector says when the
// connection is established, from when requests are accepted, and when it is over (NDK-QP-STATE-01, -03).
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "base/lock.h"
#include "base/ref.h"
#include "core/queue/queue_pair.h"
#include "ndk/call/refusal.h"
#include "ndk/memory/protection_domain.h"
#include "ndk/object/object.h"
#include "ndk/queue/completion_queue.h"
#include "ndk/queue/shared_receive_queue.h"
#include "ndkpi.h"

namespace opennd {

class NdkMemoryRegion;

// The connector of a queue pair, as far as the queue pair knows it.
class QueuePairUser : public NdkObject {
public:
    // The queue pair has been flushed, which ends the connection without a word to the connector's consumer.
    virtual void end_with_queue_pair() = 0;

protected:
    using NdkObject::NdkObject;
};

class NdkQueuePair final : public NDK_QP, public NdkObject {
public:
    static constexpr NDK_OBJECT_TYPE kType = NdkObjectTypeQp;
    static constexpr std::string_view kObject = "queue pair";

    // Where its results go and its receives come from.
    struct Queues {
        NDK_CQ* receive;
        NDK_CQ* initiator;
        NDK_SRQ* shared;  // looked at if `has_shared`
        bool has_shared;
    };
    static NTSTATUS create(NdkProtectionDomain& domain, const Queues& queues, PVOID context,
                           const QueuePairLimits& limits, NDK_QP** made);
    static NdkQueuePair& of(NDK_QP* queue_pair) { return static_cast<NdkQueuePair&>(*queue_pair); }

    const Ref<QueuePair>& core() const { return core_; }

    NTSTATUS send(PVOID context, const NDK_SGE sges[], ULONG count, ULONG flags);
    NTSTATUS send_and_invalidate(PVOID context, const NDK_SGE sges[], ULONG count, ULONG flags, UINT32 remote_token);
    NTSTATUS receive(PVOID context, const NDK_SGE sges[], ULONG count);
    NTSTATUS read(PVOID context, const NDK_SGE sges[], ULONG count, UINT64 remote_address, UINT32 remote_token,
                  ULONG flags);
    NTSTATUS write(PVOID context, const NDK_SGE sges[], ULONG count, UINT64 remote_address, UINT32 remote_token,
                   ULONG flags);
    NTSTATUS bind(PVOID context, NDK_MR* region, NDK_MW* window, PVOID address, SIZE_T bytes, ULONG flags);
    // The pages that NdkFastRegister maps.
    struct Mapping {
        ULONG page_count;
        const NDK_LOGICAL_ADDRESS* pages;
        ULONG first_byte;
        SIZE_T bytes;
        PVOID base;
    };
    NTSTATUS fast_register(PVOID context, NDK_MR* region, const Mapping& mapping, ULONG flags);
    NTSTATUS invalidate(PVOID context, NDK_OBJECT_HEADER* target, ULONG flags);
    void flush() EXCLUDES(mutex_);

    // For NdkConnector. From here on requests are accepted, Reads if `reads` (NDK-QP-STATE-01), and a flush ends the
    // connection.
    void begin_use(QueuePairUser& connector, bool reads) EXCLUDES(mutex_);
    // From here on requests are refused.
    void end_use() { accepts_.store(kNothing, std::memory_order_relaxed); }
    // Its consumer closes it: a flush does not reach it any more.
    void forget_connector() EXCLUDES(mutex_);

private:
    NdkQueuePair(NdkProtectionDomain& domain, Use<NdkCompletionQueue> receives, Use<NdkCompletionQueue> initiators,
                 Use<NdkSharedReceiveQueue> shared, const QueuePairLimits& limits, Ref<QueuePair> core);
    void end() override { core_->close(); }

    NTSTATUS post_send(const NdkCall& call, WorkRequest& request, const NDK_SGE sges[], ULONG count, ULONG flags);
    // `needs`: bits of accepts_.
    NTSTATUS post(const NdkCall& call, const WorkRequest& request, const NDK_SGE sges[], ULONG count, ULONG most,
                  std::uint8_t needs);
    NTSTATUS read_and_invalidate(const NdkCall& call, PVOID context, const NDK_SGE sges[], ULONG count,
                                 UINT64 remote_address, UINT32 remote_token, ULONG flags);
    NTSTATUS post_inline(const NdkCall& call, WorkRequest& request, const NDK_SGE sges[], ULONG count);
    NTSTATUS post_joined(const NdkCall& call, WorkRequest& request, const NDK_SGE sges[], ULONG count);
    bool accepts(std::uint8_t what) const { return (accepts_.load(std::memory_order_relaxed) & what) == what; }
    NTSTATUS hand_on(const NdkCall& call, const WorkRequest& request);
    // The connection is not there, or has no Reads.
    [[gnu::cold]] NTSTATUS refuse_now(const NdkCall& call, CheckRule misuse = {}) const;
    // A receive, of a queue pair that shares them.
    [[gnu::cold]] static NTSTATUS refuse_shared(const NdkCall& call);
    // A refusal by core, explained as this call's.
    [[gnu::cold]] NTSTATUS refuse_by_core(const NdkCall& call, const WorkRequest& request, Status status) const;

    // Bits, for accepts_.
    static constexpr std::uint8_t kNothing = 0, kRequests = 1, kReads = 2;
    // Relaxed: a consumer learns of the connection by a callback, which orders.
    std::atomic<std::uint8_t> accepts_{kNothing};

    // Constant after construction.
    const QueuePairLimits limits_;  // as asked for; core rounds up
    const ULONG read_sges_;
    const Ref<QueuePair> core_;
    const Use<NdkProtectionDomain> domain_;
    const Use<NdkCompletionQueue> receives_, initiators_;
    const Use<NdkSharedReceiveQueue> shared_;  // none: it has receives of its own

    Mutex mutex_;  // nothing is called under it
    // The one that is connected, while its consumer has not closed it, so that it can be used under mutex_. Not owned.
    QueuePairUser* connector_ GUARDED_BY(mutex_) = nullptr;
};

}  // namespace opennd
