// SPDX-License-Identifier: MIT
// Makes FPDUs out of ULPDUs (RFC 5044 section 4): length in front, pad and CRC behind, markers where the peer wants
// them. The payload stays where it is: an FPDU is a list of pieces for a gathered write, or for one copy into a slab.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/iwarp/wire/crc32c.h"
#include "transport/iwarp/wire/fpdu.h"

namespace opennd::iwarp {

// One FPDU, in pieces: its own octets, and the spans that MpaFramer::frame() was given. Made to be used again: the list
// of pieces keeps its room (IW-PERF-21).
class Fpdu {
public:
    Fpdu() = default;
    Fpdu(const Fpdu&) = delete;  // pieces point into the object
    Fpdu& operator=(const Fpdu&) = delete;

    // In order. Valid until the object frames something else.
    std::span<const std::span<const std::byte>> pieces() const { return pieces_; }
    std::size_t bytes() const { return bytes_; }

private:
    friend class MpaFramer;

    void clear();
    std::span<std::byte> own(std::size_t bytes);
    void append(std::span<const std::byte> piece);

    // Length, at most one marker for each spacing, pad and CRC.
    static constexpr std::size_t kMaxMarkers = fpdu_bytes(kMaxUlpdu) / (kMarkerSpacing - kMarkerBytes) + 2;
    static constexpr std::size_t kMaxOwnBytes = kLengthBytes + 3 + kCrcBytes + kMaxMarkers * kMarkerBytes;

    std::array<std::byte, kMaxOwnBytes> own_;
    std::size_t own_bytes_ = 0;
    std::size_t bytes_ = 0;
    std::vector<std::span<const std::byte>> pieces_;
};

// The sending half of a stream. FPDUs leave in the order in which they were framed, whole.
class MpaFramer {
public:
    MpaFramer(Crc crc, Markers markers) : crc_(crc), markers_(markers) {}

    // `ulpdu`: its header and payload, in any number of spans, together at most kMaxUlpdu octets. With CRC on, they
    // must not change until the last of them has been given to TCP (IW-MPA-22).
    void frame(std::span<const std::span<const std::byte>> ulpdu, Fpdu& fpdu);

private:
    struct Progress {
        Fpdu& fpdu;
        std::size_t since_start = 0;  // octets from the first one of ULPDU_Length, markers included (IW-MPA-23)
        Crc32c crc;
    };
    void put(Progress& progress, std::span<const std::byte> octets);
    void put_marker(Progress& progress);
    void add(Progress& progress, std::span<const std::byte> octets);

    const Crc crc_;
    const Markers markers_;
    // Octets of the stream since the last marker's place, below kMarkerSpacing; 0: a marker is due (IW-MPA-24).
    std::size_t position_ = 0;
};

}  // namespace opennd::iwarp
