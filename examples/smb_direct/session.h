// SPDX-License-Identifier: MIT
//
// Session: one end of a connection of SMB Direct ([MS-SMBD] 3.1), which reads and writes messages, and posts nothing itself:
// negotiation, credits, fragments. connection.h runs it over Network Direct, the tests without a network.
//
// A credit is a receive of the peer. Each side counts two kinds: those that it may spend, and those that the peer has of it. The
// rules keep both sides from having none at the same time, in which case nobody could say that there are receives again:
//
//   1. A message spends a credit. Without one nothing is sent.
//   2. The last credit is spent only on a message that grants some, even more than the peer wants: one that it may spend on an
//      answer, and one that it keeps. Otherwise a single credit would go back and forth.
//   3. Each message grants the receives that have been posted since the last one, up to the number that the peer wants.
//   4. With nothing else to say it grants by a message without data: when the peer has none left, and when a message with
//      data leaves it no more than half.
//   5. A peer that asks for a response gets a message at once.
//   6. While many messages of the peer wait for the upper layer here, the peer gets credits by rule 2 alone.
//
// A message without data is answered by none, but for rules 4 and 5: otherwise two idle sides would thank each other for ever.
#pragma once

#include "messages.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

namespace smb_direct {

// Of one side (3.1.1.1). The values are those that Windows begins with.
struct Limits {
    std::uint16_t receive_credit_max = 255;  // the peer never has more, but for rule 2
    std::uint16_t send_credit_target = 255;  // that this side wants
    std::uint32_t max_send_size = 1364, max_receive_size = 8192;
    std::uint32_t max_fragmented_size = 1 << 20;  // of a message of the upper layer that this side receives
    std::uint32_t max_read_write_size = 8 << 20;
    std::size_t most_waiting = 16;  // messages, for rule 6
    std::uint32_t receives() const { return receive_credit_max + 1u; }
};

enum class Role { initiator, responder };

class Session {
public:
    static constexpr std::uint32_t kLeastMessage = 128, kLeastFragmented = 131072;

    // All receives of the limits, each of max_receive_size, are posted.
    Session(Role role, const Limits& limits);

    // A message of the peer. Its receive may be posted again as soon as this returns, and receive_posted() is called then.
    // Throws ProtocolError.
    void take(Octets message);
    void receive_posted() { ++free_receives_; }

    // Puts a message of the upper layer behind the others. `invalidate`: a token of the peer's, which goes with the last fragment.
    // Throws std::length_error if the peer does not take so long ones.
    void send(std::vector<std::byte> data, std::optional<std::uint32_t> invalidate = {});

    // The next message of the peer's upper layer that is whole.
    std::optional<std::vector<std::byte>> received();

    struct Outgoing {
        std::size_t bytes;
        std::optional<std::uint32_t> invalidate;
    };
    // Writes the next message that may be sent now. `room`: max_send_size bytes. Nothing: there is none.
    std::optional<Outgoing> next(std::span<std::byte> room);

    bool established() const { return state_ == State::established; }
    bool refused() const { return state_ == State::refused; }  // the peer speaks another version, and was told so
    bool has_data_to_send() const { return !outgoing_.empty(); }
    std::uint32_t max_read_write_size() const { return limits_.max_read_write_size; }
    std::uint32_t max_fragmented_send_size() const { return max_fragmented_send_; }

private:
    enum class State { requesting, awaiting_request, awaiting_response, responding, established, refusing, refused };

    struct Data {
        std::vector<std::byte> octets;
        std::size_t sent = 0;
        std::optional<std::uint32_t> invalidate;
    };

    void take_request(Octets message);
    void take_response(Octets message);
    void take_data(Octets message);
    void agree(const Terms& peer);
    Terms own_terms() const;
    std::size_t write_request(std::span<std::byte> room);
    std::size_t write_response(std::span<std::byte> room);
    std::optional<Outgoing> next_data(std::span<std::byte> room);

    std::uint32_t goal() const { return std::min<std::uint32_t>(peer_wants_, limits_.receive_credit_max); }
    std::uint32_t owed() const;
    bool must_grant() const;
    std::uint16_t grant();

    Limits limits_;
    State state_;
    std::uint32_t max_fragmented_send_ = 0;
    std::uint32_t free_receives_;     // posted, and granted to nobody
    std::uint32_t peer_credits_ = 0;  // granted, and not spent by the peer
    std::uint32_t peer_wants_ = 0;
    std::uint32_t credits_ = 0;                            // granted by the peer, and not spent
    bool response_requested_ = false, data_came_ = false;  // since this side's last message

    std::vector<std::byte> incoming_;  // the fragments so far
    std::uint32_t incoming_rest_ = 0;
    std::deque<std::vector<std::byte>> whole_;
    std::deque<Data> outgoing_;
};

}  // namespace smb_direct
