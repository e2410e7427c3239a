// SPDX-License-Identifier: MIT
//
// The octets of SMB Direct's messages ([MS-SMBD] 2.2): little-endian, at fixed offsets. Nothing here keeps a state or sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

namespace smb_direct {

using Octets = std::span<const std::byte>;

// The peer broke a rule. The connection ends.
struct ProtocolError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void require(bool kept, const std::string& broken) {
    if (!kept) throw ProtocolError(broken);
}

constexpr std::uint16_t kVersion = 0x0100;
constexpr std::uint32_t kNotSupported = 0xC00000BB;  // STATUS_NOT_SUPPORTED

// What both messages of the negotiation say of their sender.
struct Terms {
    std::uint16_t credits_requested = 0;
    std::uint32_t preferred_send_size = 0, max_receive_size = 0, max_fragmented_size = 0;
};

// 2.2.1: the first message, of the side that connected.
struct NegotiateRequest : Terms {
    static constexpr std::size_t kBytes = 20;
    std::uint16_t min_version = kVersion, max_version = kVersion;

    void each(auto&& field) {
        field(0, min_version), field(2, max_version), field(6, credits_requested);
        field(8, preferred_send_size), field(12, max_receive_size), field(16, max_fragmented_size);
    }
};

// 2.2.2: the answer. With a status all members but the two versions are 0.
struct NegotiateResponse : Terms {
    static constexpr std::size_t kBytes = 32;
    std::uint16_t min_version = kVersion, max_version = kVersion, negotiated_version = 0, credits_granted = 0;
    std::uint32_t status = 0, max_read_write_size = 0;

    void each(auto&& field) {
        field(0, min_version), field(2, max_version), field(4, negotiated_version), field(8, credits_requested);
        field(10, credits_granted), field(12, status), field(16, max_read_write_size);
        field(20, preferred_send_size), field(24, max_receive_size), field(28, max_fragmented_size);
    }
};

// 2.2.3: every other message. Data begin at a multiple of 8; a message without data has none of the padding before them.
struct DataTransfer {
    static constexpr std::size_t kBytes = 20, kDataOffset = 24;
    static constexpr std::uint16_t kResponseRequested = 0x0001;
    std::uint16_t credits_requested = 0, credits_granted = 0, flags = 0;
    std::uint32_t remaining_data_length = 0, data_offset = 0, data_length = 0;

    void each(auto&& field) {
        field(0, credits_requested), field(2, credits_granted), field(4, flags);
        field(8, remaining_data_length), field(12, data_offset), field(16, data_length);
    }
};

// 2.2.3.1: memory that the peer may read or write, in a message of the upper layer.
struct BufferDescriptor {
    static constexpr std::size_t kBytes = 16;
    std::uint64_t offset = 0;
    std::uint32_t token = 0, length = 0;

    void each(auto&& field) { field(0, offset), field(8, token), field(12, length); }
};

template <typename Message>
Message parse(Octets from) {
    require(from.size() >= Message::kBytes, "a message of less than " + std::to_string(Message::kBytes) + " bytes");
    Message message;
    message.each([from](std::size_t offset, auto& value) {
        value = 0;
        for (std::size_t i = sizeof value; i-- > 0;)
            value =
                static_cast<std::decay_t<decltype(value)>>(value << 8 | std::to_integer<unsigned>(from[offset + i]));
    });
    return message;
}

// What has no member is 0.
template <typename Message>
void write(Message message, std::span<std::byte> to) {
    std::memset(to.data(), 0, Message::kBytes);
    message.each([to](std::size_t offset, const auto& value) {
        for (std::size_t i = 0; i < sizeof value; ++i) to[offset + i] = static_cast<std::byte>(value >> (8 * i));
    });
}

}  // namespace smb_direct
