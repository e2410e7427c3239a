// SPDX-License-Identifier: MIT
// Numbers of the faces as the public headers spell them, also those that no Status has.
#pragma once

#include <cstdint>

namespace opennd {

// The name of an HRESULT: "ND_CANCELED", or "unknown status". Static storage.
const char* status_name(std::int32_t status) noexcept;
// The name of an NTSTATUS of NDK: "STATUS_CANCELLED", or "". Static storage.
const char* ndk_status_name(std::int32_t status) noexcept;

}  // namespace opennd
