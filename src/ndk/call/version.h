// SPDX-License-Identifier: MIT
// The version that an open gets.
#pragma once

#include <optional>

#include "ndkinfo.h"

namespace opennd {

inline constexpr NDK_VERSION kHighestVersion{2, 1};

// The highest minor version of the requested major one; nothing if there is none, or the requested minor is higher.
constexpr std::optional<NDK_VERSION> negotiate(NDK_VERSION wanted) {
    if (wanted.Major != 1 && wanted.Major != 2) return std::nullopt;
    const NDK_VERSION highest{wanted.Major, static_cast<USHORT>(wanted.Major == 1 ? 2 : 1)};
    if (wanted.Minor > highest.Minor) return std::nullopt;
    return highest;
}

// From 2.1 on results and disconnect events bring the provider's codes.
constexpr bool brings_codes(NDK_VERSION version) { return version.Major == 2; }

}  // namespace opennd
