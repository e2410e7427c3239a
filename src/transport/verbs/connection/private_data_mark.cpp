// SPDX-License-Identifier: MIT
// See private_data_mark.h.
#include "transport/verbs/connection/private_data_mark.h"

#include <algorithm>

namespace opennd::verbs {
namespace {

// The mark: the number of octets of the program, the flags, and a check of all before it, most significant octet first. Unknown flags
// are passed over.
constexpr std::size_t kCheckBytes = 4;
constexpr std::size_t kMarkBytes = 2 + kCheckBytes;
constexpr std::byte kWaitsForReceives{0x01};

// FNV-1a, from a beginning of its own: neither zeros nor a program's data pass for a mark.
std::uint32_t check_of(std::span<const std::byte> octets) {
    std::uint32_t check = 0x4F4E4431;
    for (const std::byte each : octets) check = (check ^ std::to_integer<std::uint32_t>(each)) * 0x01000193;
    return check;
}

std::uint32_t load(std::span<const std::byte> octets) {
    std::uint32_t number = 0;
    for (const std::byte each : octets) number = number << 8 | std::to_integer<std::uint32_t>(each);
    return number;
}

}  // namespace

std::vector<std::byte> with_mark(std::span<const std::byte> data, CmMessage message, const PrivateDataMark& mark) {
    std::vector<std::byte> octets(data.begin(), data.end());
    const auto bytes = static_cast<std::size_t>(message);
    if (data.size() > bytes - kMarkBytes) return octets;
    octets.resize(bytes);
    const std::span<std::byte> end = std::span(octets).last(kMarkBytes);
    end[0] = static_cast<std::byte>(data.size());
    end[1] = mark.waits_for_receives ? kWaitsForReceives : std::byte{0};
    const std::uint32_t check = check_of(std::span(octets).first(bytes - kCheckBytes));
    for (std::size_t i = 0; i < kCheckBytes; ++i) end[2 + i] = static_cast<std::byte>(check >> (24 - 8 * i));
    return octets;
}

HeardPrivateData without_mark(std::span<const std::byte> message) {
    if (message.size() < kMarkBytes) return {message, false, {}};
    const std::span<const std::byte> end = message.last(kMarkBytes);
    const auto length = std::to_integer<std::size_t>(end[0]);
    const bool is_marked = length <= message.size() - kMarkBytes &&
                           load(end.last(kCheckBytes)) == check_of(message.first(message.size() - kCheckBytes));
    if (!is_marked) return {message, false, {}};
    return {message.first(length), true, {.waits_for_receives = (end[1] & kWaitsForReceives) != std::byte{0}}};
}

}  // namespace opennd::verbs
