// SPDX-License-Identifier: MIT
// See completion_queue.h: the arm and its callback. Results are in results.cpp.
#include "ndk/queue/completion_queue.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/call/version.h"
#include "ndk/object/adapter.h"

namespace opennd {
namespace {

NotifyKind kind_of(ULONG type) {
    switch (type) {
        case NDK_CQ_NOTIFY_ERRORS: return NotifyKind::errors;
        case NDK_CQ_NOTIFY_SOLICITED: return NotifyKind::solicited;
        case NDK_CQ_NOTIFY_ANY: return NotifyKind::any;
        default: break;
    }
    (void)report(Status::invalid_parameter, {.object = "completion queue",
                                             .operation = "NdkArmCq",
                                             .asked = phrase("type {}", type),
                                             .limit = "NDK_CQ_NOTIFY_ERRORS, _ANY or _SOLICITED; taken as _ANY",
                                             .remedy = "pass one of the constants",
                                             .requirement = "NDK-CQ-ARM-07"});
    return NotifyKind::any;
}

}  // namespace

NTSTATUS NdkCompletionQueue::create(NdkAdapter& adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notification,
                                    PVOID context, const GROUP_AFFINITY* affinity, NDK_CQ** made) {
    constexpr NdkCall call{"adapter", "NdkCreateCq", "NDK-CQ-CREATE-01"};
    return create_at_face(call, adapter, made, [&](NDK_CQ** out) -> NTSTATUS {
        const ULONG most = adapter.info().MaxCqDepth;
        if (depth == 0 || depth > most)
            return refuse_number(call, "completion queue depth", depth, 1, most, "NDK-CQ-CREATE-01",
                                 adapter.core()->imposer(&AdapterLimits::max_completion_depth, most));
        std::unique_ptr<NdkCompletionQueue> queue(new NdkCompletionQueue(adapter, depth, notification, context));
        const ProcessorGroup processors =
            affinity ? ProcessorGroup{affinity->Group, affinity->Mask} : ProcessorGroup{};  // NDK-GEN-23
        auto core = CompletionQueue::create(adapter.core(), depth, NotifyRule::fresh, queue.get(), processors);
        if (!core.ok()) return to_ntstatus(core.status());
        queue->core_ = core.take();
        *out = queue.release();
        return STATUS_SUCCESS;
    });
}

NdkCompletionQueue::NdkCompletionQueue(NdkAdapter& adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notification,
                                       PVOID context)
    : NDK_CQ{adapter.header(kType), &dispatch().completion_queue},
      NdkObject(adapter, "completion queue"),
      notification_(notification),
      notification_context_(context),
      with_codes_(brings_codes(adapter.version())),
      depth_(depth) {}

void NdkCompletionQueue::arm(ULONG type) {
    if (notification_ == nullptr) return;
    NotifyKind wanted = kind_of(type);
    {
        const Held lock(mutex_);
        if (!ok(failure_)) return failure_told_ ? void() : tell_failure();
        wanted = std::max(armed_.value_or(wanted), wanted);
        armed_ = wanted;
        // Core's queue does not notify of completions that came before this arm.
        if (std::exchange(unasked_, false)) {
            const WaitingCompletions waiting = core_->count_waiting();
            if (wanted == NotifyKind::any ? waiting.all != 0
                                          : wanted == NotifyKind::solicited && waiting.solicited != 0)
                return trigger();
        }
    }
    if (wanted != NotifyKind::errors) core_->arm(wanted);  // core reports its failure without an arm, too
}

void NdkCompletionQueue::on_event(Status status) {
    const Held lock(mutex_);
    if (!ok(status)) {
        failure_ = status;
        if (armed_ || triggered_) tell_failure();
    } else if (armed_ || triggered_) {
        trigger();
    } else {
        unasked_ = true;
    }
}

// Two arms that are met before a callback begins share that callback.
void NdkCompletionQueue::trigger() {
    if (!triggered_ && !moderation_.off()) triggered_at_ = now();
    if (armed_) triggered_ = std::max(triggered_.value_or(*armed_), *armed_);
    armed_.reset();
    schedule();
}

void NdkCompletionQueue::tell_failure() {
    armed_.reset();
    triggered_.reset();
    failure_told_ = failure_due_ = true;
    schedule();
}

void NdkCompletionQueue::schedule() {
    if (let_go_) return;
    if (std::exchange(scheduled_, true)) {
        again_ = true;
        return;
    }
    retain();
    callbacks().schedule(turn_);
}

void NdkCompletionQueue::take_turn() {
    Verdict verdict;
    {
        const Held lock(mutex_);
        again_ = false;
        verdict = judge();
    }
    follow(verdict);
    {
        const Held lock(mutex_);
        scheduled_ = false;
        if (again_) schedule();
    }
    release();
}

void NdkCompletionQueue::end_delay() {
    Verdict verdict;
    {
        const Held lock(mutex_);
        delayed_ = false;
        verdict = judge();
    }
    follow(verdict);
    release();
}

void NdkCompletionQueue::follow(const Verdict& verdict) {
    if (verdict.call) notification_(notification_context_, *verdict.call);
    if (verdict.arm) core_->arm(*verdict.arm);
}

NdkCompletionQueue::Verdict NdkCompletionQueue::judge() {
    if (let_go_) return {};
    if (std::exchange(failure_due_, false)) return {to_ntstatus(failure_), {}};
    if (!triggered_) return {};
    const WaitingCompletions waiting = core_->count_waiting();
    if (waiting.all == 0) {  // taken meanwhile: as if nothing had come (NDK-CQ-ARM-05)
        armed_ = std::max(armed_.value_or(*triggered_), *triggered_);
        triggered_.reset();
        return {{}, armed_};
    }
    if (!moderation_.due(waiting.all, waiting.solicited, triggered_at_, now())) {
        wait_for_more();
        return {{}, moderation_.counts() ? NotifyKind::any : NotifyKind::solicited};
    }
    triggered_.reset();
    return {STATUS_SUCCESS, {}};
}

void NdkCompletionQueue::wait_for_more() {
    const std::optional<SteadyTime> deadline = moderation_.deadline(triggered_at_);
    if (!deadline || std::exchange(delayed_, true)) return;
    retain();
    callbacks().set(delay_, *deadline);
}

NTSTATUS NdkCompletionQueue::moderate(ULONG interval_us, ULONG count) {
    const Held moderating(moderating_);
    std::optional<Moderation> wanted;
    {
        const Held lock(mutex_);
        wanted = Moderation::from(interval_us, count, depth_);
        if (!wanted)
            return refuse(
                STATUS_INVALID_PARAMETER_MIX,
                {.object = "completion queue",
                 .operation = "NdkControlCqInterruptModeration",
                 .asked = phrase("interval {:#x} and count {:#x}, which never end a wait", interval_us, count),
                 .limit = phrase("an interval, or a count up to the depth {}", depth_),
                 .remedy = "limit at least one of them",
                 .requirement = "NDK-CQ-MOD-01"});
    }
    // A device has no wait without an interval.
    const bool by_device = core_->moderate(wanted->interval().value_or(std::chrono::microseconds{}),
                                           wanted->count().value_or(Moderation::kUnlimited)) &&
                           wanted->interval();
    bool recalled = false;
    {
        const Held lock(mutex_);
        if (moderation_.off()) triggered_at_ = now();
        moderation_ = by_device ? Moderation() : *wanted;
        recalled = delayed_ && callbacks().cancel(delay_);
        if (recalled) delayed_ = false;
        if (triggered_) schedule();  // a delayed callback follows the new moderation (NDK-CQ-MOD-02)
    }
    if (recalled) release();
    return STATUS_SUCCESS;
}

NTSTATUS NdkCompletionQueue::resize(ULONG depth) {
    constexpr NdkCall call{"completion queue", "NdkResizeCq", "NDK-CQ-RSZ-01"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        const ULONG most = adapter().info().MaxCqDepth;
        if (depth == 0 || depth > most)
            return refuse_number(call, "completion queue depth", depth, 1, most, "NDK-CQ-CREATE-01",
                                 adapter().core()->imposer(&AdapterLimits::max_completion_depth, most));
        {
            const Held lock(mutex_);
            if (!ok(failure_))
                return refuse(STATUS_INVALID_DEVICE_STATE, {.object = call.object,
                                                            .operation = call.operation,
                                                            .asked = "another depth for a queue that has failed",
                                                            .limit = "until the queue fails",
                                                            .remedy = "close it and its queue pairs, and make new ones",
                                                            .requirement = "NDK-CQ-ERR-01"});
        }
        const Status status = core_->resize(depth);
        if (status == Status::overrun) return STATUS_INVALID_PARAMETER;  // more are waiting: unchanged
        if (!ok(status)) return to_ntstatus(status);
        const Held lock(mutex_);
        depth_ = depth;
        return STATUS_SUCCESS;
    });
}

void NdkCompletionQueue::give_up() {
    bool recalled = false;
    {
        const Held lock(mutex_);
        let_go_ = true;
        recalled = delayed_ && callbacks().cancel(delay_);
        if (recalled) delayed_ = false;
    }
    if (recalled) release();
}

void NdkCompletionQueue::end() { core_->close(); }

}  // namespace opennd
