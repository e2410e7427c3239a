// SPDX-License-Identifier: MIT
// ND2_ADAPTER_INFO of an adapter (spec nd2 section 2.9).
#pragma once

#include "core/adapter.h"
#include "ndspi.h"

namespace opennd {

ND2_ADAPTER_INFO adapter_info(const Adapter& adapter);

}  // namespace opennd
