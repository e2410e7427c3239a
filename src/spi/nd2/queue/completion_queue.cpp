// SPDX-License-Identifier: MIT
// See completion_queue.h. GetResults is the data path.
#include "spi/nd2/queue/completion_queue.h"

#include <algorithm>
#include <span>

#include "platform/host/host.h"
#include "spi/explanation.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

static_assert(int(Operation::receive) == Nd2RequestTypeReceive && int(Operation::send) == Nd2RequestTypeSend &&
              int(Operation::bind) == Nd2RequestTypeBind && int(Operation::invalidate) == Nd2RequestTypeInvalidate &&
              int(Operation::read) == Nd2RequestTypeRead && int(Operation::write) == Nd2RequestTypeWrite);

// Room on the stack for completions on their way; not initialised, because only entries that poll() wrote are read.
union Batch {
    static constexpr ULONG kCompletions = 16;
    Batch() {}
    Completion completions[kCompletions];
};

constexpr ULONG kNone = ~ULONG{0};

// A message that takes away a window which is not bound here ends the connection, and no Receive of version 2 has a status
// for it (IW-NEG-108).
Status status_for_program(const Completion& completion) {
    const bool bad_invalidation =
        completion.operation == Operation::receive && completion.status == Status::malformed_request;
    return bad_invalidation ? Status::canceled : completion.status;
}

ND2_RESULT to_result(const Completion& completion) {
    constexpr unsigned kCounted = 1u << static_cast<unsigned>(Operation::receive) |
                                  1u << static_cast<unsigned>(Operation::read);  // ND2-CQ-GET-03
    const bool counted = (kCounted >> static_cast<unsigned>(completion.operation) & 1) != 0;
    const ULONG bytes = counted ? completion.length_bytes : 0;
    return {to_hresult(status_for_program(completion)), bytes, completion.queue_pair_context,
            completion.request_context, static_cast<ND2_REQUEST_TYPE>(completion.operation)};
}

}  // namespace

ULONG Nd2CompletionQueue::GetResults(ND2_RESULT results[], ULONG count) noexcept {
    if (results == nullptr) return 0;  // ND2-CQ-GET-02
    ULONG taken = 0;
    ULONG first_failed = kNone;
    while (taken < count) {
        Batch batch;
        const ULONG asked = std::min(count - taken, Batch::kCompletions);
        const auto got = static_cast<ULONG>(core_->poll(std::span(batch.completions, asked)));
        for (ULONG i = 0; i < got; ++i) {
            results[taken + i] = to_result(batch.completions[i]);
            if (!ok(batch.completions[i].status)) [[unlikely]]
                first_failed = std::min(first_failed, taken + i);
        }
        taken += got;
        if (got < asked) break;  // empty (ND2-CQ-GET-01)
    }
    if (first_failed != kNone) [[unlikely]]
        remember_result(results[first_failed].Status, "queue pair",
                        name(static_cast<Operation>(results[first_failed].RequestType)));
    return taken;
}

HRESULT Nd2CompletionQueue::Notify(ULONG type, OVERLAPPED* overlapped) noexcept {
    return begin(overlapped, [&](std::unique_ptr<AsyncRequest> request) {
        switch (type) {
            case ND_CQ_NOTIFY_ERRORS: return core_->notify(NotifyKind::errors, std::move(request));
            case ND_CQ_NOTIFY_ANY: return core_->notify(NotifyKind::any, std::move(request));
            case ND_CQ_NOTIFY_SOLICITED: return core_->notify(NotifyKind::solicited, std::move(request));
            default:
                return explain(Status::invalid_parameter,
                               {.object = "completion queue",
                                .operation = "Notify",
                                .asked = phrase("type {}", type),
                                .limit = "ND_CQ_NOTIFY_ERRORS (0), ND_CQ_NOTIFY_ANY (1), ND_CQ_NOTIFY_SOLICITED (2)",
                                .remedy = "pass one of the constants",
                                .requirement = "ND2-CQ-NTF-01"});
        }
    });
}

HRESULT Nd2CompletionQueue::Resize(ULONG depth) noexcept {
    return at_face([&] { return to_hresult(core_->resize(depth)); });
}

// All usable processors, for any affinity of the program: any thread that makes progress delivers events (ND2-CQ-AFF-01).
HRESULT Nd2CompletionQueue::GetNotifyAffinity(USHORT* group, KAFFINITY* affinity) noexcept {
    constexpr Site site{"completion queue", "GetNotifyAffinity"};
    if (group == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pGroup");
    if (affinity == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pAffinity");
    *group = 0;
    *affinity = usable_processors();
    return ND_SUCCESS;
}

}  // namespace opennd
