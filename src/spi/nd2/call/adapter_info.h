// SPDX-License-Identifier: MIT
// ND2_ADAPTER_INFO of an adapter.
#pragma once

#include "base/published_sizes.h"
#include "core/adapter/adapter.h"
#include "ndspi.h"

namespace opennd {

// ND2-ADP-QUERY-03
using AdapterInfoSizes = PublishedSizes<ND2_ADAPTER_INFO, 96>;

ND2_ADAPTER_INFO adapter_info(const Adapter& adapter);
ND2_ADAPTER_INFO adapter_info(const AdapterLimits& limits, const AdapterTraits& traits, UINT64 id);

}  // namespace opennd
