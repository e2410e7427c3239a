// SPDX-License-Identifier: MIT
// The answer of INDAdapter::Query.
#pragma once

#include "base/published_sizes.h"
#include "core/adapter/adapter.h"
#include "ndspi.h"

namespace opennd {

// ND1-AD-QRY-02, -06
using Nd1AdapterInfoSizes = PublishedSizes<ND_ADAPTER_INFO, 128>;

ND_ADAPTER_INFO nd1_adapter_info(const Adapter& adapter);

}  // namespace opennd
