// SPDX-License-Identifier: MIT
// The handle of registered memory, which is its local token (registrations.h).
#pragma once

#include <cstdint>

#include "model/token.h"
#include "ndspi.h"

namespace opennd {

inline ND_MR_HANDLE to_handle(Token token) {
    return reinterpret_cast<ND_MR_HANDLE>(static_cast<std::uintptr_t>(value(token)));
}
// Whether a handle may name memory: it is not NULL, and has no more than 32 bits. (2^32 passes as well: its token is Token::none.)
inline bool names_memory(ND_MR_HANDLE handle) { return (reinterpret_cast<std::uintptr_t>(handle) - 1) >> 32 == 0; }
// Token::none for a value that is no handle: it names no memory either.
inline Token to_token(ND_MR_HANDLE handle) {
    return names_memory(handle) ? static_cast<Token>(reinterpret_cast<std::uintptr_t>(handle)) : Token::none;
}

}  // namespace opennd
