// SPDX-License-Identifier: MIT
// Nd1Endpoint: see endpoint.h. Bind and Invalidate are in endpoint_window.cpp.
#include "spi/nd1/queue/endpoint.h"

#include <algorithm>

#include "base/check_rule.h"
#include "core/adapter/adapter.h"
#include "spi/nd1/call/posting.h"
#include "spi/nd1/call/sge.h"
#include "spi/nd1/call/status.h"
#include "spi/nd1/memory/memory_window.h"

namespace opennd {
namespace {

// Whether a list has a byte to transfer: an address may be NULL if it has none (ND1-EP-READ-07). A list of more than
// `most` entries is refused for their number, and not read.
bool has_bytes(const ND_SGE* sges, SIZE_T count, SIZE_T most) {
    return count <= most && std::any_of(sges, sges + count, [](const ND_SGE& sge) { return sge.Length != 0; });
}

// ND1-EP-INL-05: a handle is missing where nothing can be inline.
[[gnu::cold]] HRESULT refuse_inline(Operation operation) {
    return explain(ND_INVALID_PARAMETER_2, {.object = kEndpoint,
                                            .operation = name(operation),
                                            .asked = "an entry without a registration handle",
                                            .limit = "registered memory; only data to send can be inline",
                                            .remedy = "pass the handle of RegisterMemory",
                                            .requirement = "ND1-EP-INL-05"});
}

// ND1-EP-READ-03: a request that the descriptor itself rules out is refused at the call.
[[gnu::cold]] HRESULT refuse_beyond_window(Operation operation, const ND_MW_DESCRIPTOR& descriptor,
                                           std::uint64_t offset, std::uint64_t bytes) {
    return explain(ND_REMOTE_ERROR, {.object = kEndpoint,
                                     .operation = name(operation),
                                     .asked = phrase("{} bytes from offset {}", bytes, offset),
                                     .limit = phrase("the window's {} bytes", parse(descriptor).length),
                                     .remedy = "stay within the Length of the descriptor",
                                     .requirement = "ND1-EP-READ-03"});
}

}  // namespace

Nd1Endpoint::OneEntry Nd1Endpoint::of_one_entry(std::uint32_t sges, std::uint64_t bytes, std::uint64_t inline_bytes) {
    return sges == 0 ? OneEntry{0, 0} : OneEntry{bytes + 1, inline_bytes};
}

Nd1Endpoint::Nd1Endpoint(Ref<QueuePair> core, const Limits& limits, Ref<Registrations> registrations)
    : core_(std::move(core)),
      limits_(limits),
      max_transfer_bytes_(core_->adapter().limits().max_transfer_bytes),
      inbound_one_(of_one_entry(limits.inbound_sges, max_transfer_bytes_, 0)),
      outbound_one_(of_one_entry(limits.outbound_sges, max_transfer_bytes_, core_->limits().inline_bytes)),
      registrations_(std::move(registrations)) {}

void Nd1Endpoint::open() {
    const bool reads = outbound_reads_.load(std::memory_order_relaxed) != 0;
    Phase expected = Phase::unconnected;
    phase_.compare_exchange_strong(expected, reads ? Phase::open : Phase::open_but_for_reads,
                                   std::memory_order_acq_rel);
}

// The passive side may have the peer's first message before Accept completes, and answer it (ND1-CN-ACC-03, -09).
[[gnu::cold]] bool Nd1Endpoint::opened_by_message() {
    if (phase_.load(std::memory_order_acquire) == Phase::unconnected && core_->heard()) open();
    return is_open();
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

HRESULT Nd1Endpoint::refuse_by_core(Operation operation, Status status) const {
    if (status != Status::queue_full) return refuse_unconnected(name(operation));
    const bool receive = operation == Operation::receive;
    const QueuePairLimits& limits = core_->limits();
    return refuse_nd1_limit(ND_NO_MORE_ENTRIES, {kEndpoint, name(operation)}, "one more request than results taken, of",
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

// The last check of a request, and the way to core. A posting call ends with its refusal. So the way to core saves no registers for
// parameters that only a refusal would use.
template <Operation operation>
inline HRESULT Nd1Endpoint::submit(ND_RESULT* result, RequestFlags flags, std::span<const Sge> sges,
                                   std::uint64_t bytes, const ND_MW_DESCRIPTOR& descriptor,
                                   std::uint64_t offset) noexcept {
    constexpr bool one_sided = operation == Operation::read || operation == Operation::write;
    const WindowDescriptor window = parse(descriptor);
    if (one_sided && !window.covers(offset, bytes) && bytes != 0) [[unlikely]]
        return refuse_beyond_window(operation, descriptor, offset, bytes);
    const std::uint64_t address = one_sided ? window.base + offset : 0;
    const WorkRequest request{operation, flags, result, sges, address, window.token};
    const Status status = core_->submit(request);
    if (ok(status)) [[likely]]
        return ND_SUCCESS;
    return refuse_by_core(operation, status);
}

// The checks of any list, in their order (ND1-GEN-10).
template <Operation operation>
HRESULT Nd1Endpoint::post_list(ND_RESULT* result, RequestFlags flags, const ND_SGE* sges, SIZE_T count,
                               const ND_MW_DESCRIPTOR& descriptor, std::uint64_t offset) noexcept {
    constexpr bool receive = operation == Operation::receive;
    const std::uint32_t most = receive ? limits_.inbound_sges : limits_.outbound_sges;
    if (count > most) [[unlikely]]
        return refuse_entries(operation, count, most);
    Nd1SgeList list;
    const Nd1SgeBytes bytes = fill(list, sges, count, max_transfer_bytes_);
    if (bytes.total > max_transfer_bytes_) [[unlikely]]
        return refuse_bytes(operation, bytes.total);
    if (bytes.without_handle != 0) {
        if (receive || operation == Operation::read) [[unlikely]]
            return refuse_inline(operation);
        if (bytes.without_handle > core_->limits().inline_bytes) [[unlikely]]
            return refuse_inline_bytes(operation, bytes.without_handle);
        flags =
            flags | (bytes.without_handle == bytes.total ? RequestFlags::inline_data : RequestFlags::inline_entries);
    }
    return submit<operation>(result, flags, list.entries(count), bytes.total, descriptor, offset);
}

// From the entry count on. The usual list has one entry, within all limits, and needs one comparison with them.
template <Operation operation>
inline HRESULT Nd1Endpoint::post(ND_RESULT* result, RequestFlags flags, const ND_SGE* sges, SIZE_T count,
                                 const ND_MW_DESCRIPTOR& descriptor, std::uint64_t offset) noexcept {
    constexpr bool receive = operation == Operation::receive;
    constexpr bool sends = !receive && operation != Operation::read;
    const OneEntry& one = receive ? inbound_one_ : outbound_one_;
    if (count != 1) [[unlikely]]
        return post_list<operation>(result, flags, sges, count, descriptor, offset);
    const ND_SGE& entry = sges[0];
    if (sends && entry.hMr == nullptr) {
        if (entry.Length - 1 >= one.inline_bytes) [[unlikely]]
            return post_list<operation>(result, flags, sges, 1, descriptor, offset);
        flags = flags | RequestFlags::inline_data;
    } else if (!names_memory(entry.hMr) || entry.Length >= one.bytes_below) [[unlikely]] {
        return post_list<operation>(result, flags, sges, 1, descriptor, offset);
    }
    const Sge sge = to_sge(entry);
    return submit<operation>(result, flags, {&sge, 1}, entry.Length, descriptor, offset);
}

HRESULT Nd1Endpoint::Send(ND_RESULT* result, const ND_SGE* sges, SIZE_T count, DWORD flags) noexcept {
    return if_sound(Operation::send, result, sges, count, flags, ND_INVALID_PARAMETER_4, [&]() -> HRESULT {
        if (!opens()) [[unlikely]]
            return refuse_unconnected("Send");
        return post<Operation::send>(result, to_request_flags(flags, kSendFlags), sges, count);
    });
}

HRESULT Nd1Endpoint::SendAndInvalidate(ND_RESULT* result, const ND_SGE* sges, SIZE_T count,
                                       const ND_MW_DESCRIPTOR* descriptor, DWORD flags) noexcept {
    constexpr Operation operation = Operation::send_and_invalidate;
    if (descriptor == nullptr && result != nullptr)
        return refuse_nd1_null(ND_INVALID_PARAMETER_4, {kEndpoint, name(operation)}, "pRemoteMwDescriptor");
    return if_sound(operation, result, sges, count, flags, ND_INVALID_PARAMETER_5, [&]() -> HRESULT {
        if (!opens()) return refuse_unconnected(name(operation));
        return post<operation>(result, to_request_flags(flags, kSendFlags), sges, count, *descriptor);
    });
}

HRESULT Nd1Endpoint::Receive(ND_RESULT* result, const ND_SGE* sges, SIZE_T count) noexcept {
    return if_sound(Operation::receive, result, sges, count, 0, ND_SUCCESS,
                    [&] { return post<Operation::receive>(result, RequestFlags::none, sges, count); });
}

// A Read or Write without a descriptor, or on an endpoint that is not known to be open for it.
template <Operation operation>
HRESULT Nd1Endpoint::rare_transfer(ND_RESULT* result, const ND_SGE* sges, SIZE_T count,
                                   const ND_MW_DESCRIPTOR* descriptor, ULONGLONG offset, DWORD flags) noexcept {
    static constexpr ND_MW_DESCRIPTOR kNoWindow{};
    if (descriptor == nullptr && has_bytes(sges, count, limits_.outbound_sges))
        return refuse_nd1_null(ND_INVALID_PARAMETER_4, {kEndpoint, name(operation)}, "pRemoteMwDescriptor");
    if (!opens()) return refuse_unconnected(name(operation));
    if (operation == Operation::read && phase_.load(std::memory_order_acquire) == Phase::open_but_for_reads)
        return refuse_nd1_limit(ND_INVALID_REQUEST, {kEndpoint, name(operation)}, "Reads in progress:", 1, 0,
                                "ND1-EP-READ-10", {}, CheckRule::read_limit);
    return post_list<operation>(result, to_request_flags(flags, kTransferFlags), sges, count,
                                descriptor ? *descriptor : kNoWindow, offset);
}

template <Operation operation>
inline HRESULT Nd1Endpoint::transfer(ND_RESULT* result, const ND_SGE* sges, SIZE_T count,
                                     const ND_MW_DESCRIPTOR* descriptor, ULONGLONG offset, DWORD flags) noexcept {
    return if_sound(operation, result, sges, count, flags, ND_INVALID_PARAMETER_6, [&] {
        if (descriptor == nullptr || !is_open_for(operation)) [[unlikely]]
            return rare_transfer<operation>(result, sges, count, descriptor, offset, flags);
        return post<operation>(result, to_request_flags(flags, kTransferFlags), sges, count, *descriptor, offset);
    });
}

HRESULT Nd1Endpoint::Read(ND_RESULT* result, const ND_SGE* sges, SIZE_T count, const ND_MW_DESCRIPTOR* descriptor,
                          ULONGLONG offset, DWORD flags) noexcept {
    return transfer<Operation::read>(result, sges, count, descriptor, offset, flags);
}

HRESULT Nd1Endpoint::Write(ND_RESULT* result, const ND_SGE* sges, SIZE_T count, const ND_MW_DESCRIPTOR* descriptor,
                           ULONGLONG offset, DWORD flags) noexcept {
    return transfer<Operation::write>(result, sges, count, descriptor, offset, flags);
}

HRESULT Nd1Endpoint::Flush() noexcept {
    return at_face([this] { return core_->flush(), ND_SUCCESS; });
}

}  // namespace opennd
