// SPDX-License-Identifier: MIT
// The answer of INDAdapter::Query.
#pragma once

#include "core/adapter/adapter.h"
#include "ndspi.h"

namespace opennd {

ND_ADAPTER_INFO nd1_adapter_info(const Adapter& adapter);

}  // namespace opennd
