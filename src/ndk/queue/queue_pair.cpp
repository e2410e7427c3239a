// SPDX-License-Identifier: MIT
// See queue_pair.h. The four posting functions are the data path: they allocate nothing and take no lock.
// queue_pair_creation.cpp makes a queue pair, queue_pair_memory.cpp has its requests on regions and windows.
#include "ndk/queue/queue_pair.h"

#include <algorithm>
#include <cstring>

#include "base/check_rule.h"
#include "ndk/call/request.h"
#include "ndk/object/adapter.h"

namespace opennd {
namespace {

[[gnu::cold]] NTSTATUS refuse_entries(const NdkCall& call, ULONG count, ULONG most) {
    return refuse(STATUS_DATA_OVERRUN, {.object = call.object,
                                        .operation = call.operation,
                                        .asked = phrase("{} scatter/gather entries", count),
                                        .limit = phrase("{}", most),
                                        .remedy = "create it with a larger maximum, or use fewer entries",
                                        .requirement = "NDK-QP-POST-03"});
}

}  // namespace

NTSTATUS NdkQueuePair::refuse_now(const NdkCall& call, CheckRule misuse) const {
    if (accepts(kRequests))
        return refuse(STATUS_INVALID_DEVICE_REQUEST, {.object = call.object,
                                                      .operation = call.operation,
                                                      .asked = "a Read",
                                                      .limit = "an outbound read limit of 0, as it was connected",
                                                      .remedy = "give both sides' read limits when connecting",
                                                      .requirement = "NDK-QP-READ-03",
                                                      .rule = CheckRule::read_limit});
    return refuse(STATUS_CONNECTION_INVALID, {.object = call.object,
                                              .operation = call.operation,
                                              .asked = "a request without a connection",
                                              .limit = "from the success of NdkCompleteConnect or NdkAccept to the end "
                                                       "of the connection",
                                              .remedy = "connect a queue pair first; a used one cannot be used again",
                                              .requirement = "NDK-QP-STATE-01",
                                              .rule = misuse});
}

NTSTATUS NdkQueuePair::refuse_shared(const NdkCall& call) {
    return refuse(STATUS_INVALID_DEVICE_REQUEST, {.object = call.object,
                                                  .operation = call.operation,
                                                  .asked = "a receive of a queue pair that shares them",
                                                  .limit = "receives come from its shared receive queue",
                                                  .remedy = "post to that with NdkSrqReceive",
                                                  .requirement = "NDK-QP-CREATE-06"});
}

[[gnu::always_inline]] inline NTSTATUS NdkQueuePair::hand_on(const NdkCall& call, const WorkRequest& request) {
    const Status status = core_->try_post(request);
    if (ok(status)) [[likely]]
        return STATUS_SUCCESS;
    return refuse_by_core(call, request, status);
}

NTSTATUS NdkQueuePair::refuse_by_core(const NdkCall& call, const WorkRequest& request, Status status) const {
    return at_kernel_face(call, [&]() -> NTSTATUS { return to_ntstatus(core_->refuse(request, status)); });
}

// Parameters are judged before the state (NDK-GEN-08).
[[gnu::always_inline]] inline NTSTATUS NdkQueuePair::post(const NdkCall& call, const WorkRequest& request,
                                                          const NDK_SGE sges[], ULONG count, ULONG most,
                                                          std::uint8_t needs) {
    if (count > most) [[unlikely]]
        return refuse_entries(call, count, most);
    if (needs != kNothing && !accepts(needs)) [[unlikely]]
        return refuse_now(call);
    const NdkSgeList list(sges, count);
    WorkRequest whole = request;  // only now, so that until here its parts are in registers
    whole.sges = list.entries(count);
    return hand_on(call, whole);
}

inline NTSTATUS NdkQueuePair::post_inline(const NdkCall& call, WorkRequest& request, const NDK_SGE sges[],
                                          ULONG count) {
    if (count != 1 || sges[0].Length > limits_.inline_bytes) [[unlikely]]
        return post_joined(call, request, sges, count);
    if (!accepts(kRequests)) [[unlikely]]
        return refuse_now(call);
    const Sge whole{static_cast<std::byte*>(sges[0].VirtualAddress), sges[0].Length, Token::none};
    request.sges = {&whole, 1};
    return hand_on(call, request);
}

// The bytes of an inline request are joined here, however many entries they are in (NDK-QP-FLAG-04).
[[gnu::cold]] NTSTATUS NdkQueuePair::post_joined(const NdkCall& call, WorkRequest& request, const NDK_SGE sges[],
                                                 ULONG count) {
    constexpr ULONG kMostEntries = 256;      // NDK-QP-FLAG-05
    constexpr std::size_t kMostBytes = 256;  // the adapter reports no more
    if (count > kMostEntries) return refuse_number(call, "inline entries", count, 0, kMostEntries, "NDK-QP-FLAG-05");
    std::byte joined[kMostBytes];
    std::uint64_t bytes = 0;
    const std::uint64_t room = std::min<std::uint64_t>(limits_.inline_bytes, kMostBytes);
    for (ULONG i = 0; i < count; ++i) {
        if (bytes + sges[i].Length <= room && sges[i].Length != 0)
            std::memcpy(joined + bytes, sges[i].VirtualAddress, sges[i].Length);
        bytes += sges[i].Length;
    }
    if (bytes > room)
        return refuse(STATUS_DATA_OVERRUN, {.object = call.object,
                                            .operation = call.operation,
                                            .asked = phrase("{} bytes inline", bytes),
                                            .limit = phrase("{} inline bytes, as it was created", room),
                                            .remedy = "create it with more, or post without NDK_OP_FLAG_INLINE",
                                            .requirement = "NDK-QP-POST-03"});
    if (!accepts(kRequests)) return refuse_now(call);
    const Sge whole{joined, static_cast<std::uint32_t>(bytes), Token::none};
    request.sges = {&whole, bytes != 0 ? 1u : 0u};
    return hand_on(call, request);
}

inline NTSTATUS NdkQueuePair::post_send(const NdkCall& call, WorkRequest& request, const NDK_SGE sges[], ULONG count,
                                        ULONG flags) {
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(call, "pSgl");
    if ((flags & ~kSendFlags) != 0) [[unlikely]]
        return refuse_flags(call, flags, kSendFlags, "NDK-QP-POST-04");
    if ((flags & NDK_OP_FLAG_INLINE) != 0) return post_inline(call, request, sges, count);
    return post(call, request, sges, count, limits_.initiator_sges, kRequests);
}

NTSTATUS NdkQueuePair::send(PVOID context, const NDK_SGE sges[], ULONG count, ULONG flags) {
    static constexpr NdkCall call{kObject, "NdkSend"};
    WorkRequest request{Operation::send, to_flags(flags), context, {}};
    return post_send(call, request, sges, count, flags);
}

NTSTATUS NdkQueuePair::send_and_invalidate(PVOID context, const NDK_SGE sges[], ULONG count, ULONG flags,
                                           UINT32 remote_token) {
    static constexpr NdkCall call{kObject, "NdkSendAndInvalidate"};
    WorkRequest request{Operation::send_and_invalidate, to_flags(flags), context, {}, 0, from_ndk_token(remote_token)};
    return post_send(call, request, sges, count, flags);
}

NTSTATUS NdkQueuePair::receive(PVOID context, const NDK_SGE sges[], ULONG count) {
    static constexpr NdkCall call{kObject, "NdkReceive"};
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(call, "pSgl");
    if (shared_) [[unlikely]]
        return refuse_shared(call);
    WorkRequest request{Operation::receive, RequestFlags::none, context, {}};
    return post(call, request, sges, count, limits_.receive_sges, kNothing);
}

NTSTATUS NdkQueuePair::read(PVOID context, const NDK_SGE sges[], ULONG count, UINT64 remote_address,
                            UINT32 remote_token, ULONG flags) {
    static constexpr NdkCall call{kObject, "NdkRead"};
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(call, "pSgl");
    if ((flags & ~kPlainFlags) != 0) [[unlikely]]
        return read_and_invalidate(call, context, sges, count, remote_address, remote_token, flags);
    const WorkRequest request{Operation::read, to_flags(flags & kPlainFlags), context, {},
                              remote_address,  from_ndk_token(remote_token)};
    return post(call, request, sges, count, read_sges_, kRequests | kReads);
}

// At least one flag is set that a plain Read does not have.
[[gnu::noinline]] NTSTATUS NdkQueuePair::read_and_invalidate(const NdkCall& call, PVOID context, const NDK_SGE sges[],
                                                             ULONG count, UINT64 remote_address, UINT32 remote_token,
                                                             ULONG flags) {
    if ((flags & ~kReadFlags) != 0) return refuse_flags(call, flags, kReadFlags, "NDK-QP-POST-04");
    if (count > read_sges_) return refuse_entries(call, count, read_sges_);
    if (!accepts(kRequests | kReads)) return refuse_now(call);
    const NdkSgeList list(sges, count);
    const WorkRequest request{Operation::read, to_flags(flags & kPlainFlags), context, list.entries(count),
                              remote_address,  from_ndk_token(remote_token)};
    return at_kernel_face(call, [&]() -> NTSTATUS { return to_ntstatus(core_->read_and_invalidate(request)); });
}

NTSTATUS NdkQueuePair::write(PVOID context, const NDK_SGE sges[], ULONG count, UINT64 remote_address,
                             UINT32 remote_token, ULONG flags) {
    static constexpr NdkCall call{kObject, "NdkWrite"};
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(call, "pSgl");
    if ((flags & ~kWriteFlags) != 0) [[unlikely]]
        return refuse_flags(call, flags, kWriteFlags, "NDK-QP-POST-04");
    WorkRequest request{Operation::write, to_flags(flags), context, {}, remote_address, from_ndk_token(remote_token)};
    if ((flags & NDK_OP_FLAG_INLINE) != 0) return post_inline(call, request, sges, count);
    return post(call, request, sges, count, limits_.initiator_sges, kRequests);
}

void NdkQueuePair::flush() {
    end_use();
    core_->flush();
    Use<QueuePairUser> connector;
    {
        const Held lock(mutex_);
        if (connector_) connector = Use(*connector_);
    }
    if (connector) connector->end_with_queue_pair();  // NDK-QP-FLUSH-02
}

void NdkQueuePair::begin_use(QueuePairUser& connector, bool reads) {
    const Held lock(mutex_);
    connector_ = &connector;
    accepts_.store(reads ? kRequests | kReads : kRequests, std::memory_order_relaxed);
}

void NdkQueuePair::forget_connector() {
    const Held lock(mutex_);
    connector_ = nullptr;
}

}  // namespace opennd
