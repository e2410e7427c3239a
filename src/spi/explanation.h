// SPDX-License-Identifier: MIT
// explain() for the faces, whose refusals may have numbers that no Status has (ND_INVALID_PARAMETER_5, E_POINTER), and the
// refusals that many methods share. Read base/explanation.h first. `object` and `operation` are as there.
#pragma once

#include <string_view>

#include "base/explanation.h"
#include "ndspi.h"

namespace opennd {

// Gives back `status`, so that a refusal is one statement.
[[gnu::cold]] HRESULT explain(HRESULT status, const Explanation& explanation) noexcept;

// The method of a face that refuses.
struct Site {
    std::string_view object;
    std::string_view operation;
};

// A required pointer is NULL (ND2-GEN-04). E_POINTER for output interfaces, otherwise as the method says.
[[gnu::cold]] HRESULT refuse_null(HRESULT status, const Site& site, std::string_view argument) noexcept;
// `bytes` of private data are at NULL. ND_ACCESS_VIOLATION.
[[gnu::cold]] HRESULT refuse_null_data(const Site& site, SIZE_T bytes, std::string_view requirement) noexcept;

// The object does not have this interface (ND2-COM-03). E_NOINTERFACE.
[[gnu::cold]] HRESULT refuse_interface(const Site& site, REFIID iid) noexcept;
// An object argument is null or of another kind (ND2-GEN-06); `kind` is the expected kind: "completion queue".
[[gnu::cold]] HRESULT refuse_object(HRESULT status, const Site& site, std::string_view argument,
                                    std::string_view kind) noexcept;
// A handle is no open `kind`. ND_INVALID_HANDLE.
[[gnu::cold]] HRESULT refuse_handle(const Site& site, HANDLE handle, std::string_view kind,
                                    std::string_view requirement) noexcept;
[[gnu::cold]] HRESULT refuse_flags(HRESULT status, const Site& site, ULONG flags, ULONG defined,
                                   std::string_view requirement) noexcept;
// An output buffer is too small; its size has been given back. ND_BUFFER_OVERFLOW. A call without a buffer asks for the
// size: that becomes the thread's last failure, without a report.
[[gnu::cold]] HRESULT refuse_room(const Site& site, SIZE_T given_bytes, SIZE_T needed_bytes,
                                  std::string_view requirement) noexcept;
// No socket address that Network Direct knows. ND_INVALID_ADDRESS.
[[gnu::cold]] HRESULT refuse_address(const Site& site, const sockaddr* address, SIZE_T bytes) noexcept;

}  // namespace opennd
