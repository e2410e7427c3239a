// SPDX-License-Identifier: MIT
//
// Cutting, and comparing by memcmp: a run moves gigabytes.
#include "conformance/traffic/scattered.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace opennd::conformance::traffic {
namespace {

constexpr std::byte kGuardByte{0xA5};

// The part of `bytes` that lies in [first, last) of the message.
std::span<const std::byte> part(std::span<const std::byte> bytes, std::size_t first, std::size_t length) {
    if (first >= bytes.size()) return {};
    return bytes.subspan(first, std::min(length, bytes.size() - first));
}

}  // namespace

std::vector<std::byte> bytes_of(std::uint64_t seed, std::size_t length) {
    std::vector<std::byte> bytes((length + 7) / 8 * 8);
    std::uint64_t word = seed | 1;
    for (std::size_t i = 0; i < bytes.size(); i += sizeof word) {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        std::memcpy(bytes.data() + i, &word, sizeof word);
    }
    bytes.resize(length);
    return bytes;
}

testing::AssertionResult same_bytes(std::span<const std::byte> actual, std::span<const std::byte> expected) {
    if (actual.size() == expected.size() &&
        (actual.empty() || std::memcmp(actual.data(), expected.data(), actual.size()) == 0))
        return testing::AssertionSuccess();
    const auto difference = std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end());
    return testing::AssertionFailure() << "byte " << (difference.first - actual.begin()) << " of " << actual.size()
                                       << " is wrong";
}

Scattered::Scattered(std::span<std::byte> slot, std::size_t capacity, std::size_t length, std::uint64_t seed) {
    Random random(seed);
    std::array<std::size_t, kMostPieces + 1> cuts{};
    const std::size_t count = random() % (kMostPieces + 1);
    for (std::size_t i = 1; i < count; ++i) cuts[i] = random() % (capacity + 1);
    std::sort(cuts.begin(), cuts.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(count, 1)));
    std::size_t place = 0, message = 0;
    const auto guard = [&] {
        guards_.push_back(slot.subspan(place, kGuard));
        place += kGuard;
    };
    guard();
    // No piece at all is one way to have room for nothing.
    const std::size_t pieces = capacity == 0 ? count : std::max<std::size_t>(count, 1);
    for (std::size_t i = 0; i < pieces; ++i) {
        const std::size_t end = i + 1 == pieces ? capacity : cuts[i + 1];
        const auto piece = slot.subspan(place, end - cuts[i]);
        pieces_.push_back(piece);
        if (length < message + piece.size()) {
            const std::size_t used = length > message ? length - message : 0;
            guards_.push_back(piece.subspan(used, std::min(kGuard, piece.size() - used)));
        }
        message += piece.size();
        place += piece.size();
        guard();
    }
    for (const auto each : guards_) std::fill(each.begin(), each.end(), kGuardByte);
}

std::vector<Sge> Scattered::sges(std::uint32_t token) const {
    std::vector<Sge> list;
    for (const auto piece : pieces_) list.push_back({piece.data(), static_cast<std::uint32_t>(piece.size()), token});
    return list;
}

void Scattered::put(std::span<const std::byte> message) {
    std::size_t first = 0;
    for (const auto piece : pieces_) {
        const auto from = part(message, first, piece.size());
        if (!from.empty()) std::memcpy(piece.data(), from.data(), from.size());
        first += piece.size();
    }
}

testing::AssertionResult Scattered::holds(std::span<const std::byte> message) const {
    std::size_t first = 0;
    for (const auto piece : pieces_) {
        const auto wanted = part(message, first, piece.size());
        if (auto same = same_bytes(piece.first(wanted.size()), wanted); !same)
            return same << " in the piece that begins at byte " << first;
        first += piece.size();
    }
    for (const auto guard : guards_)
        if (std::any_of(guard.begin(), guard.end(), [](std::byte byte) { return byte != kGuardByte; }))
            return testing::AssertionFailure() << "bytes around the message were written";
    return testing::AssertionSuccess();
}

}  // namespace opennd::conformance::traffic
