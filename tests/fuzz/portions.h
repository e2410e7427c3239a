// SPDX-License-Identifier: MIT
// Octets of a stream in portions; one number sets their lengths: 0 is all at once, 1 octet by octet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace opennd::fuzz {

class Portions {
public:
    Portions(std::span<const std::byte> octets, std::uint8_t choice) : left_(octets), choice_(choice), state_(choice) {}

    bool over() const { return left_.empty(); }
    std::span<const std::byte> next() {
        const auto portion = left_.first(std::min(left_.size(), length()));
        left_ = left_.subspan(portion.size());
        return portion;
    }

private:
    std::size_t length() {
        if (choice_ < 2) return choice_ == 0 ? left_.size() : 1;
        state_ = state_ * 1664525 + 1013904223;
        return 1 + (state_ >> 16) % (choice_ * 2u);
    }

    std::span<const std::byte> left_;
    const std::uint8_t choice_;
    std::uint32_t state_;
};

}  // namespace opennd::fuzz
