// SPDX-License-Identifier: MIT
// See completion_queue.h. GetResults is the data path.
#include "spi/nd2/queue/completion_queue.h"

#include <algorithm>
#include <array>
#include <span>

#include "platform/host/host.h"
#include "spi/explanation.h"
#include "spi/nd2/call/argument.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

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

// The part of a result that the operation of its request decides.
template <typename Type>
struct Told {
    ULONG counted;  // all ones: the result has the length, else it has 0 (ND2-CQ-GET-03)
    Type type;
};
constexpr ULONG counted_if(Operation operation) {
    return operation == Operation::receive || operation == Operation::read ? ~ULONG{0} : 0;
}
template <typename Type>
constexpr auto tell(Type (*type_of)(Operation)) {
    std::array<Told<Type>, kOperations> told{};
    for (std::size_t i = 0; i < told.size(); ++i) {
        const auto operation = static_cast<Operation>(i);
        told[i] = {counted_if(operation), type_of(operation)};
    }
    return told;
}

constexpr auto kTold = tell<ND2_REQUEST_TYPE>([](Operation operation) {
    switch (operation) {
        case Operation::receive: return Nd2RequestTypeReceive;
        case Operation::bind: return Nd2RequestTypeBind;
        case Operation::invalidate: return Nd2RequestTypeInvalidate;
        case Operation::read: return Nd2RequestTypeRead;
        case Operation::write:
        case Operation::write_with_immediate: return Nd2RequestTypeWrite;
        default: return Nd2RequestTypeSend;
    }
});

void write(const Completion& completion, ND2_RESULT& result) {
    const auto& told = kTold[static_cast<std::size_t>(completion.operation)];
    result = {to_hresult(status_for_program(completion)), completion.length_bytes & told.counted,
              completion.queue_pair_context, completion.request_context, told.type};
}

constexpr auto kToldWithImmediate = tell<ND2_IMMEDIATE_REQUEST_TYPE>([](Operation operation) {
    switch (operation) {
        case Operation::receive: return Nd2ImmediateRequestTypeReceive;
        case Operation::bind: return Nd2ImmediateRequestTypeBind;
        case Operation::invalidate: return Nd2ImmediateRequestTypeInvalidate;
        case Operation::read: return Nd2ImmediateRequestTypeRead;
        case Operation::write:
        case Operation::write_with_immediate: return Nd2ImmediateRequestTypeWrite;
        default: return Nd2ImmediateRequestTypeSend;
    }
});

// ND2-IMM-RES-01.
void write(const Completion& completion, ND2_IMMEDIATE_RESULT& result) {
    const auto& told = kToldWithImmediate[static_cast<std::size_t>(completion.operation)];
    result = {to_hresult(status_for_program(completion)),
              completion.length_bytes & told.counted,
              completion.queue_pair_context,
              completion.request_context,
              told.type,
              completion.immediate()};
    if (has(completion.arrival, Arrival::of_write)) {
        result.RequestType = Nd2ImmediateRequestTypeReceiveWriteWithImmediate;
    } else if (has(completion.arrival, Arrival::with_immediate)) {
        result.RequestType = Nd2ImmediateRequestTypeReceiveWithImmediate;
    } else if (completion.invalidated != Token::none) {
        result.RequestType = Nd2ImmediateRequestTypeReceiveWithInvalidate;
        result.ImmediateDataOrRKey = value(completion.invalidated);
    }
}

}  // namespace

HRESULT Nd2CompletionQueue::QueryInterface(REFIID iid, LPVOID* object) noexcept {
    const HRESULT bad =
        check_immediate<IND2ImmediateCompletionQueue>({"completion queue", "QueryInterface"}, iid, core_->adapter());
    if (SUCCEEDED(bad)) return Nd2OverlappedObject::QueryInterface(iid, object);
    if (object != nullptr) *object = nullptr;
    return bad;
}

ULONG Nd2CompletionQueue::GetResults(ND2_RESULT results[], ULONG count) noexcept { return poll(results, count); }

ULONG Nd2CompletionQueue::GetImmediateResults(ND2_IMMEDIATE_RESULT results[], ULONG count) noexcept {
    return poll(results, count);
}

template <typename Result>
inline ULONG Nd2CompletionQueue::poll(Result results[], ULONG count) noexcept {
    if (results == nullptr) return 0;  // ND2-CQ-GET-02
    ULONG taken = 0;
    ULONG first_failed = kNone;
    Operation failed_operation{};
    while (taken < count) {
        Batch batch;
        const ULONG asked = std::min(count - taken, Batch::kCompletions);
        const auto got = static_cast<ULONG>(core_->poll(std::span(batch.completions, asked)));
        for (ULONG i = 0; i < got; ++i) {
            write(batch.completions[i], results[taken + i]);
            if (!ok(batch.completions[i].status) && first_failed == kNone) [[unlikely]] {
                first_failed = taken + i;
                failed_operation = batch.completions[i].operation;
            }
        }
        taken += got;
        if (got < asked) break;  // empty (ND2-CQ-GET-01)
    }
    if (first_failed != kNone) [[unlikely]]
        remember_result(results[first_failed].Status, "queue pair", name(failed_operation));
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
