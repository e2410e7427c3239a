// SPDX-License-Identifier: MIT
// Adapters beside those of the host's interfaces, as an administrator wants them (NDK-HOST-05).
#pragma once

#include <cstdint>
#include <vector>

#include "model/interface.h"
#include "opennd_ndk.h"

namespace opennd {

// Their indices count up from here, where no interface's ever is.
inline constexpr std::uint32_t kFirstConfiguredDevice = OPENND_NDK_FIRST_CONFIGURED;

// Read anew each time from OPENND_NDK_ADAPTERS, "name=address,address;name=address". Each adapter has those of its
// addresses that this host has at the moment, and is up if it has any. A misspelt entry is logged and left out, and
// keeps its index. Any thread.
std::vector<Interface> configured_devices();

}  // namespace opennd
