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
// Token::none for a value that is no handle: it names no memory either.
inline Token to_token(ND_MR_HANDLE handle) {
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    return number <= UINT32_MAX ? static_cast<Token>(number) : Token::none;
}

}  // namespace opennd
