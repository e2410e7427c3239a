// SPDX-License-Identifier: MIT
// NDK_CQ. Polling goes straight to core. This class adds the one arm and its callback (NDK-CQ-ARM-01 to -09);
// moderation.h says how callbacks are held back.
#pragma once

#include <optional>

#include "base/lock.h"
#include "base/ref.h"
#include "core/queue/completion_queue.h"
#include "ndk/object/object.h"
#include "ndk/queue/moderation.h"
#include "ndkpi.h"

namespace opennd {

class NdkCompletionQueue final : public NDK_CQ, public NdkObject, private CompletionQueueListener {
public:
    static constexpr NDK_OBJECT_TYPE kType = NdkObjectTypeCq;

    static NTSTATUS create(NdkAdapter& adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notification,
                           PVOID context, const GROUP_AFFINITY* affinity, NDK_CQ** made);
    static NdkCompletionQueue& of(NDK_CQ* queue) { return static_cast<NdkCompletionQueue&>(*queue); }

    const Ref<CompletionQueue>& core() const { return core_; }

    ULONG get_results(NDK_RESULT results[], ULONG count);
    ULONG get_results(NDK_RESULT_EX results[], ULONG count);
    void arm(ULONG type) EXCLUDES(mutex_);
    NTSTATUS resize(ULONG depth) EXCLUDES(mutex_);
    NTSTATUS moderate(ULONG interval_us, ULONG count) EXCLUDES(moderating_, mutex_);

private:
    // The two ways to the callback thread: something has come, and it has been held back long enough. Each uses the object
    // while it is under way.
    struct Turn final : Callback {
        explicit Turn(NdkCompletionQueue& of) : queue(of) {}
        void run() override { queue.take_turn(); }
        NdkCompletionQueue& queue;
    };
    struct Delay final : CallbackTimer {
        explicit Delay(NdkCompletionQueue& of) : queue(of) {}
        void expire() override { queue.end_delay(); }
        NdkCompletionQueue& queue;
    };
    // The outcome of a turn: the callback, or the arming of core's queue once more, or neither.
    struct Verdict {
        std::optional<NTSTATUS> call;
        std::optional<NotifyKind> arm;
    };

    NdkCompletionQueue(NdkAdapter& adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notification, PVOID context);

    void give_up() override EXCLUDES(mutex_);
    void end() override;
    void on_event(Status status) override EXCLUDES(mutex_);

    void trigger() REQUIRES(mutex_);
    void tell_failure() REQUIRES(mutex_);
    void schedule() REQUIRES(mutex_);
    void take_turn() EXCLUDES(mutex_);
    void end_delay() EXCLUDES(mutex_);
    void follow(const Verdict& verdict) EXCLUDES(mutex_);
    Verdict judge() REQUIRES(mutex_);
    void wait_for_more() REQUIRES(mutex_);

    // Constant after create().
    const NDK_FN_CQ_NOTIFICATION_CALLBACK notification_;  // NULL: polled only (NDK-CQ-CREATE-03)
    const PVOID notification_context_;
    const bool with_codes_;
    Ref<CompletionQueue> core_;

    // This mutex is held while the moderation changes, of the device and here: one change at a time.
    Mutex moderating_;

    // Before the callback thread's. Core's queue is not armed under it: an event may come before that returns.
    Mutex mutex_;
    ULONG depth_ GUARDED_BY(mutex_);
    std::optional<NotifyKind> armed_ GUARDED_BY(mutex_);      // by the consumer, and nothing has come
    std::optional<NotifyKind> triggered_ GUARDED_BY(mutex_);  // it has come, and its callback has not begun
    SteadyTime triggered_at_ GUARDED_BY(mutex_){};            // with moderation
    bool unasked_ GUARDED_BY(mutex_) =
        false;  // something came that core's queue was armed for and the consumer was not
    bool scheduled_ GUARDED_BY(mutex_) = false;  // turn_ waits, or runs
    bool again_ GUARDED_BY(mutex_) = false;      // and there is something new for it
    bool delayed_ GUARDED_BY(mutex_) = false;    // delay_ is set
    bool let_go_ GUARDED_BY(mutex_) = false;     // by the consumer: nothing is called any more (NDK-CQ-ARM-09)
    Status failure_ GUARDED_BY(mutex_) = Status::success;
    bool failure_due_ GUARDED_BY(mutex_) = false;   // its callback has not begun
    bool failure_told_ GUARDED_BY(mutex_) = false;  // due, or over (NDK-CQ-ERR-02)
    Moderation moderation_ GUARDED_BY(mutex_);
    Turn turn_{*this};
    Delay delay_{*this};
};

}  // namespace opennd
