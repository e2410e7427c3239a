// SPDX-License-Identifier: MIT
// The frames that arrive over a ring channel. No field of a frame is trusted: lengths are checked before memory is touched, and a producer
// that breaks a rule loses the connection, but does no other harm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/local/lane_state.h"
#include "transport/soft/engine/receive_turn.h"
#include "transport/soft/memory/resolved_memory.h"

namespace opennd::local {

// Owned by the thread in receive() or refuse(), of which one runs at a time.
class Inbound {
public:
    explicit Inbound(LaneState& lanes) : lanes_(lanes) {}

    // Channel explains these two. The first gets the lanes, which are at a known distance for the channel: a load less.
    std::size_t receive(LaneState& lanes, soft::ReceiveTurn& turn, std::size_t budget);
    void refuse(Status reason);

private:
    // The outcome of one frame.
    enum class Step : std::uint8_t { consumed, message, blocked, stopped };
    // A Read of the peer.
    struct Question {
        std::uint32_t number;  // of its frame
        Token token;
        std::uint64_t address;
        std::uint32_t total;
        std::uint32_t answered;  // bytes
    };

    // Takes a frame that is not the common case. It gets the header by value, so that the common case has it in
    // registers.
    [[gnu::noinline]] Step take(Consumer::Header frame, soft::ReceiveTurn& turn);
    bool is_whole_and_short(const Consumer::Header& frame) const;
    [[gnu::always_inline]] inline Step take_whole_send(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Step place_whole_send(Consumer::Header frame, soft::ReceiveTurn& turn);
    Step take_send(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Step begin_message(std::uint32_t total, bool solicited, soft::ReceiveTurn& turn, std::span<const Sge>& target,
                       soft::ResolvedMemory& memory);
    Step take_pull(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Status fetch(std::span<const PullPiece> pieces, std::span<const Sge> target);
    Status fetch_piece(const PullPiece& piece, std::span<const Sge> target, std::uint64_t skip);
    Step fetched(Status status);
    Step take_written(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Step take_shown(const Consumer::Header& frame);
    Step take_placed(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    void show_next_receive(soft::ReceiveTurn& turn);
    Step take_write(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Step take_read_reply(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Step pass_over(soft::ReceiveTurn& turn);

    Step take_read_request(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Step answer(Question& question, soft::ReceiveTurn& turn);
    Step put_off(const Question& question);
    [[gnu::cold]] std::size_t answer_those_put_off(soft::ReceiveTurn& turn);
    [[gnu::cold]] void show_arrivals();

    static void publish_consumed(LaneState& lanes);
    Step wait_for_peer();
    [[gnu::cold]] Step lose_receive(soft::ReceiveTurn& turn);
    Step stop(Status reason) { return stop(lanes_.consumer().next(), reason); }
    Step stop(std::uint32_t frame, Status reason);
    void refuse_at(std::uint32_t frame, Status reason);
    Step break_off(const char* rule);

    LaneState& lanes_;

    struct Incoming {
        bool active = false;
        bool solicited = false;
        std::uint32_t total = 0;
        std::uint32_t placed = 0;
    };
    Incoming message_, reply_;
    std::uint32_t fetched_ = 0;   // pieces of the pull frame at the front already placed
    std::uint32_t answered_ = 0;  // bytes of the read request at the front already sent
    // The Reads of the peer that were put off: their frames are consumed. The oldest first. It takes no memory until
    // two sides read much of each other at once.
    std::vector<Question> questions_;
    enum class Taking : std::uint8_t { freely, beside_questions, nothing };
    Taking taking_ = Taking::freely;  // `nothing`: this side refused a frame
};

}  // namespace opennd::local
