// SPDX-License-Identifier: MIT
// A work request as core takes it: tokens, entries and flags.
#pragma once

#include "model/access.h"
#include "model/sge.h"
#include "model/token.h"
#include "model/work_request.h"
#include "ndkpi.h"
#include "ndktypes.h"

namespace opennd {

// Tokens of this interface: the same keys as elsewhere, in host order (NDK-MR-TOK-02), where core has them as version 2
// hands them out, in network order. A consumer writes them little-endian into its messages, and a peer with RDMA hardware
// reads its rkey there.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the swaps below are for little-endian hosts");

inline UINT32 to_ndk_token(Token token) { return __builtin_bswap32(value(token)); }
inline Token from_ndk_token(UINT32 token) { return static_cast<Token>(__builtin_bswap32(token)); }

// The flags that each request may carry, and their meaning to core. A Read needs no right to its sink, so that RDMA_READ_SINK is
// ignored everywhere (NDK-QP-POST-04); DEFER is only a hint (NDK-QP-POST-11).
inline constexpr ULONG kPlainFlags =
    NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_RDMA_READ_SINK | NDK_OP_FLAG_DEFER;
inline constexpr ULONG kSendFlags = kPlainFlags | NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT | NDK_OP_FLAG_INLINE;
inline constexpr ULONG kWriteFlags = kPlainFlags | NDK_OP_FLAG_INLINE;
inline constexpr ULONG kReadFlags = kPlainFlags | NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE;
// The bit of remote writing alone; NDK_OP_FLAG_ALLOW_REMOTE_WRITE includes local writing.
inline constexpr ULONG kRemoteWriteFlag = NDK_OP_FLAG_ALLOW_REMOTE_WRITE & ~ULONG{NDK_OP_FLAG_ALLOW_LOCAL_WRITE};
inline constexpr ULONG kBindFlags = kPlainFlags | NDK_OP_FLAG_ALLOW_REMOTE_READ | NDK_OP_FLAG_ALLOW_REMOTE_WRITE;
inline constexpr ULONG kFastRegisterFlags = kBindFlags;

// Three flags have the same bits on both sides and one is three places higher.
static_assert(ULONG(RequestFlags::silent_success) == NDK_OP_FLAG_SILENT_SUCCESS);
static_assert(ULONG(RequestFlags::read_fence) == NDK_OP_FLAG_READ_FENCE);
static_assert(ULONG(RequestFlags::solicit) == NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT);
static_assert(ULONG(RequestFlags::inline_data) == NDK_OP_FLAG_INLINE >> 3);

constexpr RequestFlags to_flags(ULONG flags) {
    return static_cast<RequestFlags>((flags & 7) | ((flags & NDK_OP_FLAG_INLINE) >> 3));
}

constexpr Access window_access(ULONG flags) {
    const Access read = (flags & NDK_OP_FLAG_ALLOW_REMOTE_READ) != 0 ? Access::remote_read : Access::none;
    const Access write = (flags & kRemoteWriteFlag) != 0 ? Access::remote_write : Access::none;
    return read | write;
}

constexpr Access fast_register_access(ULONG flags) {
    // Remote write includes local write.
    const Access local = (flags & NDK_OP_FLAG_ALLOW_REMOTE_WRITE) != 0 ? Access::local_write : Access::none;
    return window_access(flags) | local;
}

// A logical address is an address of this process (NDK-LAM-05), so that both members of the union mean the same here.
inline Sge to_sge(const NDK_SGE& sge) {
    return {static_cast<std::byte*>(sge.VirtualAddress), sge.Length, from_ndk_token(sge.MemoryRegionToken)};
}

using NdkSgeList = SgeList<NDK_SGE, to_sge, 32>;

}  // namespace opennd
