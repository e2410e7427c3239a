// SPDX-License-Identifier: MIT
// The answer of NdkQueryAdapterInfo, in one place: the checks of creating functions read it too.
#pragma once

#include "base/published_sizes.h"
#include "model/adapter_abilities.h"
#include "model/limits.h"
#include "ndkinfo.h"

namespace opennd {

// Pages are of this size in this interface, on every host (NDK-LAM-06).
inline constexpr ULONG kNdkPageBytes = 4096;

// Until version 2.0, and since then with RdmaTechnology.
using NdkAdapterInfoSizes = PublishedSizes<NDK_ADAPTER_INFO, 96, 104>;

NDK_ADAPTER_INFO adapter_info(const AdapterLimits& limits, const AdapterTraits& traits, NDK_VERSION version);

}  // namespace opennd
