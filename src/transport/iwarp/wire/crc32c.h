// SPDX-License-Identifier: MIT
// The CRC of an FPDU: CRC-32C, as iSCSI and SCTP have it (RFC 5044 section 4.4; IW-MPA-21, IW-PERF-12). Computed by
// ISA-L, which picks the instructions of this processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace opennd::iwarp {

class Crc32c {
public:
    void add(std::span<const std::byte> octets);
    std::uint32_t value() const { return ~state_; }

private:
    std::uint32_t state_ = 0xffffffff;
};

// On the wire the least significant octet comes first: the one number that is not big-endian.
std::uint32_t load_crc(const std::byte* from);
void store_crc(std::byte* to, std::uint32_t crc);

}  // namespace opennd::iwarp
