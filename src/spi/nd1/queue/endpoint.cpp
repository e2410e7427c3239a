// SPDX-License-Identifier: MIT
// Nd1Endpoint: see endpoint.h. Bind and Invalidate are in endpoint_window.cpp.
#include "spi/nd1/queue/endpoint.h"

#include <algorithm>

#include "base/check_rule.h"
#include "core/adapter/adapter.h"
#include "spi/nd1/call/posting.h"
#include "spi/nd1/call/sge.h"
#include "spi/nd1/call/status.h"
#include "spi/nd1/memory/descriptor.h"

namespace opennd {
namespace {

// Whether a list has a byte to transfer: an address may be NULL if it has none (ND1-EP-READ-07). A list of more than
// `most` entries is refused for their number, and not read.
bool has_bytes(const ND_SGE* sges, SIZE_T count, SIZE_T most) {
    return count <= most && std::any_of(sges, sges + count, [](const ND_SGE& sge) { return sge.Length != 0; });
}

constexpr auto kNothingElse = [](std::uint64_t) -> HRESULT { return ND_SUCCESS; };

// ND1-EP-INL-05: a handle is missing where nothing can be inline.
[[gnu::cold]] HRESULT refuse_inline(std::string_view operation) {
    return explain(ND_INVALID_PARAMETER_2, {.object = kEndpoint,
                                            .operation = operation,
                                            .asked = "an entry without a registration handle",
                                            .limit = "registered memory; only data to send can be inline",
                                            .remedy = "pass the handle of RegisterMemory",
                                            .requirement = "ND1-EP-INL-05"});
}

// ND1-EP-READ-03: a request that the descriptor itself rules out is refused at the call.
[[gnu::cold]] HRESULT refuse_beyond_window(std::string_view operation, WindowDescriptor window, std::uint64_t offset,
                                           std::uint64_t bytes) {
    return explain(ND_REMOTE_ERROR, {.object = kEndpoint,
                                     .operation = operation,
                                     .asked = phrase("{} bytes from offset {}", bytes, offset),
                                     .limit = phrase("the window's {} bytes", window.length),
                                     .remedy = "stay within the Length of the descriptor",
                                     .requirement = "ND1-EP-READ-03"});
}

}  // namespace

Nd1Endpoint::Nd1Endpoint(Ref<QueuePair> core, const Limits& limits, Ref<Registrations> registrations)
    : core_(std::move(core)),
      limits_(limits),
      max_transfer_bytes_(core_->adapter().limits().max_transfer_bytes),
      registrations_(std::move(registrations)) {}

void Nd1Endpoint::open() {
    Phase expected = Phase::unconnected;
    phase_.compare_exchange_strong(expected, Phase::open, std::memory_order_acq_rel);
}

// The passive side may have the peer's first message before Accept completes, and answer it (ND1-CN-ACC-03, -09).
[[gnu::cold]] bool Nd1Endpoint::opened_by_message() {
    if (phase_.load(std::memory_order_acquire) == Phase::unconnected && core_->heard()) open();
    return phase_.load(std::memory_order_acquire) == Phase::open;
}

HRESULT Nd1Endpoint::refuse_unconnected(std::string_view operation, CheckRule misuse) const {
    return explain(ND_CONNECTION_INVALID, {.object = kEndpoint,
                                           .operation = operation,
                                           .asked = "a request without a connection",
                                           .limit = "from the completion of CompleteConnect or Accept to Disconnect",
                                           .remedy = "wait for that completion",
                                           .requirement = "ND1-EP-GEN-01",
                                           .rule = misuse});
}

HRESULT Nd1Endpoint::refuse_by_core(const WorkRequest& request, Status status) const {
    if (status != Status::queue_full) return refuse_unconnected(name(request.operation));
    const bool receive = request.operation == Operation::receive;
    const QueuePairLimits& limits = core_->limits();
    return refuse_nd1_limit(ND_NO_MORE_ENTRIES, {kEndpoint, name(request.operation)},
                            "one more request than results taken, of",
                            SIZE_T{receive ? limits.receive_depth : limits.initiator_depth} + 1,
                            receive ? limits.receive_depth : limits.initiator_depth, "ND1-EP-GEN-02");
}

HRESULT Nd1Endpoint::refuse_entries(Operation operation, SIZE_T count, std::uint32_t most) const {
    return refuse_nd1_limit(ND_DATA_OVERRUN, {kEndpoint, name(operation)}, "scatter/gather entries:", count, most,
                            "ND1-EP-GEN-04", imposer_of_sges(operation == Operation::receive, most));
}

HRESULT Nd1Endpoint::refuse_bytes(Operation operation, std::uint64_t bytes) const {
    return refuse_nd1_limit(ND_BUFFER_OVERFLOW, {kEndpoint, name(operation)}, "bytes, or more:", bytes,
                            max_transfer_bytes_, "ND1-EP-GEN-05",
                            core_->adapter().imposer(&AdapterLimits::max_transfer_bytes, max_transfer_bytes_));
}

HRESULT Nd1Endpoint::refuse_inline_bytes(Operation operation, std::uint64_t bytes) const {
    const std::uint32_t most = core_->limits().inline_bytes;
    return refuse_nd1_limit(ND_BUFFER_OVERFLOW, {kEndpoint, name(operation)}, "inline bytes:", bytes, most,
                            "ND1-EP-INL-03", core_->adapter().imposer(&AdapterLimits::max_inline_bytes, most));
}

std::string_view Nd1Endpoint::imposer_of_sges(bool of_receives, std::uint32_t most) const {
    const Adapter& adapter = core_->adapter();
    if (of_receives) return adapter.imposer(&AdapterLimits::max_receive_sges, most);
    const bool reads_take_fewer = adapter.limits().max_read_sges < adapter.limits().max_initiator_sges;
    return adapter.imposer(reads_take_fewer ? &AdapterLimits::max_read_sges : &AdapterLimits::max_initiator_sges, most);
}

// The checks that all transfers share, from the entry count on; `check` gets the total (ND1-GEN-10).
template <typename Check>
inline HRESULT Nd1Endpoint::post(WorkRequest& request, const ND_SGE* sges, SIZE_T count, Check&& check) noexcept {
    const bool receive = request.operation == Operation::receive;
    const std::uint32_t most = receive ? limits_.inbound_sges : limits_.outbound_sges;
    if (count > most) [[unlikely]]
        return refuse_entries(request.operation, count, most);
    Nd1SgeList list;
    const Nd1SgeBytes bytes = fill(list, sges, count, max_transfer_bytes_);
    if (bytes.total > max_transfer_bytes_) [[unlikely]]
        return refuse_bytes(request.operation, bytes.total);
    if (bytes.without_handle != 0) {
        if (receive || request.operation == Operation::read) [[unlikely]]
            return refuse_inline(name(request.operation));
        if (bytes.without_handle > core_->limits().inline_bytes) [[unlikely]]
            return refuse_inline_bytes(request.operation, bytes.without_handle);
        request.flags = request.flags | (bytes.without_handle == bytes.total ? RequestFlags::inline_data
                                                                             : RequestFlags::inline_entries);
    }
    if (const HRESULT bad = check(bytes.total); FAILED(bad)) [[unlikely]]
        return bad;
    request.sges = list.entries(count);
    const Status status = core_->submit(request);
    if (ok(status)) [[likely]]
        return ND_SUCCESS;
    return refuse_by_core(request, status);
}

HRESULT Nd1Endpoint::Send(ND_RESULT* result, const ND_SGE* sges, SIZE_T count, DWORD flags) noexcept {
    if (const HRESULT bad = check_posting(Operation::send, result, sges, count, flags, ND_INVALID_PARAMETER_4);
        FAILED(bad))
        return bad;
    if (!is_open()) [[unlikely]]
        return refuse_unconnected("Send");
    WorkRequest request{Operation::send, to_request_flags(flags, kSendFlags), result, {}};
    return post(request, sges, count, kNothingElse);
}

HRESULT Nd1Endpoint::SendAndInvalidate(ND_RESULT* result, const ND_SGE* sges, SIZE_T count,
                                       const ND_MW_DESCRIPTOR* descriptor, DWORD flags) noexcept {
    constexpr std::string_view operation = "SendAndInvalidate";
    if (descriptor == nullptr && result != nullptr)
        return refuse_nd1_null(ND_INVALID_PARAMETER_4, {kEndpoint, operation}, "pRemoteMwDescriptor");
    if (const HRESULT bad =
            check_posting(Operation::send_and_invalidate, result, sges, count, flags, ND_INVALID_PARAMETER_5);
        FAILED(bad))
        return bad;
    if (!is_open()) return refuse_unconnected(operation);
    WorkRequest request{Operation::send_and_invalidate, to_request_flags(flags, kSendFlags), result, {}};
    request.remote_token = parse(*descriptor).token;
    return post(request, sges, count, kNothingElse);
}

HRESULT Nd1Endpoint::Receive(ND_RESULT* result, const ND_SGE* sges, SIZE_T count) noexcept {
    if (const HRESULT bad = check_posting(Operation::receive, result, sges, count, 0, ND_SUCCESS); FAILED(bad))
        return bad;
    WorkRequest request{Operation::receive, RequestFlags::none, result, {}};
    return post(request, sges, count, kNothingElse);
}

HRESULT Nd1Endpoint::Read(ND_RESULT* result, const ND_SGE* sges, SIZE_T count, const ND_MW_DESCRIPTOR* descriptor,
                          ULONGLONG offset, DWORD flags) noexcept {
    if (const HRESULT bad = check_posting(Operation::read, result, sges, count, flags, ND_INVALID_PARAMETER_6);
        FAILED(bad))
        return bad;
    if (descriptor == nullptr && has_bytes(sges, count, limits_.outbound_sges)) [[unlikely]]
        return refuse_nd1_null(ND_INVALID_PARAMETER_4, {kEndpoint, "Read"}, "pRemoteMwDescriptor");
    if (!is_open()) [[unlikely]]
        return refuse_unconnected("Read");
    if (outbound_reads_.load(std::memory_order_relaxed) == 0) [[unlikely]]
        return refuse_nd1_limit(ND_INVALID_REQUEST, {kEndpoint, "Read"}, "Reads in progress:", 1, 0, "ND1-EP-READ-10",
                                {}, CheckRule::read_limit);
    const WindowDescriptor window = descriptor ? parse(*descriptor) : WindowDescriptor{};
    WorkRequest request{Operation::read, to_request_flags(flags, kTransferFlags), result, {}, window.base + offset,
                        window.token};
    return post(request, sges, count, [&](std::uint64_t bytes) -> HRESULT {
        if (bytes == 0 || window.covers(offset, bytes)) [[likely]]
            return ND_SUCCESS;
        return refuse_beyond_window("Read", window, offset, bytes);
    });
}

HRESULT Nd1Endpoint::Write(ND_RESULT* result, const ND_SGE* sges, SIZE_T count, const ND_MW_DESCRIPTOR* descriptor,
                           ULONGLONG offset, DWORD flags) noexcept {
    if (const HRESULT bad = check_posting(Operation::write, result, sges, count, flags, ND_INVALID_PARAMETER_6);
        FAILED(bad))
        return bad;
    if (descriptor == nullptr && has_bytes(sges, count, limits_.outbound_sges)) [[unlikely]]
        return refuse_nd1_null(ND_INVALID_PARAMETER_4, {kEndpoint, "Write"}, "pRemoteMwDescriptor");
    if (!is_open()) [[unlikely]]
        return refuse_unconnected("Write");
    const WindowDescriptor window = descriptor ? parse(*descriptor) : WindowDescriptor{};
    WorkRequest request{Operation::write, to_request_flags(flags, kTransferFlags), result, {}, window.base + offset,
                        window.token};
    return post(request, sges, count, [&](std::uint64_t bytes) -> HRESULT {
        if (bytes == 0 || window.covers(offset, bytes)) [[likely]]
            return ND_SUCCESS;
        return refuse_beyond_window("Write", window, offset, bytes);
    });
}

HRESULT Nd1Endpoint::Flush() noexcept {
    return at_face([this] { return core_->flush(), ND_SUCCESS; });
}

}  // namespace opennd
