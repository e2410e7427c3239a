// SPDX-License-Identifier: MIT
// Control messages: see control_message.h.
#include "transport/local/control_message.h"

#include <algorithm>

#include "base/log.h"

namespace opennd::local {
namespace {

std::size_t descriptors_of(ControlType type) {
    switch (type) {
        case ControlType::request: return 3;
        case ControlType::accept: return 2;
        case ControlType::segment: return 1;
        default: return 0;
    }
}

bool well_formed(const ControlMessage& message, const LocalSocket::Packet& packet) {
    return packet.bytes == sizeof message && !packet.truncated && message.magic == ControlMessage::kMagic &&
           message.version == ControlMessage::kVersion && static_cast<std::uint32_t>(message.type) < kControlTypes &&
           message.private_data_bytes <= ControlMessage::kMaxPrivateData &&
           packet.descriptors.size() == descriptors_of(message.type);
}

}  // namespace

void ControlMessage::set_data(std::span<const std::byte> data) {
    private_data_bytes = static_cast<std::uint32_t>(std::min(data.size(), kMaxPrivateData));
    std::copy_n(data.begin(), private_data_bytes, private_data.begin());
}

Status send(LocalSocket& socket, const ControlMessage& message, std::span<const int> descriptors) {
    return socket.send(std::as_bytes(std::span(&message, 1)), descriptors);
}

Result<ReceivedControl> receive(LocalSocket& socket) {
    ReceivedControl received;
    auto packet = socket.receive(std::as_writable_bytes(std::span(&received.message, 1)));
    if (!packet.ok()) return packet.status();
    if (!well_formed(received.message, packet.value())) {
        log(LogLevel::warn,
            "connection: a control packet of {} bytes and {} descriptors is none of OpenND's (version {}); the "
            "connection "
            "ends. Both programs must use the same OpenND version",
            packet.value().bytes, packet.value().descriptors.size(), received.message.version);
        return Status::disconnected;
    }
    received.descriptors = std::move(packet.value().descriptors);
    return received;
}

}  // namespace opennd::local
