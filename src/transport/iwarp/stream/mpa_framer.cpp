// SPDX-License-Identifier: MIT
// MpaFramer: see mpa_framer.h.
#include "transport/iwarp/stream/mpa_framer.h"

#include <algorithm>
#include <cassert>

#include "base/until_memory.h"
#include "transport/iwarp/wire/big_endian.h"

namespace opennd::iwarp {

void Fpdu::clear() {
    pieces_.clear();
    own_bytes_ = 0;
    bytes_ = 0;
}

std::span<std::byte> Fpdu::own(std::size_t bytes) {
    assert(own_bytes_ + bytes <= own_.size());
    const std::span<std::byte> room = std::span(own_).subspan(own_bytes_, bytes);
    std::fill(room.begin(), room.end(), std::byte{});
    own_bytes_ += bytes;
    return room;
}

// Neighbours in own_ become one piece.
void Fpdu::append(std::span<const std::byte> piece) {
    bytes_ += piece.size();
    if (!pieces_.empty() && pieces_.back().data() + pieces_.back().size() == piece.data())
        pieces_.back() = {pieces_.back().data(), pieces_.back().size() + piece.size()};
    else
        until_memory([&] { pieces_.push_back(piece); });
}

void MpaFramer::frame(std::span<const std::span<const std::byte>> ulpdu, Fpdu& fpdu) {
    std::size_t bytes = 0;
    for (const auto part : ulpdu) bytes += part.size();
    assert(bytes <= kMaxUlpdu);
    fpdu.clear();
    Progress progress{fpdu, 0, Crc32c(bytes)};
    // A marker between two FPDUs belongs to the second, stands before its length and points nowhere (IW-MPA-25).
    if (markers_ == Markers::inserted && position_ == 0) put_marker(progress);
    progress.since_start = 0;

    const std::span<std::byte> length = fpdu.own(kLengthBytes);
    store_big_endian(length.data(), static_cast<std::uint16_t>(bytes));
    put(progress, length);
    for (const auto part : ulpdu) put(progress, part);
    put(progress, fpdu.own(pad_bytes(bytes)));

    // A marker between pad and CRC still belongs to this FPDU (IW-MPA-26).
    if (markers_ == Markers::inserted && position_ == 0) put_marker(progress);
    const std::span<std::byte> crc = fpdu.own(kCrcBytes);
    if (crc_ == Crc::on) store_crc(crc.data(), progress.crc.value());
    fpdu.append(crc);
    position_ = (position_ + kCrcBytes) % kMarkerSpacing;
}

// With markers, as many pieces as there are between them.
void MpaFramer::put(Progress& progress, std::span<const std::byte> octets) {
    while (!octets.empty()) {
        if (markers_ == Markers::inserted && position_ == 0) put_marker(progress);
        const std::size_t room = markers_ == Markers::inserted ? kMarkerSpacing - position_ : octets.size();
        const auto part = octets.first(std::min(room, octets.size()));
        add(progress, part);
        octets = octets.subspan(part.size());
    }
}

void MpaFramer::put_marker(Progress& progress) {
    const std::span<std::byte> marker = progress.fpdu.own(kMarkerBytes);
    store_big_endian(&marker[2], static_cast<std::uint16_t>(progress.since_start));
    add(progress, marker);
}

void MpaFramer::add(Progress& progress, std::span<const std::byte> octets) {
    if (crc_ == Crc::on) progress.crc.add(octets);
    progress.fpdu.append(octets);
    progress.since_start += octets.size();
    position_ = (position_ + octets.size()) % kMarkerSpacing;
}

}  // namespace opennd::iwarp
