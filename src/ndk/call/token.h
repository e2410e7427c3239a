// SPDX-License-Identifier: MIT
// Tokens of this interface: the same keys as elsewhere, in host order (NDK-MR-TOK-02), where core has them as version 2
// hands them out, in network order. A consumer writes them little-endian into its messages, and a peer with RDMA hardware
// reads its rkey there.
#pragma once

#include "model/token.h"
#include "ndktypes.h"

namespace opennd {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the swaps below are for little-endian hosts");

inline UINT32 to_ndk_token(Token token) { return __builtin_bswap32(value(token)); }
inline Token from_ndk_token(UINT32 token) { return static_cast<Token>(__builtin_bswap32(token)); }

}  // namespace opennd
