// SPDX-License-Identifier: MIT
// The exception wall: the one place where an exception becomes a code. Every face method that can meet one runs its
// body in here; the data path does not throw and does without. It is also the last place that a failing call passes: one
// without an explanation so far is explained by its status (ND2-GEN-02).
#pragma once

#include <exception>
#include <new>

#include "base/explanation.h"
#include "ndstatus.h"
#include "spi/status_meaning.h"

namespace opennd {

// The result of `body`, an HRESULT; ND_NO_MEMORY or ND_INTERNAL_ERROR if it throws.
template <typename Body>
HRESULT at_face(Body&& body) noexcept {
    const std::uint64_t kept_before = failures_kept();
    try {
        const HRESULT status = body();
        if (FAILED(status) && failures_kept() == kept_before) [[unlikely]]
            explain_by_status(status);
        return status;
    } catch (const std::bad_alloc&) {
        return explain_by_status(ND_NO_MEMORY);
    } catch (const std::exception& unexpected) {
        return explain_exception(unexpected.what());
    } catch (...) {
        return explain_exception("an exception of an unknown type");
    }
}

}  // namespace opennd
