// SPDX-License-Identifier: MIT
// NDK_SRQ: the one arm of its threshold, and the callback it leads to. Posting goes straight to core.
#pragma once

#include <optional>

#include "base/lock.h"
#include "base/ref.h"
#include "core/queue/shared_receive_queue.h"
#include "ndk/memory/protection_domain.h"
#include "ndk/object/object.h"
#include "ndkpi.h"

namespace opennd {

class NdkSharedReceiveQueue final : public NDK_SRQ, public NdkObject {
public:
    static constexpr NDK_OBJECT_TYPE kType = NdkObjectTypeSrq;

    // The consumer's callback; NULL: none.
    struct Notification {
        NDK_FN_SRQ_NOTIFICATION_CALLBACK function;
        PVOID context;
    };
    static NTSTATUS create(NdkProtectionDomain& domain, const SharedReceiveQueueLimits& limits,
                           const Notification& notification, NDK_SRQ** made);
    static NdkSharedReceiveQueue& of(NDK_SRQ* queue) { return static_cast<NdkSharedReceiveQueue&>(*queue); }

    NdkProtectionDomain& domain() const { return *domain_; }
    const Ref<SharedReceiveQueue>& core() const { return core_; }

    NTSTATUS receive(PVOID context, const NDK_SGE sges[], ULONG count) EXCLUDES(mutex_);
    NTSTATUS modify(ULONG depth, ULONG threshold) EXCLUDES(mutex_);

private:
    struct Turn final : Callback {
        explicit Turn(NdkSharedReceiveQueue& of) : queue(of) {}
        void run() override { queue.take_turn(); }
        NdkSharedReceiveQueue& queue;
    };

    NdkSharedReceiveQueue(NdkProtectionDomain& domain, const SharedReceiveQueueLimits& limits,
                          const Notification& notification);
    void give_up() override EXCLUDES(mutex_);
    void end() override { core_->close(); }
    Status wait_for_low() EXCLUDES(mutex_);
    void on_low(Status status) EXCLUDES(mutex_);
    void count_post() EXCLUDES(mutex_);
    void take_turn() EXCLUDES(mutex_);

    // Constant after create().
    const Use<NdkProtectionDomain> domain_;
    const Notification notification_;
    const ULONG max_sges_;
    Ref<SharedReceiveQueue> core_;

    // A new queue is armed, and empty: it counts from when as many receives as the threshold were posted (NDK-SRQ-03).
    // The poster's; it is one thread at a time (NDK-SRQ-08).
    ULONG posts_until_armed_;

    Mutex mutex_;
    bool waiting_ GUARDED_BY(mutex_) = false;         // a request for it is at core
    bool scheduled_ GUARDED_BY(mutex_) = false;       // turn_ waits, or runs
    std::optional<NTSTATUS> due_ GUARDED_BY(mutex_);  // the status for the callback
    bool let_go_ GUARDED_BY(mutex_) = false;          // nothing is called any more (NDK-SRQ-09)
    Turn turn_{*this};
};

}  // namespace opennd
