// SPDX-License-Identifier: MIT
// Settings that are read anew each time.
#pragma once

#include "ndk/device/settings.h"

namespace opennd {

// Of the NDK adapters that are opened or asked for now. Any thread.
NdkSettings ndk_settings_now();

}  // namespace opennd
