// SPDX-License-Identifier: MIT
// See pcapng.h.
#include "transport/capture/pcapng.h"

#include <algorithm>
#include <cstring>

namespace opennd::capture {
namespace {

constexpr std::uint32_t kSectionHeader = 0x0A0D0D0A, kInterface = 1, kStatistics = 5, kEnhancedPacket = 6;
constexpr std::uint32_t kByteOrder = 0x1A2B3C4D;
constexpr std::uint64_t kUnknownLength = ~std::uint64_t{0};
constexpr std::size_t kMostText = 1024;  // of an option

// Options, by their block.
constexpr std::uint16_t kEnd = 0, kComment = 1;
constexpr std::uint16_t kSystem = 3, kApplication = 4;
constexpr std::uint16_t kName = 2, kDescription = 3, kResolution = 9;
constexpr std::uint16_t kFlags = 2;
constexpr std::uint16_t kBegin = 2, kFinish = 3, kReceived = 4, kDropped = 5;
constexpr std::uint8_t kNanoseconds = 9;  // a power of ten

template <typename T>
void put(Octets& to, T number) {
    const std::size_t at = to.size();
    to.resize(at + sizeof number);
    std::memcpy(to.data() + at, &number, sizeof number);
}

void put_padded(Octets& to, std::span<const std::byte> octets) {
    to.insert(to.end(), octets.begin(), octets.end());
    to.resize((to.size() + 3) & ~std::size_t{3});
}

void put_option(Octets& to, std::uint16_t code, std::span<const std::byte> octets) {
    put(to, code);
    put(to, static_cast<std::uint16_t>(octets.size()));
    put_padded(to, octets);
}

void put_text(Octets& to, std::uint16_t code, std::string_view text) {
    if (!text.empty()) put_option(to, code, std::as_bytes(std::span(text.substr(0, kMostText))));
}

template <typename T>
void put_number(Octets& to, std::uint16_t code, T number) {
    put_option(to, code, std::as_bytes(std::span(&number, 1)));
}

// The upper half comes first, in either byte order.
void put_time(Octets& to, WallTime time) {
    put(to, static_cast<std::uint32_t>(value(time) >> 32));
    put(to, static_cast<std::uint32_t>(value(time)));
}

void put_time_option(Octets& to, std::uint16_t code, WallTime time) {
    put(to, code);
    put(to, static_cast<std::uint16_t>(sizeof(std::uint64_t)));
    put_time(to, time);
}

// Writes type and length around the content that is put while it lives. The buffer begins and ends at a multiple of 4.
class Block {
public:
    Block(Octets& to, std::uint32_t type) : to_(to), begin_(to.size()) {
        put(to_, type);
        put(to_, std::uint32_t{0});
    }
    void finish() {
        const auto bytes = static_cast<std::uint32_t>(to_.size() - begin_ + sizeof(std::uint32_t));
        std::memcpy(to_.data() + begin_ + sizeof(std::uint32_t), &bytes, sizeof bytes);
        put(to_, bytes);
    }

private:
    Octets& to_;
    const std::size_t begin_;
};

}  // namespace

void append(Octets& to, const Section& section) {
    Block block(to, kSectionHeader);
    put(to, kByteOrder);
    put(to, std::uint16_t{1});  // version 1.0
    put(to, std::uint16_t{0});
    put(to, kUnknownLength);
    put_text(to, kComment, section.comment);
    put_text(to, kSystem, section.system);
    put_text(to, kApplication, section.application);
    put_option(to, kEnd, {});
    block.finish();
}

void append(Octets& to, const InterfaceDescription& interface) {
    Block block(to, kInterface);
    put(to, kRawIp);
    put(to, std::uint16_t{0});
    put(to, interface.snap_bytes);
    put_text(to, kName, interface.name);
    put_text(to, kDescription, interface.description);
    put_number(to, kResolution, kNanoseconds);
    put_option(to, kEnd, {});
    block.finish();
}

void append(Octets& to, const PacketDescription& packet, std::span<const std::byte> octets) {
    Block block(to, kEnhancedPacket);
    put(to, packet.interface);
    put_time(to, packet.at);
    put(to, static_cast<std::uint32_t>(octets.size()));
    put(to, static_cast<std::uint32_t>(std::max(packet.whole_bytes, octets.size())));
    put_padded(to, octets);
    put_text(to, kComment, packet.comment);
    put_number(to, kFlags, static_cast<std::uint32_t>(packet.direction));
    put_option(to, kEnd, {});
    block.finish();
}

void append(Octets& to, const Statistics& statistics) {
    Block block(to, kStatistics);
    put(to, statistics.interface);
    put_time(to, statistics.end);
    put_time_option(to, kBegin, statistics.begin);
    put_time_option(to, kFinish, statistics.end);
    put_number(to, kReceived, statistics.seen);
    put_number(to, kDropped, statistics.dropped);
    put_option(to, kEnd, {});
    block.finish();
}

}  // namespace opennd::capture
