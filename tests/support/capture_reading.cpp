// SPDX-License-Identifier: MIT
//
// Read capture_reading.h first.
#include "support/capture_reading.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>

namespace opennd::support {
namespace {

using Octets = std::span<const std::byte>;

void require(bool holds, const std::string& rule) {
    if (!holds) throw std::runtime_error("capture: " + rule);
}

template <typename T>
T native(Octets from, std::size_t at) {
    require(at + sizeof(T) <= from.size(), "a field lies beyond its block");
    T value;
    std::memcpy(&value, from.data() + at, sizeof value);
    return value;
}

std::uint64_t big_endian(Octets from, std::size_t at, std::size_t bytes) {
    require(at + bytes <= from.size(), "a field lies beyond its header");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | std::to_integer<std::uint64_t>(from[at + i]);
    return value;
}

std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

std::map<unsigned, std::string> options(Octets from) {
    std::map<unsigned, std::string> all;
    for (std::size_t at = 0; at + 4 <= from.size();) {
        const auto code = native<std::uint16_t>(from, at);
        const auto bytes = native<std::uint16_t>(from, at + 2);
        if (code == 0) return all;
        require(at + 4 + bytes <= from.size(), "an option lies beyond its block");
        all[code] = std::string(reinterpret_cast<const char*>(from.data()) + at + 4, bytes);
        at += 4 + padded(bytes);
    }
    require(from.empty(), "options do not end");
    return all;
}

std::uint16_t internet_sum(Octets octets, std::uint64_t sum) {
    for (std::size_t i = 0; i < octets.size(); ++i)
        sum += std::to_integer<std::uint64_t>(octets[i]) << (i % 2 == 0 ? 8 : 0);
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum);
}

void read_tcp(Octets packet, CapturedPacket& to) {
    const bool is_v6 = std::to_integer<unsigned>(packet[0]) >> 4 == 6;
    const std::size_t ip = is_v6 ? 40 : 20;
    const bool whole = packet.size() == to.whole_bytes;
    if (!is_v6) require(internet_sum(packet.first(ip), 0) == 0xffff, "the checksum of IP is wrong");
    const std::size_t told = is_v6 ? 40 + big_endian(packet, 4, 2) : big_endian(packet, 2, 2);
    require(told == to.whole_bytes, "the length of IP is not that of the packet");
    const Octets tcp = packet.subspan(ip);
    if (whole) {
        const Octets addresses = is_v6 ? packet.subspan(8, 32) : packet.subspan(12, 8);
        const std::uint64_t pseudo = internet_sum(addresses, 6 + tcp.size());
        require(internet_sum(tcp, pseudo) == 0xffff, "the checksum of TCP is wrong");
    }
    to.from_port = static_cast<std::uint16_t>(big_endian(tcp, 0, 2));
    to.to_port = static_cast<std::uint16_t>(big_endian(tcp, 2, 2));
    to.sequence = static_cast<std::uint32_t>(big_endian(tcp, 4, 4));
    to.acknowledged = static_cast<std::uint32_t>(big_endian(tcp, 8, 4));
    const std::size_t header = (big_endian(tcp, 12, 1) >> 4) * 4;
    const auto flags = big_endian(tcp, 13, 1);
    to.fin = (flags & 1) != 0;
    to.syn = (flags & 2) != 0;
    if (header < tcp.size()) to.payload.assign(tcp.begin() + static_cast<std::ptrdiff_t>(header), tcp.end());
}

class Blocks {
public:
    explicit Blocks(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        require(file.good(), "there is no " + path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        content_.resize(text.size());
        std::memcpy(content_.data(), text.data(), text.size());
    }

    void read(CaptureReading& to) {
        Octets rest = content_;
        require(!rest.empty() && native<std::uint32_t>(rest, 0) == 0x0A0D0D0A, "it does not begin with a section");
        while (!rest.empty()) {
            const auto bytes = native<std::uint32_t>(rest, 4);
            require(bytes % 4 == 0 && bytes >= 12 && bytes <= rest.size(), "a block has an impossible length");
            require(native<std::uint32_t>(rest, bytes - 4) == bytes, "a block's lengths differ");
            read_block(native<std::uint32_t>(rest, 0), rest.subspan(8, bytes - 12), to);
            rest = rest.subspan(bytes);
        }
    }

private:
    void read_block(std::uint32_t type, Octets body, CaptureReading& to) {
        if (type == 0x0A0D0D0A) {
            require(native<std::uint32_t>(body, 0) == 0x1A2B3C4D, "the byte order is not told");
            to.application = options(body.subspan(16))[4];
        } else if (type == 1) {
            require(native<std::uint16_t>(body, 0) == 101, "the packets are no IP");
            const auto told = options(body.subspan(8));
            require(told.contains(9) && told.at(9) == "\x09", "times are no nanoseconds");
            names_.push_back(told.at(2));
        } else if (type == 6) {
            read_packet(body, to);
        } else if (type == 5) {
            const auto told = options(body.subspan(12));
            require(told.contains(4) && told.contains(5), "statistics have no counts");
            CapturedStatistics counts;
            std::memcpy(&counts.received, told.at(4).data(), 8);
            std::memcpy(&counts.dropped, told.at(5).data(), 8);
            to.statistics.push_back(counts);
        } else {
            require(false, "a block of unknown type");
        }
    }

    void read_packet(Octets body, CaptureReading& to) {
        CapturedPacket packet;
        const auto interface = native<std::uint32_t>(body, 0);
        require(interface < names_.size(), "a packet has no interface");
        packet.wire = names_[interface];
        packet.nanoseconds = std::uint64_t{native<std::uint32_t>(body, 4)} << 32 | native<std::uint32_t>(body, 8);
        packet.captured_bytes = native<std::uint32_t>(body, 12);
        packet.whole_bytes = native<std::uint32_t>(body, 16);
        require(20 + padded(packet.captured_bytes) <= body.size(), "a packet lies beyond its block");
        const auto told = options(body.subspan(20 + padded(packet.captured_bytes)));
        require(told.contains(2), "a packet has no direction");
        packet.outbound = (std::to_integer<unsigned>(static_cast<std::byte>(told.at(2)[0])) & 3) == 2;
        if (told.contains(1)) packet.comment = told.at(1);
        read_tcp(body.subspan(20, packet.captured_bytes), packet);
        to.packets.push_back(std::move(packet));
    }

    std::vector<std::byte> content_;
    std::vector<std::string> names_;
};

std::uint32_t crc32c(Octets octets) {
    std::uint32_t crc = ~0U;
    for (const std::byte octet : octets) {
        crc ^= std::to_integer<std::uint32_t>(octet);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82F63B78U : 0);
    }
    return ~crc;
}

// One direction of the first connection: its octets, and the message that they are in the middle of.
struct Stream {
    std::uint32_t next = 0;
    bool begun = false, framed = false;
    std::optional<CapturedMessage> partial;
};

std::vector<std::byte> mpa_data(Octets frame, const char* key) {
    require(frame.size() >= 20 && std::memcmp(frame.data(), key, 16) == 0, "a connection begins without MPA's frames");
    require(std::to_integer<unsigned>(frame[16]) == 0x40, "MPA's frame asks for markers, or for no CRC");
    require(20 + big_endian(frame, 18, 2) == frame.size(), "MPA's frame has another length");
    return {frame.begin() + 20, frame.end()};
}

// A packet has one FPDU.
void read_fpdu(Octets fpdu, bool by_active, Stream& stream, CaptureReading& to) {
    const std::size_t bytes = big_endian(fpdu, 0, 2);
    require(padded(2 + bytes) + 4 == fpdu.size(), "an FPDU does not fill its packet");
    std::uint32_t told = 0;
    std::memcpy(&told, fpdu.data() + fpdu.size() - 4, 4);
    require(crc32c(fpdu.first(fpdu.size() - 4)) == told, "a CRC is wrong");
    const Octets ulpdu = fpdu.subspan(2, bytes);
    const auto control = big_endian(ulpdu, 0, 1), rdmap = big_endian(ulpdu, 1, 1);
    const bool tagged = (control & 0x80) != 0, last = (control & 0x40) != 0;
    require((control & 3) == 1 && rdmap >> 6 == 1, "the versions are wrong");
    const Octets payload = ulpdu.subspan(tagged ? 14 : 18);
    if (!stream.partial) {
        CapturedMessage message;
        message.by_active = by_active;
        message.opcode = static_cast<unsigned>(rdmap & 15);
        message.stag = static_cast<std::uint32_t>(big_endian(ulpdu, 2, 4));
        if (tagged) message.offset = big_endian(ulpdu, 6, 8);
        if (!tagged) message.number = static_cast<std::uint32_t>(big_endian(ulpdu, 10, 4));
        stream.partial = std::move(message);
    }
    CapturedMessage& message = *stream.partial;
    const std::uint64_t at = tagged ? big_endian(ulpdu, 6, 8) - message.offset : big_endian(ulpdu, 14, 4);
    require(at == message.bytes.size(), "a segment has another place in its message");
    message.bytes.insert(message.bytes.end(), payload.begin(), payload.end());
    if (!last) return;
    to.messages.push_back(std::move(message));
    stream.partial.reset();
}

}  // namespace

