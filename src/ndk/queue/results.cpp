// SPDX-License-Identifier: MIT
// NdkGetCqResults and its Ex form: the data path of NDK_CQ. See completion_queue.h.
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "ndk/call/refusal.h"
#include "ndk/call/request.h"
#include "ndk/object/adapter.h"
#include "ndk/queue/completion_queue.h"

namespace opennd {
namespace {

// Room on the stack for completions; not initialised, since only entries that poll() wrote are read.
union Batch {
    static constexpr ULONG kCompletions = 16;
    Batch() {}
    Completion completions[kCompletions];
};

constexpr NDK_OPERATION_TYPE type_of(Operation operation) {
    switch (operation) {
        case Operation::receive: return NdkOperationTypeReceive;
        case Operation::send:
        case Operation::send_and_invalidate: return NdkOperationTypeSend;  // NDK-QP-SINV-02
        case Operation::fast_register: return NdkOperationTypeFastRegister;
        case Operation::bind: return NdkOperationTypeBind;
        case Operation::invalidate:
        case Operation::remote_invalidation: return NdkOperationTypeInvalidate;
        case Operation::read: return NdkOperationTypeRead;
        case Operation::write: return NdkOperationTypeWrite;
        case Operation::send_with_immediate:
        case Operation::write_with_immediate: break;  // NDKPI has none
    }
    return NdkOperationTypeReceive;
}

// The same as a table, which costs a load where the switch is a jump.
constexpr auto kTypes = [] {
    std::array<NDK_OPERATION_TYPE, std::size_t(Operation::fast_register) + 1> types{};
    for (std::size_t i = 0; i < types.size(); ++i) types[i] = type_of(static_cast<Operation>(i));
    return types;
}();

NDK_OPERATION_TYPE type_of(const Completion& completion) {
    if (completion.invalidated != Token::none) [[unlikely]]
        return NdkOperationTypeReceiveAndInvalidate;  // NDK-CQ-POLL-06
    return kTypes[static_cast<std::size_t>(completion.operation)];
}

// NDK-CQ-POLL-04.
ULONG bytes_of(const Completion& completion) {
    return completion.operation == Operation::receive ? completion.length_bytes : 0;
}

void write(const Completion& completion, bool, NDK_RESULT& result) {
    result = {to_ntstatus(completion.status), bytes_of(completion), completion.queue_pair_context,
              completion.request_context};
}

void write(const Completion& completion, bool with_code, NDK_RESULT_EX& result) {
    result = {to_ntstatus(completion.status),
              bytes_of(completion),
              completion.queue_pair_context,
              completion.request_context,
              type_of(completion),
              with_code ? completion.provider_code() : 0,  // NDK-QP-COMP-04
              to_ndk_token(completion.invalidated)};
}

template <typename Result>
ULONG poll(CompletionQueue& core, bool with_codes, Result results[], ULONG count) {
    ULONG taken = 0;
    while (taken < count) {
        Batch batch;
        const ULONG asked = std::min(count - taken, Batch::kCompletions);
        const auto got = static_cast<ULONG>(core.poll(std::span(batch.completions, asked)));
        for (ULONG i = 0; i < got; ++i) write(batch.completions[i], with_codes, results[taken + i]);
        taken += got;
        if (got < asked) break;  // empty
    }
    return taken;
}

}  // namespace

ULONG NdkCompletionQueue::get_results(NDK_RESULT results[], ULONG count) {
    return poll(*core_, with_codes_, results, count);
}
ULONG NdkCompletionQueue::get_results(NDK_RESULT_EX results[], ULONG count) {
    return poll(*core_, with_codes_, results, count);
}

}  // namespace opennd
