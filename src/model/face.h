// SPDX-License-Identifier: MIT
// The interfaces that programs see, which share everything below them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opennd {

// Version 1, version 2, NDKPI.
enum class Face : std::uint8_t { nd1, nd2, ndk };
inline constexpr std::array<Face, 3> kFaces{Face::nd1, Face::nd2, Face::ndk};

// "nd2", as `nd perf --api` takes it.
constexpr std::string_view name(Face face) {
    constexpr std::array<std::string_view, kFaces.size()> names{"nd1", "nd2", "ndk"};
    return names[static_cast<std::size_t>(face)];
}

}  // namespace opennd
