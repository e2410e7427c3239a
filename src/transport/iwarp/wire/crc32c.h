// SPDX-License-Identifier: MIT
// The CRC of an FPDU: CRC-32C, as iSCSI and SCTP have it (RFC 5044 section 4.4; IW-MPA-21, IW-PERF-12, -13). Short pieces are
// computed by this processor's instruction where it has one, all others by the quicker of two more ways (crc_choice.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace opennd::iwarp {

// The ways to compute it. Each gives the same.
enum class CrcWay : std::uint8_t {
    library,      // ISA-L, which picks its own for the processor
    instruction,  // the processor's, without registers wider than needed
    folding,      // the processor's carry-less multiplication
};
// This processor has it.
bool has(CrcWay way);
// The quicker way for an FPDU of `bytes` octets, in as many pieces as it has.
CrcWay crc_way(std::size_t bytes);
// The longest FPDU for the instruction, and the way of longer ones, from now on in this process. A way that this processor lacks is the
// library's. Any thread.
void set_crc_ways(std::size_t instruction_bytes, CrcWay longer);
// Until then.
inline constexpr std::size_t kUsualInstructionBytes = 8192;
// The state behind `octets`, by a way that this processor has.
std::uint32_t extend_crc(CrcWay way, std::uint32_t state, std::span<const std::byte> octets);

class Crc32c {
public:
    // `bytes`: of all pieces together.
    explicit Crc32c(std::size_t bytes) : way_(crc_way(bytes)) {}

    void add(std::span<const std::byte> octets) { state_ = extend_crc(way_, state_, octets); }
    std::uint32_t value() const { return ~state_; }

private:
    const CrcWay way_;
    std::uint32_t state_ = 0xffffffff;
};

// On the wire the least significant octet comes first: the one number that is not big-endian.
std::uint32_t load_crc(const std::byte* from);
void store_crc(std::byte* to, std::uint32_t crc);

}  // namespace opennd::iwarp
