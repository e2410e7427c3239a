// SPDX-License-Identifier: MIT
// Output: see output.h.
#include "transport/iwarp/output.h"

#include <cassert>
#include <cstring>

#include "transport/iwarp/wire/big_endian.h"
#include "transport/iwarp/wire/crc32c.h"

namespace opennd::iwarp {
namespace {

// Octets that are copied before their CRC is computed.
constexpr std::size_t kCopiedBytes = 4096;

}  // namespace

Output::Output(Crc crc, Markers markers, SocketBuffers& buffers)
    : crc_(crc),
      markers_(markers),
      framer_(crc, markers),
      fpdu_(markers == Markers::none ? nullptr : std::make_unique<Fpdu>()),
      slab_(buffers) {}

std::size_t Output::most_bytes(std::size_t ulpdu_bytes, Markers markers) {
    const std::size_t bytes = fpdu_bytes(ulpdu_bytes);
    if (markers == Markers::none) return bytes;
    return bytes + kMarkerBytes * (bytes / (kMarkerSpacing - kMarkerBytes) + 2);
}

bool Output::has_room(std::size_t ulpdu_bytes) {
    if (!slab_.borrow()) [[unlikely]]
        return false;
    const std::size_t wanted = most_bytes(ulpdu_bytes, markers_) + kReserve;
    if (kSlabBytes - end_ >= wanted) return true;
    if (kSlabBytes - (end_ - begin_) < wanted) return false;
    std::memmove(slab_.get(), slab_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    return true;
}

void Output::put(std::span<const std::byte> ulpdu) {
    soft::SgeCursor nothing({});
    if (markers_ == Markers::none) {
        (void)put_unmarked(ulpdu, nothing, 0);
        return;
    }
    std::memcpy(ulpdu_place(), ulpdu.data(), ulpdu.size());
    frame(ulpdu.size());
}

bool Output::put(std::span<const std::byte> header, soft::SgeCursor& payload, std::size_t payload_bytes) {
    if (markers_ == Markers::none) [[likely]]
        return put_unmarked(header, payload, payload_bytes);
    std::memcpy(ulpdu_place(), header.data(), header.size());
    if (!soft::gather(payload, ulpdu_place() + header.size(), payload_bytes)) return false;
    frame(header.size() + payload_bytes);
    return true;
}

// The CRC follows the copy while that is in the processor's nearest cache. Of the header it is computed from the caller's octets,
// which no longer wait for their own small stores.
bool Output::put_unmarked(std::span<const std::byte> header, soft::SgeCursor& payload, std::size_t payload_bytes) {
    const std::size_t ulpdu_bytes = header.size() + payload_bytes, pad = pad_bytes(ulpdu_bytes);
    std::byte* const start = slab_.get() + end_;
    assert(end_ + fpdu_bytes(ulpdu_bytes) <= kSlabBytes);
    store_big_endian(start, static_cast<std::uint16_t>(ulpdu_bytes));
    std::memcpy(start + kLengthBytes, header.data(), header.size());
    Crc32c crc(kLengthBytes + ulpdu_bytes + pad);
    if (crc_ == Crc::on) {
        crc.add({start, kLengthBytes});
        crc.add(header);
    }
    std::byte* at = start + kLengthBytes + header.size();
    for (std::size_t left = payload_bytes; left > kCopiedBytes; at += kCopiedBytes, left -= kCopiedBytes) {
        if (!soft::gather(payload, at, kCopiedBytes)) [[unlikely]]
            return false;
        if (crc_ == Crc::on) crc.add({at, kCopiedBytes});
    }
    std::byte* const end = start + kLengthBytes + ulpdu_bytes;
    if (!soft::gather(payload, at, static_cast<std::size_t>(end - at))) [[unlikely]]
        return false;
    std::memset(end, 0, pad + kCrcBytes);
    if (crc_ == Crc::on) {
        crc.add({at, end + pad});
        store_crc(end + pad, crc.value());
    }
    add(fpdu_bytes(ulpdu_bytes));
    return true;
}

void Output::add(std::size_t fpdu_bytes) {
    end_ += fpdu_bytes;
    framed_ += fpdu_bytes;
    ++fpdus_;
}

// With markers the pieces of the ULPDU, which lies as if there were none, move up to make room, the last first, so that none is
// overwritten before it has moved.
void Output::frame(std::size_t ulpdu_bytes) {
    const std::span<const std::byte> ulpdu(ulpdu_place(), ulpdu_bytes);
    framer_.frame({&ulpdu, 1}, *fpdu_);
    assert(end_ + fpdu_->bytes() <= kSlabBytes);
    std::byte* to = slab_.get() + end_ + fpdu_->bytes();
    const auto pieces = fpdu_->pieces();
    for (std::size_t i = pieces.size(); i-- > 0;) {
        to -= pieces[i].size();
        if (to != pieces[i].data()) std::memmove(to, pieces[i].data(), pieces[i].size());
    }
    add(fpdu_->bytes());
}

Status Output::flush(TcpSocket& socket) {
    while (begin_ != end_) {
        const auto taken = socket.send(unsent());
        blocked_ = !taken.ok();
        if (blocked_) return taken.status();
        begin_ += taken.value();
    }
    rest();
    blocked_ = false;
    return Status::success;
}

}  // namespace opennd::iwarp
