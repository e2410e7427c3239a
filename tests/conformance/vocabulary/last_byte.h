// SPDX-License-Identifier: MIT
// The end of memory that a peer fills.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace opennd::conformance {

// The byte before `end`, as a program polls it: by the aligned word it ends, where it ends one.
inline std::byte last_byte(std::byte* end) {
    if (reinterpret_cast<std::uintptr_t>(end) % sizeof(std::uint64_t) != 0) {
        auto* const byte = reinterpret_cast<unsigned char*>(end - 1);
        return std::byte{std::atomic_ref(*byte).load(std::memory_order_acquire)};
    }
    auto* const word = reinterpret_cast<std::uint64_t*>(end - sizeof(std::uint64_t));
    const std::uint64_t value = std::atomic_ref(*word).load(std::memory_order_acquire);
    std::byte bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    return bytes[sizeof value - 1];
}

}  // namespace opennd::conformance
