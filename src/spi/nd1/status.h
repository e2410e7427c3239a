// SPDX-License-Identifier: MIT
// From Status to the numbers of version 1, and the refusals that only version 1 has. Read spi/explanation.h first.
#pragma once

#include <string_view>

#include "base/status.h"
#include "ndspi.h"
#include "spi/explanation.h"

namespace opennd {

HRESULT failure_to_nd1(Status status);

inline HRESULT to_nd1(Status status) { return ok(status) ? ND_SUCCESS : failure_to_nd1(status); }

// Core has refused and said why, in the terms of version 2: gives back the number of version 1, and makes that and the
// requirement of version 1 those of the thread's last failure.
[[gnu::cold]] HRESULT nd1_refusal(Status status, std::string_view requirement) noexcept;
inline HRESULT nd1_outcome(Status status, std::string_view requirement) noexcept {
    return ok(status) ? ND_SUCCESS : nd1_refusal(status, requirement);
}

// A failed result is handed to the program: as remember_result() of spi/status_meaning.h.
[[gnu::cold]] void remember_nd1_result(HRESULT status, std::string_view object, std::string_view operation) noexcept;

// A parameter that must not be NULL is (ND1-GEN-06).
[[gnu::cold]] HRESULT refuse_nd1_null(HRESULT status, const Site& site, std::string_view parameter) noexcept;
// An interface argument is not what it must be (ND1-GEN-08).
[[gnu::cold]] HRESULT refuse_nd1_object(HRESULT status, const Site& site, std::string_view parameter,
                                        std::string_view kind, std::string_view requirement = "ND1-GEN-08") noexcept;
// A number is above what the adapter, or the object, can.
[[gnu::cold]] HRESULT refuse_nd1_limit(HRESULT status, const Site& site, std::string_view what, SIZE_T asked,
                                       SIZE_T limit, std::string_view requirement) noexcept;

}  // namespace opennd
