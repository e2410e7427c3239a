// SPDX-License-Identifier: MIT
// The settings of NDK adapters are read at each opening, so that two adapters of one process can have different limits.
#pragma once

#include "ndk/device/settings.h"

namespace opennd {

// The settings of NDK adapters as the environment has them at this call. A bad value is logged, and its default holds. Any
// thread.
NdkSettings ndk_settings_now();

}  // namespace opennd
