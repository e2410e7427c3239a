// SPDX-License-Identifier: MIT
// CRC-32C by operations that not every processor has. Each class gives the state behind `bytes` octets, and only if it exists(),
// which asks the processor: the caller keeps the answer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd::iwarp {

// The instruction for it: crc32 of SSE 4.2 with PCLMULQDQ, or crc32c of ARMv8. For short pieces: nothing is looked up, and no wide
// register is used.
class CrcInstruction {
public:
    static bool exists();
    static std::uint32_t extend(std::uint32_t state, const std::byte* octets, std::size_t bytes);
};

// Carry-less multiplication folds a long piece until a few octets are left, for which the instruction does: PCLMULQDQ, VPCLMULQDQ in
// registers of 256 bits, or PMULL of ARMv8. For long pieces, where the library has nothing quicker for the processor.
class CrcFolding {
public:
    static bool exists();
    static std::uint32_t extend(std::uint32_t state, const std::byte* octets, std::size_t bytes);
};

}  // namespace opennd::iwarp
