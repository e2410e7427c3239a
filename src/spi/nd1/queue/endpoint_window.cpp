// SPDX-License-Identifier: MIT
// Nd1Endpoint, memory windows: Bind and Invalidate.
#include "base/check_rule.h"
#include "core/adapter/adapter.h"
#include "spi/nd1/call/posting.h"
#include "spi/nd1/call/status.h"
#include "spi/nd1/memory/memory_window.h"
#include "spi/nd1/queue/endpoint.h"

namespace opennd {
namespace {

Access window_access(DWORD flags) {
    const Access read = (flags & ND_OP_FLAG_ALLOW_READ) != 0 ? Access::remote_read : Access::none;
    const Access write = (flags & ND_OP_FLAG_ALLOW_WRITE) != 0 ? Access::remote_write : Access::none;
    return read | write;
}

Ref<MemoryWindow> window_of(INDMemoryWindow* window, const Adapter& adapter) {
    const Ref<Nd1MemoryWindow> face = own_object<Nd1MemoryWindow>(window);
    return face && &face->core()->adapter() == &adapter ? face->core() : nullptr;
}

HRESULT refuse_bind(HRESULT status, const Phrase& asked, const Phrase& limit, std::string_view requirement) {
    return explain(status, {.object = kEndpoint,
                            .operation = "Bind",
                            .asked = asked,
                            .limit = limit,
                            .remedy = "bind a part of the registration, for reading, writing or both",
                            .requirement = requirement});
}

// Which of the two ends lies outside (ND1-EP-BIND-04).
HRESULT check_range(const Registrations::Entry& entry, std::uintptr_t from, SIZE_T bytes) {
    const Phrase limit = phrase("the registration's {:#x}+{}", entry.start, entry.bytes);
    if (from < entry.start || from - entry.start >= entry.bytes)
        return refuse_bind(ND_INVALID_PARAMETER_4, phrase("a window from {:#x} on", from), limit, "ND1-EP-BIND-04");
    if (bytes > entry.bytes - (from - entry.start))
        return refuse_bind(ND_INVALID_PARAMETER_5, phrase("a window {:#x}+{}", from, bytes), limit, "ND1-EP-BIND-04");
    return ND_SUCCESS;
}

std::string_view bind_requirement(Status status) {
    return status == Status::queue_full || status == Status::not_connected ? "ND1-EP-BIND-07" : "ND1-EP-BIND-06";
}

}  // namespace

HRESULT Nd1Endpoint::Bind(ND_RESULT* result, ND_MR_HANDLE registration, INDMemoryWindow* window, const VOID* buffer,
                          SIZE_T bytes, DWORD flags, ND_MW_DESCRIPTOR* descriptor) noexcept {
    constexpr Site site{kEndpoint, "Bind"};
    return at_nd1_face([&]() -> HRESULT {
        const Adapter& adapter = core_->adapter();
        if (result == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_1, site, "pResult");
        if (registration == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_2, site, "hMr");
        const Ref<MemoryWindow> used = window_of(window, adapter);
        if (!used) return refuse_nd1_object(ND_INVALID_PARAMETER_3, site, "pMw", "memory window", "ND1-EP-BIND-03");
        if (buffer == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_4, site, "pBuffer");
        const SIZE_T most = adapter.limits().max_registration_bytes;
        if (bytes == 0 || bytes > most)
            return refuse_bind(ND_INVALID_PARAMETER_5, phrase("a window of {} bytes", bytes), phrase("1 to {}", most),
                               "ND1-EP-BIND-05");
        if ((flags & ~kDefinedNd1Flags) != 0)
            return refuse_flags(ND_INVALID_PARAMETER_6, site, flags, kDefinedNd1Flags, "ND1-GEN-09");
        const Access access = window_access(flags);
        if (access == Access::none)
            return refuse_bind(ND_INVALID_PARAMETER_6, phrase("a window that allows nothing, flags {:#x}", flags),
                               phrase("ND_OP_FLAG_ALLOW_READ or _WRITE, or both"), "ND1-EP-BIND-01");
        if (descriptor == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_7, site, "pMwDescriptor");
        if (!opens()) {
            const bool early = phase_.load(std::memory_order_acquire) == Phase::unconnected;
            return refuse_unconnected(site.operation, early ? CheckRule::bind_early : CheckRule::none);
        }

        const RequestFlags request_flags = to_request_flags(flags, kTransferFlags);
        const auto from = reinterpret_cast<std::uintptr_t>(buffer);
        const auto entry = registrations_->find(registration);
        if (entry)
            if (const HRESULT bad = check_range(*entry, from, bytes); FAILED(bad)) return bad;
        // A Bind that cannot succeed is accepted, and fails as a request (ND1-EP-BIND-02, -11).
        const bool possible = entry && (entry->writable || !any_of(access, Access::remote_write));
        auto* const address = const_cast<std::byte*>(static_cast<const std::byte*>(buffer));
        const Status status = in_words_of(site, bind_requirement, [&] {
            return possible ? core_->bind(*entry->region, *used, address, bytes, access, request_flags, result)
                            : core_->bind_nothing(request_flags, result);
        });
        if (!ok(status)) return to_nd1(status);
        write({from, bytes, possible ? used->remote_token() : Token::none}, *descriptor);
        return ND_SUCCESS;
    });
}

HRESULT Nd1Endpoint::Invalidate(ND_RESULT* result, INDMemoryWindow* window, DWORD flags) noexcept {
    constexpr Site site{kEndpoint, "Invalidate"};
    return at_nd1_face([&]() -> HRESULT {
        if (result == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_1, site, "pResult");
        const Ref<MemoryWindow> used = window_of(window, core_->adapter());
        if (!used) return refuse_nd1_object(ND_INVALID_PARAMETER_2, site, "pMw", "memory window", "ND1-EP-INV-01");
        if ((flags & ~kDefinedNd1Flags) != 0)
            return refuse_flags(ND_INVALID_PARAMETER_3, site, flags, kDefinedNd1Flags, "ND1-EP-INV-01");
        if (!opens()) return refuse_unconnected(site.operation);
        return to_nd1(in_words_of(site, "ND1-EP-INV-01", [&] {
            return core_->invalidate(*used, to_request_flags(flags, kTransferFlags), result);
        }));
    });
}

}  // namespace opennd
