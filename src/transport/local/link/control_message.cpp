// SPDX-License-Identifier: MIT
// Control messages: see control_message.h.
#include "transport/local/link/control_message.h"

#include <algorithm>

#include "base/explanation.h"

namespace opennd::local {
namespace {

std::size_t descriptors_of(const ControlMessage& message) {
    switch (message.type) {
        case ControlType::link: return 2;
        case ControlType::request:
        case ControlType::segment: return 1;
        case ControlType::accept: return message.tokens_attached != 0 ? 1 : 0;
        default: return 0;
    }
}

bool well_formed(const ControlMessage& message, const LocalSocket::Packet& packet) {
    return packet.bytes == sizeof message && !packet.truncated && message.magic == ControlMessage::kMagic &&
           message.version == ControlMessage::kVersion && static_cast<std::uint32_t>(message.type) < kControlTypes &&
           message.private_data_bytes <= ControlMessage::kMaxPrivateData &&
           static_cast<std::uint32_t>(message.shortage) < kShortages &&
           packet.descriptors.size() == descriptors_of(message);
}

bool is_wake_up(const LocalSocket::Packet& packet) {
    return packet.bytes == kWakeUp.size() && !packet.truncated && packet.descriptors.empty();
}

// Returns true for a whole message that lost descriptors: the system drops descriptors for which this process has no
// room.
bool lost_descriptors(const ControlMessage& message, const LocalSocket::Packet& packet) {
    return packet.bytes == sizeof message && packet.truncated && message.magic == ControlMessage::kMagic &&
           message.version == ControlMessage::kVersion;
}

}  // namespace

Shortage shortage_of(Status status) {
    if (status == Status::no_memory) return Shortage::memory;
    return status == Status::insufficient_resources ? Shortage::resources : Shortage::none;
}

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
    if (is_wake_up(packet.value())) {
        received.message.type = ControlType::wake_up;
        return received;
    }
    if (lost_descriptors(received.message, packet.value())) {
        return report(
            Status::insufficient_resources,
            {.object = "connection",
             .operation = "handshake",
             .asked = phrase("room for the {} descriptors that a peer passes along", descriptors_of(received.message)),
             .limit = "the descriptors that this process may have open; the connection ends",
             .remedy = "raise the limit of open descriptors (ulimit -n), or have fewer connections",
             .requirement = "ND2-CON-CONN-05",
             .cause = LogCause::peer});
    }
    if (!well_formed(received.message, packet.value())) {
        return report(
            Status::disconnected,
            {.object = "connection",
             .operation = "handshake",
             .asked = phrase("a packet of {} bytes, type {}, {} descriptors, {} bytes of private data, version {}",
                             packet.value().bytes, static_cast<std::uint32_t>(received.message.type),
                             packet.value().descriptors.size(), received.message.private_data_bytes,
                             received.message.version),
             .limit = phrase("OpenND's packets of {} bytes, version {}; the connection ends", sizeof(ControlMessage),
                             ControlMessage::kVersion),
             .remedy = "use the same version of OpenND in both programs",
             .requirement = "ND2-CON-CONN-05",
             .cause = LogCause::peer});
    }
    received.descriptors = std::move(packet.value().descriptors);
    return received;
}

}  // namespace opennd::local
