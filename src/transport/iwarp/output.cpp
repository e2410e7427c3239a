// SPDX-License-Identifier: MIT
// Output: see output.h.
#include "transport/iwarp/output.h"

#include <cassert>
#include <cstring>

namespace opennd::iwarp {

Output::Output(Crc crc, Markers markers)
    : markers_(markers), framer_(crc, markers), buffer_(kSlabBytes), slab_(buffer_.get()) {}

std::size_t Output::most_bytes(std::size_t ulpdu_bytes, Markers markers) {
    const std::size_t bytes = fpdu_bytes(ulpdu_bytes);
    if (markers == Markers::none) return bytes;
    return bytes + kMarkerBytes * (bytes / (kMarkerSpacing - kMarkerBytes) + 2);
}

bool Output::has_room(std::size_t ulpdu_bytes) {
    const std::size_t wanted = most_bytes(ulpdu_bytes, markers_) + kReserve;
    if (kSlabBytes - end_ >= wanted) return true;
    if (kSlabBytes - (end_ - begin_) < wanted) return false;
    std::memmove(slab_, slab_ + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    return true;
}

void Output::put(std::span<const std::byte> ulpdu) {
    std::memcpy(ulpdu_place(), ulpdu.data(), ulpdu.size());
    frame(ulpdu.size());
}

void Output::put(std::span<const std::byte> header, soft::SgeCursor& payload, std::size_t payload_bytes) {
    std::memcpy(ulpdu_place(), header.data(), header.size());
    soft::gather(payload, ulpdu_place() + header.size(), payload_bytes);
    frame(header.size() + payload_bytes);
}

// The ULPDU lies at its place in an FPDU without markers. With markers its pieces move up to make room, the last first, so
// that none is overwritten before it has moved.
void Output::frame(std::size_t ulpdu_bytes) {
    const std::span<const std::byte> ulpdu(ulpdu_place(), ulpdu_bytes);
    framer_.frame({&ulpdu, 1}, fpdu_);
    assert(end_ + fpdu_.bytes() <= kSlabBytes);
    std::byte* to = slab_ + end_ + fpdu_.bytes();
    const auto pieces = fpdu_.pieces();
    for (std::size_t i = pieces.size(); i-- > 0;) {
        to -= pieces[i].size();
        if (to != pieces[i].data()) std::memmove(to, pieces[i].data(), pieces[i].size());
    }
    end_ += fpdu_.bytes();
    framed_ += fpdu_.bytes();
    ++fpdus_;
}

Status Output::flush(TcpSocket& socket) {
    while (begin_ != end_) {
        const auto taken = socket.send(unsent());
        blocked_ = !taken.ok();
        if (blocked_) return taken.status();
        begin_ += taken.value();
    }
    begin_ = end_ = 0;
    blocked_ = false;
    return Status::success;
}

}  // namespace opennd::iwarp
