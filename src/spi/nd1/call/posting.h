// SPDX-License-Identifier: MIT
// The first checks of every posting method of INDEndpoint: pointers, then flags (ND1-GEN-10).
#pragma once

#include <string_view>

#include "model/work_request.h"
#include "ndspi.h"
#include "spi/explanation.h"
#include "spi/nd1/call/status.h"

namespace opennd {

inline constexpr std::string_view kEndpoint = "endpoint";

// All flags that version 1 defines; a method ignores those that do not apply to it (ND1-GEN-09).
inline constexpr DWORD kDefinedNd1Flags = 0x1F;
inline constexpr DWORD kTransferFlags = ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE;
inline constexpr DWORD kSendFlags = kTransferFlags | ND_OP_FLAG_SEND_AND_SOLICIT_EVENT;

static_assert(DWORD(RequestFlags::silent_success) == ND_OP_FLAG_SILENT_SUCCESS);
static_assert(DWORD(RequestFlags::read_fence) == ND_OP_FLAG_READ_FENCE);
static_assert(DWORD(RequestFlags::solicit) == ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);

constexpr RequestFlags to_request_flags(DWORD flags, DWORD meant) { return static_cast<RequestFlags>(flags & meant); }

[[gnu::cold, gnu::noinline]] inline HRESULT refuse_null_result(Operation operation) noexcept {
    return refuse_nd1_null(ND_INVALID_PARAMETER_1, {kEndpoint, name(operation)}, "pResult");
}
[[gnu::cold, gnu::noinline]] inline HRESULT refuse_null_list(Operation operation) noexcept {
    return refuse_nd1_null(ND_INVALID_PARAMETER_2, {kEndpoint, name(operation)}, "pSgl");
}
[[gnu::cold, gnu::noinline]] inline HRESULT refuse_undefined_flags(Operation operation, DWORD flags,
                                                                   HRESULT bad_flags) noexcept {
    return refuse_flags(bad_flags, {kEndpoint, name(operation)}, flags, kDefinedNd1Flags, "ND1-GEN-09");
}

// What `post` returns, if the parameters are sound; `bad_flags` is the status for undefined flags.
template <typename Post>
[[gnu::always_inline]] inline HRESULT if_sound(Operation operation, const ND_RESULT* result, const ND_SGE* sges,
                                               SIZE_T count, DWORD flags, HRESULT bad_flags, Post&& post) noexcept {
    if (result == nullptr) [[unlikely]]
        return refuse_null_result(operation);
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null_list(operation);
    if ((flags & ~kDefinedNd1Flags) != 0) [[unlikely]]
        return refuse_undefined_flags(operation, flags, bad_flags);
    return post();
}

}  // namespace opennd
