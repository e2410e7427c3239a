// SPDX-License-Identifier: MIT
// See explanation.h.
#include "base/explanation.h"

#include <atomic>

#include "base/checker.h"
#include "base/sink.h"

namespace opennd {
namespace {

struct Kept {
    Failure failure;
    std::uint64_t count = 0;
};

constinit thread_local Kept kept;

// Relaxed: set before any object exists, and it points to code, which is constant.
constinit std::atomic<FaceStatusOf> face_status{nullptr};

FaceStatus status_of(Status status) noexcept {
    const FaceStatusOf of = face_status.load(std::memory_order_relaxed);
    return of ? of(status) : FaceStatus{0, name(status).data()};
}

constinit Sink<FailureFunction> failure_sink;
[[maybe_unused]] const bool failure_sink_listed = failure_sink.list();

void fill(Failure& failure, const FaceStatus& status, const Explanation& explanation) noexcept {
    failure.status = status;
    failure.object = explanation.object;
    failure.operation = explanation.operation;
    failure.asked = explanation.asked;
    failure.limit = explanation.limit;
    if (!explanation.imposed_by.empty()) failure.limit = phrase("{} ({})", explanation.limit, explanation.imposed_by);
    failure.remedy = explanation.remedy;
    failure.requirement = explanation.requirement;
}

void publish(const Failure& failure, const Explanation& explanation) noexcept {
    try {
        failure_sink.tell([&](FailureFunction function, void* context) { function(context, failure); });
        const auto text = [](const Phrase& phrase) { return std::string_view(phrase); };
        log(explanation.level, explanation.cause, "{}: {}: {}: {}; limit: {}; {} ({})", text(failure.object),
            text(failure.operation), failure.status.name, text(failure.asked), text(failure.limit),
            text(failure.remedy), text(failure.requirement));
    } catch (...) {  // no memory for the line: the failure itself is not changed by that
    }
}

void tell_checker(const Failure& failure, const Explanation& explanation) noexcept {
    Checker* const checks = explanation.rule == CheckRule::none ? nullptr : checker();
    if (checks)
        checks->tell({explanation.rule, failure.object,
                      phrase("{}: {}: {}", std::string_view(failure.operation), failure.status.name,
                             std::string_view(failure.asked))});
}

}  // namespace

Status explain(Status status, const Explanation& explanation) noexcept {
    const SpokenCall::Words* const call = SpokenCall::current();
    if (call == nullptr) return explain(status_of(status), explanation), status;
    Explanation spoken = explanation;
    spoken.object = call->object;
    spoken.operation = call->operation;
    if (!call->requirement.empty()) spoken.requirement = call->requirement;
    if (call->requirement_of)
        if (const std::string_view requirement = call->requirement_of(status); !requirement.empty())
            spoken.requirement = requirement;
    explain(call->status(status), spoken);
    return status;
}

Status report(Status status, const Explanation& explanation) noexcept {
    Failure failure;
    fill(failure, status_of(status), explanation);
    publish(failure, explanation);
    tell_checker(failure, explanation);
    return status;
}

void explain(const FaceStatus& status, const Explanation& explanation) noexcept {
    remember(status, explanation);
    publish(kept.failure, explanation);
    tell_checker(kept.failure, explanation);
}

void remember(const FaceStatus& status, const Explanation& explanation) noexcept {
    fill(kept.failure, status, explanation);
    ++kept.count;
}

const Failure& last_failure() noexcept { return kept.failure; }

std::uint64_t failures_kept() noexcept { return kept.count; }

void forget_last_failure() noexcept { kept.failure = {}; }

void set_face_status(FaceStatusOf of) noexcept { face_status.store(of, std::memory_order_relaxed); }

void set_failure_sink(FailureFunction function, void* context) { failure_sink.set(function, context); }

}  // namespace opennd
