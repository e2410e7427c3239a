// SPDX-License-Identifier: MIT
// Nd1CompletionQueue: see completion_queue.h.
#include "spi/nd1/queue/completion_queue.h"

#include <algorithm>
#include <span>

#include "core/adapter/adapter.h"

namespace opennd {
namespace {

// Room on the stack for completions on their way; not initialised, because only entries that poll() wrote are read.
union Batch {
    static constexpr SIZE_T kCompletions = 16;
    Batch() {}
    Completion completions[kCompletions];
};

constexpr Site kNotify{"completion queue", "Notify"};

}  // namespace

// The one place where a program's ND_RESULT is written, and nothing of it but the two fields (ND1-RES-03, -09).
SIZE_T Nd1CompletionQueue::GetResults(ND_RESULT* results[], SIZE_T count) noexcept {
    if (results == nullptr) return 0;  // ND1-CQ-GR-02
    SIZE_T taken = 0;
    const ND_RESULT* failed = nullptr;
    Operation failed_operation{};
    while (taken < count) {
        Batch batch;
        const SIZE_T asked = std::min(count - taken, Batch::kCompletions);
        const SIZE_T got = core_->poll(std::span(batch.completions, asked));
        for (SIZE_T i = 0; i < got; ++i) {
            const Completion& completion = batch.completions[i];
            auto* const result = static_cast<ND_RESULT*>(completion.request_context);
            result->Status = to_nd1(completion.status);
            result->BytesTransferred = completion.length_bytes;
            results[taken + i] = result;
            if (!ok(completion.status) && failed == nullptr) [[unlikely]] {
                failed = result;
                failed_operation = completion.operation;
            }
        }
        taken += got;
        if (got < asked) break;
    }
    if (failed) [[unlikely]]
        remember_nd1_result(failed->Status, "endpoint", name(failed_operation));
    return taken;
}

HRESULT Nd1CompletionQueue::Notify(DWORD type, OVERLAPPED* overlapped) noexcept {
    if (type > ND_CQ_NOTIFY_SOLICITED)
        return explain(ND_INVALID_PARAMETER_1,
                       {.object = kNotify.object,
                        .operation = kNotify.operation,
                        .asked = phrase("type {}", type),
                        .limit = "ND_CQ_NOTIFY_ERRORS (0), ND_CQ_NOTIFY_ANY (1), ND_CQ_NOTIFY_SOLICITED (2)",
                        .remedy = "pass one of the constants",
                        .requirement = "ND1-CQ-NTF-01"});
    if (overlapped == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_2, kNotify, "pOverlapped");
    NotifyKind kind = NotifyKind::errors;
    if (type == ND_CQ_NOTIFY_ANY) kind = NotifyKind::any;
    if (type == ND_CQ_NOTIFY_SOLICITED) kind = NotifyKind::solicited;
    return begin(overlapped, kNotify, "ND1-CQ-NTF-10",
                 [&](std::unique_ptr<AsyncRequest> request) { return core_->notify(kind, std::move(request)); });
}

HRESULT Nd1CompletionQueue::Resize(SIZE_T entries) noexcept {
    constexpr Site site{"completion queue", "Resize"};
    return at_nd1_face([&]() -> HRESULT {
        const SIZE_T limit = core_->adapter().limits().max_completion_depth;
        if (entries == 0 || entries > limit)
            return refuse_nd1_limit(ND_INVALID_PARAMETER, site, "entries", entries, limit, "ND1-CQ-RSZ-02",
                                    core_->adapter().imposer(&AdapterLimits::max_completion_depth, limit));
        return to_nd1(
            in_words_of(site, "ND1-CQ-RSZ-03", [&] { return core_->resize(static_cast<std::uint32_t>(entries)); }));
    });
}

}  // namespace opennd
