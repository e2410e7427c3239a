// SPDX-License-Identifier: MIT
// See frame.h.
#include "transport/capture/frame.h"

#include <algorithm>

#include "transport/iwarp/wire/big_endian.h"
#include "transport/iwarp/wire/crc32c.h"
#include "transport/iwarp/wire/fpdu.h"

namespace opennd::capture {
namespace {

constexpr TcpFlags kData = TcpFlags::push | TcpFlags::ack;

}  // namespace

std::size_t PacketMaker::append_beginning(Octets& to, const Frame& frame) {
    const Flow& flow = *frame.flow;
    const std::uint32_t own = frame.sequence, peers = frame.acknowledged;
    const bool from_active = frame.from == End::active;
    // The streams stand behind the two frames of MPA now.
    const auto request = static_cast<std::uint32_t>(flow.request.size());
    const auto reply = static_cast<std::uint32_t>(flow.reply.size());
    const std::uint32_t active = (from_active ? own : peers) - request, passive = (from_active ? peers : own) - reply;
    append_packet(to, {frame, End::active, TcpFlags::syn, active - 1, 0, flow.comment}, {}, 0);
    append_packet(to, {frame, End::passive, TcpFlags::syn | TcpFlags::ack, passive - 1, active}, {}, 0);
    append_packet(to, {frame, End::active, TcpFlags::ack, active, passive}, {}, 0);
    append_packet(to, {frame, End::active, kData, active, passive}, flow.request, request);
    append_packet(to, {frame, End::passive, kData, passive, active + request}, flow.reply, reply);
    return 5;
}

void PacketMaker::append(Octets& to, const Frame& frame) {
    const Part part{frame, frame.from, frame.flags, frame.sequence, frame.acknowledged, frame.comment};
    if (frame.kind != Frame::Kind::fpdu) return append_packet(to, part, {}, 0);
    const std::span<const std::byte> fpdu = make_fpdu(frame);
    append_packet(to, part, fpdu, iwarp::fpdu_bytes(frame.head_bytes + frame.payload_bytes));
}

// Makes an FPDU; one whose payload is cut has no pad and no CRC.
std::span<const std::byte> PacketMaker::make_fpdu(const Frame& frame) {
    const std::size_t ulpdu = frame.head_bytes + frame.payload_bytes;
    fpdu_.resize(iwarp::kLengthBytes);
    iwarp::store_big_endian(fpdu_.data(), static_cast<std::uint16_t>(ulpdu));
    fpdu_.insert(fpdu_.end(), frame.head.begin(), frame.head.begin() + frame.head_bytes);
    fpdu_.insert(fpdu_.end(), frame.payload.begin(), frame.payload.end());
    if (frame.payload.size() < frame.payload_bytes) return fpdu_;
    fpdu_.resize(fpdu_.size() + iwarp::pad_bytes(ulpdu));
    iwarp::Crc32c crc(fpdu_.size());
    crc.add(fpdu_);
    fpdu_.resize(fpdu_.size() + iwarp::kCrcBytes);
    iwarp::store_crc(fpdu_.data() + fpdu_.size() - iwarp::kCrcBytes, crc.value());
    return fpdu_;
}

void PacketMaker::append_packet(Octets& to, const Part& part, std::span<const std::byte> octets,
                                std::size_t whole_bytes) {
    const Flow& flow = *part.frame.flow;
    const TcpSegment segment{flow.address[index(part.from)], flow.address[index(other(part.from))], part.sequence,
                             part.acknowledged, part.flags};
    packet_.clear();
    append_headers(packet_, segment, whole_bytes);
    const std::size_t whole = packet_.size() + whole_bytes;
    packet_.insert(packet_.end(), octets.begin(), octets.end());
    if (packet_.size() == whole) set_tcp_checksum(packet_, segment);
    const Direction direction = part.from == flow.own ? Direction::outbound : Direction::inbound;
    capture::append(to, PacketDescription{flow.interface, part.frame.at, whole, direction, part.comment},
                    std::span(packet_).first(std::min<std::size_t>(packet_.size(), snap_bytes_)));
}

}  // namespace opennd::capture
