// SPDX-License-Identifier: MIT
// CRC-32C by the processor's instruction for it: crc32 of SSE 4.2 with PCLMULQDQ, or crc32c of ARMv8. For short pieces: nothing
// is looked up, and no wide register is used.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd::iwarp {

class CrcInstruction {
public:
    // This processor has it. Asks the processor: the caller keeps the answer.
    static bool exists();
    // The state behind `bytes` octets. Only if it exists().
    static std::uint32_t extend(std::uint32_t state, const std::byte* octets, std::size_t bytes);
};

}  // namespace opennd::iwarp
