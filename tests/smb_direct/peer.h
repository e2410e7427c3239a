// SPDX-License-Identifier: MIT
//
// A peer of a session of SMB Direct as a test plays it: it writes each message as it likes, and reads what comes. It has as many
// receives as it says, and counts them: a session that sends without a credit fails the test.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "session.h"

namespace smb_direct::test {

using Bytes = std::vector<std::byte>;

inline Bytes numbered(std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + (i >> 8));
    return bytes;
}

template <typename Message>
Bytes octets_of(const Message& message) {
    Bytes octets(Message::kBytes);
    write(message, octets);
    return octets;
}

// A message with data, the last fragment unless some remain; without data it only grants.
inline Bytes message_of(const Bytes& data, std::uint16_t granted, std::uint32_t remaining, std::uint16_t requested,
                        std::uint16_t flags = 0) {
    DataTransfer header;
    header.credits_requested = requested;
    header.credits_granted = granted;
    header.flags = flags;
    header.remaining_data_length = remaining;
    header.data_offset = data.empty() ? 0 : DataTransfer::kDataOffset;
    header.data_length = static_cast<std::uint32_t>(data.size());
    Bytes octets(data.empty() ? DataTransfer::kBytes : DataTransfer::kDataOffset);
    write(header, octets);
    octets.insert(octets.end(), data.begin(), data.end());
    return octets;
}

// The next message of a session, if there is one now.
struct Sent {
    Bytes octets;
    std::optional<std::uint32_t> invalidate;
};
inline std::optional<Sent> next_of(Session& session) {
    Sent sent{Bytes(8192), {}};
    const auto outgoing = session.next(sent.octets);
    if (!outgoing) return {};
    sent.octets.resize(outgoing->bytes);
    sent.invalidate = outgoing->invalidate;
    return sent;
}

// The session is the side that was connected to; it takes each message and posts the receive again.
class Peer {
public:
    struct Wish {
        std::uint16_t credits = 255;
        std::uint32_t receive_bytes = 8192;
    };
    explicit Peer(const Limits& limits = {}) : Peer(limits, Wish{}) {}
    Peer(const Limits& limits, const Wish& asked) : session(Role::responder, limits), wish(asked) {
        NegotiateRequest request;
        request.credits_requested = wish.credits;
        request.preferred_send_size = request.max_receive_size = wish.receive_bytes;
        request.max_fragmented_size = 1 << 20;
        say(octets_of(request));
        const auto answer = next_of(session);
        EXPECT_TRUE(answer && session.established());
        credits = parse<NegotiateResponse>(answer->octets).credits_granted;
    }

    // The session gets a message of this peer.
    void say(const Bytes& octets) {
        session.take(octets);
        session.receive_posted();
    }
    void grant(std::uint16_t granted, std::uint16_t flags = 0) {
        spend(message_of({}, granted, 0, wish.credits, flags));
    }
    void send(const Bytes& data, std::uint16_t granted = 0, std::uint32_t remaining = 0, std::uint16_t flags = 0) {
        spend(message_of(data, granted, remaining, wish.credits, flags));
    }
    // With a credit, and these receives for the session.
    void spend(const Bytes& octets) {
        ASSERT_GT(credits, 0u) << "the test has no credit left";
        --credits;
        receives += parse<DataTransfer>(octets).credits_granted;
        say(octets);
    }

    // The next message of the session, which takes a receive of this peer.
    std::optional<DataTransfer> hear() {
        const auto sent = next_of(session);
        if (!sent) return {};
        const auto header = parse<DataTransfer>(sent->octets);
        EXPECT_GT(receives, 0u) << "a message without a credit";
        EXPECT_TRUE(receives > 1 || header.credits_granted != 0) << "the last credit was spent, and grants nothing";
        --receives;
        credits += header.credits_granted;
        const auto* data = sent->octets.data() + header.data_offset;
        heard.insert(heard.end(), data, data + header.data_length);
        return header;
    }
    unsigned hear_all() {
        unsigned count = 0;
        while (hear()) ++count;
        return count;
    }

    Session session;
    Wish wish;
    unsigned credits = 0;   // of this peer
    unsigned receives = 0;  // that the session may use
    Bytes heard;            // all data
};

}  // namespace smb_direct::test
