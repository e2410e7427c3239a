// SPDX-License-Identifier: MIT
// ND2_ADAPTER_INFO of an adapter.
#pragma once

#include "core/adapter/adapter.h"
#include "ndspi.h"

namespace opennd {

ND2_ADAPTER_INFO adapter_info(const Adapter& adapter);

}  // namespace opennd
