// SPDX-License-Identifier: MIT
// The exception wall: the one place where an exception becomes a code. Every face method that can meet one runs its
// body in here; the data path does not throw and does without.
#pragma once

#include <exception>
#include <new>

#include "base/log.h"
#include "ndstatus.h"

namespace opennd {

// What `body` returns, an HRESULT; ND_NO_MEMORY or ND_INTERNAL_ERROR if it throws.
template <typename Body>
HRESULT at_face(Body&& body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return ND_NO_MEMORY;
    } catch (const std::exception& unexpected) {
        log_write(LogLevel::error, unexpected.what());
        return ND_INTERNAL_ERROR;
    } catch (...) {
        log_write(LogLevel::error, "an exception of an unknown type reached the interface");
        return ND_INTERNAL_ERROR;
    }
}

}  // namespace opennd
