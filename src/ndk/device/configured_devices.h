// SPDX-License-Identifier: MIT
// Adapters beside those of the host's interfaces, as an administrator wants them (NDK-HOST-05).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/interface.h"
#include "opennd_ndk.h"

namespace opennd {

// Their indices count up from here, where no interface's ever is.
inline constexpr std::uint32_t kFirstConfiguredDevice = OPENND_NDK_FIRST_CONFIGURED;

// Reads "name=address,address;name=address", the value of OPENND_NDK_ADAPTERS. A misspelt entry is logged and left out, and
// keeps its index.
std::vector<Interface> read_configured_devices(std::string_view text);

// Each with those of its addresses that this host has at the moment, and up if it has any. Any thread.
std::vector<Interface> present_devices(const std::vector<Interface>& configured);

}  // namespace opennd