CaptureReading read_packets(const std::string& path) {
    CaptureReading reading;
    Blocks(path).read(reading);
    return reading;
}

CaptureReading read_capture(const std::string& path) {
    CaptureReading reading = read_packets(path);
    if (reading.packets.empty()) return reading;
    const auto active = reading.packets[0].from_port, passive = reading.packets[0].to_port;
    Stream streams[2];
    for (const CapturedPacket& packet : reading.packets) {
        const bool by_active = packet.from_port == active && packet.to_port == passive;
        if (!by_active && (packet.from_port != passive || packet.to_port != active)) continue;
        Stream& stream = streams[by_active ? 0 : 1];
        require(packet.syn != stream.begun, "a SYN is missing, or comes twice");
        if (!packet.syn) require(packet.sequence == stream.next, "TCP's sequence numbers have a gap");
        stream.begun = true;
        stream.next = packet.sequence + static_cast<std::uint32_t>(packet.payload.size()) + (packet.syn ? 1 : 0) +
                      (packet.fin ? 1 : 0);
        if (packet.payload.empty()) continue;
        if (stream.framed) {
            read_fpdu(packet.payload, by_active, stream, reading);
        } else if (by_active) {
            reading.request_data = mpa_data(packet.payload, "MPA ID Req Frame");
        } else {
            reading.reply_data = mpa_data(packet.payload, "MPA ID Rep Frame");
        }
        stream.framed = true;
    }
    return reading;
}

}  // namespace opennd::support
