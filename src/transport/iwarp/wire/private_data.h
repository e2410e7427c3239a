// SPDX-License-Identifier: MIT
// The program's private data of Connect, Accept or Reject, in a buffer of its own and bounded (IW-SEC-16).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <span>

namespace opennd::iwarp {

class PrivateData {
public:
    static constexpr std::size_t kMaxBytes = 512;

    PrivateData() = default;
    // At most kMaxBytes; the caller has checked.
    explicit PrivateData(std::span<const std::byte> octets) : size_(octets.size()) {
        assert(octets.size() <= kMaxBytes);
        std::copy(octets.begin(), octets.end(), octets_.begin());
    }

    std::span<const std::byte> octets() const { return std::span(octets_).first(size_); }

private:
    std::array<std::byte, kMaxBytes> octets_;
    std::size_t size_ = 0;
};

}  // namespace opennd::iwarp
