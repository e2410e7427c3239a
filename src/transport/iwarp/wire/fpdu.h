// SPDX-License-Identifier: MIT
// The sizes of an FPDU: ULPDU_Length, ULPDU, pad, CRC, perhaps markers (RFC 5044 section 4). mpa_framer.h and mpa_deframer.h
// in ../stream make and read FPDUs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace opennd::iwarp {

inline constexpr std::size_t kLengthBytes = 2;  // ULPDU_Length, which counts the ULPDU alone (IW-MPA-16)
inline constexpr std::size_t kCrcBytes = 4;
inline constexpr std::size_t kMaxUlpdu = 65535;   // accepted; one deployed peer sends more than it should (IW-MPA-20)
inline constexpr std::size_t kMaxMulpdu = 64768;  // sent (IW-MPA-19, -20)
inline constexpr std::size_t kMinMulpdu = 128;
inline constexpr std::size_t kMarkerBytes = 4;
inline constexpr std::size_t kMarkerSpacing = 512;  // from the start of one marker to that of the next (IW-MPA-27)

// RFC 5044 section 5: a sender inserts markers exactly if the peer's frame had M=1 (IW-MPA-08). OpenND never sets M, so
// that nothing here removes them: an FPDU with markers has a wrong CRC (IW-MPA-28, IW-NEG-47).
enum class Markers : std::uint8_t { none, inserted };
enum class Crc : std::uint8_t { off, on };

// Octets of zero between ULPDU and CRC (IW-MPA-17).
constexpr std::size_t pad_bytes(std::size_t ulpdu_bytes) { return (4 - (kLengthBytes + ulpdu_bytes) % 4) % 4; }

// The octets of an FPDU, which has no markers; a multiple of 4 (IW-MPA-18).
constexpr std::size_t fpdu_bytes(std::size_t ulpdu_bytes) {
    return kLengthBytes + ulpdu_bytes + pad_bytes(ulpdu_bytes) + kCrcBytes;
}

// The largest ULPDU with an FPDU that fits one TCP segment of `emss` octets of payload (IW-MPA-19).
constexpr std::size_t mulpdu(std::size_t emss, Markers markers) {
    const std::size_t in_markers =
        markers == Markers::none ? 0 : kMarkerBytes * ((emss + kMarkerSpacing - 1) / kMarkerSpacing);
    const std::size_t overhead = kLengthBytes + kCrcBytes + in_markers + emss % 4;
    return std::clamp(emss - std::min(emss, overhead), kMinMulpdu, kMaxMulpdu);
}

}  // namespace opennd::iwarp
