// SPDX-License-Identifier: MIT
// Statuses as the public headers spell them.
#pragma once

#include "ndtypes.h"

namespace opennd {

// "ND_CANCELED", or "unknown status". Static storage.
const char* status_name(HRESULT status) noexcept;

}  // namespace opennd
