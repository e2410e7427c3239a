// SPDX-License-Identifier: MIT
// See inspection_socket.h.
#include "library/inspection/inspection_socket.h"

#include <poll.h>

#include <charconv>
#include <chrono>

namespace opennd {

std::optional<Words> receive_words(LocalSocket& from, std::span<std::byte> room, std::optional<SteadyTime> until) {
    for (;;) {
        Result<LocalSocket::Packet> received = from.receive(room);
        if (received.ok()) {
            LocalSocket::Packet packet = received.take();
            return Words{std::string(reinterpret_cast<const char*>(room.data()), packet.bytes),
                         std::move(packet.descriptors)};
        }
        if (received.status() != Status::would_block) return std::nullopt;
        int patience_ms = -1;
        if (until) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - now()).count();
            if (left <= 0) return std::nullopt;
            patience_ms = static_cast<int>(left);
        }
        pollfd news{from.descriptor(), POLLIN, 0};
        (void)::poll(&news, 1, patience_ms);
    }
}

std::optional<std::size_t> number_in(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace opennd
