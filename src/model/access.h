// SPDX-License-Identifier: MIT
// What a token allows. Local reading is always allowed (ND2-MR-REG-02).
#pragma once

#include <cstdint>

namespace opennd {

enum class Access : std::uint32_t {
    none = 0,
    local_write = 1,
    remote_read = 2,
    remote_write = 4,
    read_sink = 8,  // local memory that an RDMA Read may fill, though Receives may not (ND2-MR-REG-03)
};

constexpr Access operator|(Access a, Access b) {
    return static_cast<Access>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool any_of(Access rights, Access wanted) {
    return (static_cast<std::uint32_t>(rights) & static_cast<std::uint32_t>(wanted)) != 0;
}

}  // namespace opennd
