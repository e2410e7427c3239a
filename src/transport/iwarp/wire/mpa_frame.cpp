// SPDX-License-Identifier: MIT
// MpaFrame: see mpa_frame.h.
#include "transport/iwarp/wire/mpa_frame.h"

#include <algorithm>
#include <cassert>
#include <string_view>

#include "transport/iwarp/wire/big_endian.h"

namespace opennd::iwarp {
namespace {

constexpr std::string_view kRequestKey = "MPA ID Req Frame", kReplyKey = "MPA ID Rep Frame";

constexpr std::size_t kFlagsAt = 16, kRevisionAt = 17, kLengthAt = 18;
constexpr std::uint8_t kMarkersFlag = 0x80, kCrcFlag = 0x40, kRejectedFlag = 0x20, kEnhancedFlag = 0x10;
// The low half is reserved, and no frame is refused for it (IW-MPA-04). 0x08 is in use by others. 0x04 counts beside a mark
// alone (IW-RDMAP-48).
constexpr std::uint8_t kMarkMask = 0x0b, kRequestMark = 0x01, kReplyMark = 0x02, kReceiptsFlag = 0x04;

// Enhanced data: two words of two flags and a depth.
constexpr std::uint16_t kPeerToPeer = 0x8000, kRtrSend = 0x4000;  // A, B; beside IRD
constexpr std::uint16_t kRtrWrite = 0x8000, kRtrRead = 0x4000;    // C, D; beside ORD
constexpr std::uint16_t kDepthMask = 0x3fff;

constexpr std::uint8_t mark_of(MpaRole role) { return role == MpaRole::request ? kRequestMark : kReplyMark; }

std::uint8_t flags_of(MpaFrame::Header header) { return std::to_integer<std::uint8_t>(header[kFlagsAt]); }
std::uint8_t revision_of(MpaFrame::Header header) { return std::to_integer<std::uint8_t>(header[kRevisionAt]); }

// S has no meaning before revision 2 (IW-MPA-05).
bool has_enhanced_data(MpaFrame::Header header) {
    return revision_of(header) == MpaFrame::kEnhancedRevision && (flags_of(header) & kEnhancedFlag) != 0;
}

}  // namespace

EnhancedData EnhancedData::load(std::span<const std::byte, kBytes> from) {
    const auto inbound = load_big_endian<std::uint16_t>(&from[0]);
    const auto outbound = load_big_endian<std::uint16_t>(&from[2]);
    EnhancedData data;
    data.peer_to_peer = (inbound & kPeerToPeer) != 0;
    data.inbound_reads = inbound & kDepthMask;
    data.outbound_reads = outbound & kDepthMask;
    if (!data.peer_to_peer) return data;
    if ((inbound & kRtrSend) != 0) data.rtr = data.rtr | Rtr::send;
    if ((outbound & kRtrWrite) != 0) data.rtr = data.rtr | Rtr::write;
    if ((outbound & kRtrRead) != 0) data.rtr = data.rtr | Rtr::read;
    return data;
}

void EnhancedData::store(std::span<std::byte, kBytes> to) const {
    const Rtr types = peer_to_peer ? rtr : Rtr::none;
    const int inbound = (peer_to_peer ? kPeerToPeer : 0) | (has(types, Rtr::send) ? kRtrSend : 0) | inbound_reads;
    const int outbound =
        (has(types, Rtr::write) ? kRtrWrite : 0) | (has(types, Rtr::read) ? kRtrRead : 0) | outbound_reads;
    assert(inbound_reads <= kNotNegotiated && outbound_reads <= kNotNegotiated);
    store_big_endian(&to[0], static_cast<std::uint16_t>(inbound));
    store_big_endian(&to[2], static_cast<std::uint16_t>(outbound));
}

std::span<const std::byte, MpaFrame::kKeyBytes> MpaFrame::key(MpaRole role) {
    const std::string_view text = role == MpaRole::request ? kRequestKey : kReplyKey;
    return std::as_bytes(std::span<const char, kKeyBytes>(text.data(), kKeyBytes));
}

Checked<std::size_t> MpaFrame::rest_of(Header header) {
    const std::uint8_t revision = revision_of(header);
    if (revision < 1 || revision > kEnhancedRevision)
        return Fault{FaultKind::revision_unsupported, revision, kEnhancedRevision};
    const std::size_t length = load_big_endian<std::uint16_t>(&header[kLengthAt]);
    if (length > PrivateData::kMaxBytes) return Fault{FaultKind::private_data_too_long, length, PrivateData::kMaxBytes};
    if (has_enhanced_data(header) && length < EnhancedData::kBytes)
        return Fault{FaultKind::enhanced_data_cut, length, EnhancedData::kBytes};
    return length;
}

MpaFrame MpaFrame::load(Header header, std::span<const std::byte> rest) {
    const std::uint8_t flags = flags_of(header);
    MpaFrame frame;
    frame.role = std::equal(header.begin(), header.begin() + kKeyBytes, key(MpaRole::request).begin())
                     ? MpaRole::request
                     : MpaRole::reply;
    frame.markers = (flags & kMarkersFlag) != 0 ? Markers::inserted : Markers::none;
    frame.crc = (flags & kCrcFlag) != 0 ? Crc::on : Crc::off;
    frame.rejected = frame.role == MpaRole::reply && (flags & kRejectedFlag) != 0;  // IW-NEG-12
    frame.maker = (flags & kMarkMask) == mark_of(frame.role) ? Maker::opennd : Maker::other;
    frame.receipts = frame.maker == Maker::opennd && (flags & kReceiptsFlag) != 0;
    frame.revision = revision_of(header);
    if (has_enhanced_data(header)) {
        frame.enhanced = EnhancedData::load(rest.first<EnhancedData::kBytes>());
        rest = rest.subspan(EnhancedData::kBytes);
    }
    frame.private_data = PrivateData(rest);
    return frame;
}

std::span<const std::byte> MpaFrame::store(std::span<std::byte, kMaxBytes> to) const {
    assert(!enhanced || revision == kEnhancedRevision);
    assert(private_data.octets().size() <= room(enhanced.has_value()));
    const std::size_t before_data = kHeaderBytes + (enhanced ? EnhancedData::kBytes : 0);
    const std::size_t bytes = before_data + private_data.octets().size();
    std::copy_n(key(role).begin(), kKeyBytes, to.begin());
    to[kFlagsAt] = static_cast<std::byte>(
        (markers == Markers::inserted ? kMarkersFlag : 0) | (crc == Crc::on ? kCrcFlag : 0) |
        (rejected && role == MpaRole::reply ? kRejectedFlag : 0) | (enhanced ? kEnhancedFlag : 0) |
        (maker == Maker::opennd ? mark_of(role) : 0) | (maker == Maker::opennd && receipts ? kReceiptsFlag : 0));
    to[kRevisionAt] = static_cast<std::byte>(revision);
    store_big_endian(&to[kLengthAt], static_cast<std::uint16_t>(bytes - kHeaderBytes));
    if (enhanced) enhanced->store(to.subspan<kHeaderBytes, EnhancedData::kBytes>());
    std::ranges::copy(private_data.octets(), to.subspan(before_data).begin());
    return to.first(bytes);
}

}  // namespace opennd::iwarp
