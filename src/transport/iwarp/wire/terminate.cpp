// SPDX-License-Identifier: MIT
// Terminate: see terminate.h. Reading one that arrived is in terminate_received.cpp.
#include "transport/iwarp/wire/terminate.h"

#include <algorithm>
#include <cassert>

#include "transport/iwarp/wire/big_endian.h"

namespace opennd::iwarp {
namespace {

constexpr std::size_t kCauseAt = 18, kPresenceAt = 20, kSegmentBytesAt = 22, kQuotedAt = 24;
// Octet 20: the segment's length is valid; the length and the DDP header are present; the RDMAP header is present.
constexpr std::byte kLengthValid{0x80}, kDdpHeader{0x40}, kRdmapHeader{0x20};

// IW-RDMAP-11, first column: errors that a message of the peer caused, and that leave its headers usable.
bool quotes_headers(const TerminateCause& cause) {
    return cause.layer != Layer::mpa && cause.type != kLocalCatastrophic;
}

}  // namespace

Terminate::Terminate(const TerminateCause& cause, std::span<const std::byte> blamed) : cause_(cause) {
    const std::span<std::byte> octets(octets_);
    UntaggedHeader{Stag::none, Queue::terminates, 1, 0}.store(octets.first<UntaggedHeader::kBytes>(), Opcode::terminate,
                                                              true);
    store_big_endian(&octets_[kCauseAt], number(cause));
    if (quotes_headers(cause)) quote(blamed, cause.layer == Layer::rdmap && cause.type == kRemoteProtection);
}

Terminate::Terminate(const TerminateCause& cause, std::span<const std::byte, ReadRequest::kUlpduBytes> blamed,
                     std::uint32_t sent)
    : Terminate(cause, std::span<const std::byte>(blamed)) {
    assert(size_ == kMaxBytes);
    const std::span<std::byte> header = std::span(octets_).last(ReadRequest::kBytes);
    ReadRequest::load(header.first<ReadRequest::kBytes>()).after(sent).store(header.first<ReadRequest::kBytes>());
}

// The headers exactly as they were received (IW-ERR-06), as far as they are there.
void Terminate::quote(std::span<const std::byte> blamed, bool with_read_request) {
    if (blamed.size() < SegmentControl::kBytes) return;
    const SegmentControl control = SegmentControl::load(blamed.first<SegmentControl::kBytes>());
    std::size_t quoted = header_bytes(control.model);
    if (blamed.size() < quoted) return;
    octets_[kPresenceAt] = kLengthValid | kDdpHeader;
    if (with_read_request && control.opcode == Opcode::read_request && blamed.size() >= ReadRequest::kUlpduBytes) {
        octets_[kPresenceAt] |= kRdmapHeader;
        quoted = ReadRequest::kUlpduBytes;
    }
    store_big_endian(&octets_[kSegmentBytesAt], static_cast<std::uint16_t>(blamed.size()));
    std::copy_n(blamed.begin(), quoted, &octets_[kQuotedAt]);
    size_ = kQuotedAt + quoted;
}

}  // namespace opennd::iwarp
