// SPDX-License-Identifier: MIT
// The statuses of version 2: from Status to HRESULT, and what they mean without particulars.
#pragma once

#include <string_view>

#include "base/explanation.h"
#include "base/phrase.h"
#include "base/status_names.h"
#include "base/status_table.h"
#include "model/address.h"
#include "ndtypes.h"

namespace opennd {

inline HRESULT to_hresult(Status status) {
    if (ok(status)) [[likely]]
        return ND_SUCCESS;
    return row_of(status).nd2;
}

// Number and name of the face's status for it, for explanations.
inline FaceStatus face_status(Status status) { return {to_hresult(status), status_name(to_hresult(status))}; }

// Explanations by status alone: for results that are fetched after the failure was reported on another thread, and for
// failing calls with a cause outside OpenND. spi/explanation.h has explanations with particulars.
// A call fails without an explanation so far. Returns `status`.
[[gnu::cold]] HRESULT explain_by_status(HRESULT status) noexcept;
// The same for ND_INTERNAL_ERROR out of an exception. Gives that back.
[[gnu::cold]] HRESULT explain_exception(const char* what) noexcept;

// A failed result is handed to the program: the thread's last failure becomes its status and operation. Not logged again.
// `asked`: empty: the result of the operation.
[[gnu::cold]] void remember_result(HRESULT status, std::string_view object, std::string_view operation,
                                   std::string_view asked = {}) noexcept;
// A failed result as above, with the `meaning` of `status` in the interface's version.
[[gnu::cold]] void remember_result(HRESULT status, const StatusMeaning& meaning, std::string_view object,
                                   std::string_view operation, std::string_view asked) noexcept;
// "a connection between 127.0.0.1:49152 and 127.0.0.1:7174"; "a connection" if there is no memory for more.
Phrase connection_text(const Address& local, const Address& peer) noexcept;

}  // namespace opennd
