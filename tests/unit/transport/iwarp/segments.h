// SPDX-License-Identifier: MIT
// Segments written and read in a test's own words.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <span>

#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/read_request.h"
#include "vectors/iwarp_frames.h"

namespace opennd::iwarp {

using vectors::Octets;

// For failure messages: layer, type, code.
inline void PrintTo(const TerminateCause& cause, std::ostream* out) {
    *out << static_cast<int>(cause.layer) << '/' << static_cast<int>(cause.type) << '/' << std::hex
         << static_cast<int>(cause.code) << std::dec;
}

// TERM 1/2/05 as the specification writes it.
constexpr TerminateCause term(int layer, int type, int code) {
    return {static_cast<Layer>(layer), static_cast<std::uint8_t>(type), static_cast<std::uint8_t>(code)};
}

inline Octets copy(std::span<const std::byte> octets) { return {octets.begin(), octets.end()}; }
inline bool same(std::span<const std::byte> a, std::span<const std::byte> b) { return std::ranges::equal(a, b); }

inline Octets joined(std::initializer_list<std::span<const std::byte>> parts) {
    Octets all;
    for (const auto part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

// The ULPDU inside an FPDU of the vectors.
inline Octets ulpdu_of(const vectors::Frame& frame) {
    const Octets fpdu = vectors::octets(frame.hex);
    const auto bytes = std::to_integer<std::size_t>(fpdu[0]) << 8 | std::to_integer<std::size_t>(fpdu[1]);
    return {fpdu.begin() + 2, fpdu.begin() + 2 + static_cast<std::ptrdiff_t>(bytes)};
}

struct Untagged {
    std::uint32_t msn = 1;
    std::uint32_t offset = 0;
    bool last = true;
    Opcode opcode = Opcode::send;
    Stag invalidate{};
    Queue queue = Queue::sends;
};

inline Octets untagged_ulpdu(const Untagged& header, std::size_t payload_bytes) {
    Octets ulpdu(UntaggedHeader::kBytes + payload_bytes);
    UntaggedHeader{header.invalidate, header.queue, header.msn, header.offset}.store(
        std::span(ulpdu).first<UntaggedHeader::kBytes>(), header.opcode, header.last);
    return ulpdu;
}

inline Octets tagged_ulpdu(Opcode opcode, const TaggedHeader& header, std::size_t payload_bytes, bool last = true) {
    Octets ulpdu(TaggedHeader::kBytes + payload_bytes);
    header.store(std::span(ulpdu).first<TaggedHeader::kBytes>(), opcode, last);
    return ulpdu;
}

// `ulpdu` outlives the segment.
inline Segment segment_of(const Octets& ulpdu) {
    const Checked<Segment> segment = Segment::load(ulpdu);
    if (!segment.ok()) ADD_FAILURE() << std::string_view(describe(segment.fault()));
    return segment.value();
}

template <typename T>
TerminateCause cause_of(const Checked<T>& refused) {
    EXPECT_FALSE(refused.ok());
    return refused.ok() ? TerminateCause{} : cause(refused.fault());
}

}  // namespace opennd::iwarp
