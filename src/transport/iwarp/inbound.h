// SPDX-License-Identifier: MIT
// The messages that arrive over a TCP channel. Every segment passes its checks before the first octet of it is placed (IW-DDP-12), and
// the first failing check ends the stream. The Reads of the peer are answered in their order (IW-RDMAP-27), as the socket has room.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "platform/process/clock.h"
#include "transport/iwarp/granted_memory.h"
#include "transport/iwarp/input.h"
#include "transport/iwarp/outbound.h"
#include "transport/iwarp/outlet.h"
#include "transport/iwarp/stream/growing_ring.h"
#include "transport/iwarp/stream/read_request_intake.h"
#include "transport/iwarp/stream/send_reassembly.h"
#include "transport/iwarp/stream_state.h"
#include "transport/iwarp/watching.h"
#include "transport/soft/engine/receive_turn.h"

namespace opennd::iwarp {

// The cause in the Terminate for a failure within this side.
inline constexpr TerminateCause kOwnFailure{Layer::rdmap, kLocalCatastrophic, 0};

// Owned by the thread in receive(), decline() or refuse(), of which one runs at a time.
class Inbound {
public:
    // The machines below, all of the same stream.
    struct Below {
        StreamState& stream;
        Watching& watching;
        Outlet& outlet;
        Outbound& outbound;
    };
    // `arrived`: octets behind the peer's frame. Throws std::bad_alloc.
    Inbound(const Below& below, const GrantedMemory& memory, SocketBuffers& buffers,
            std::span<const std::byte> arrived);

    // Channel explains these three.
    std::size_t receive(soft::ReceiveTurn& turn, std::size_t budget);
    bool decline(soft::ReceiveTurn& turn);
    void refuse(Status reason);

    // A message of the peer waits for a receive, so that nothing behind it is read. Any thread.
    bool starved() const { return taking_.load(std::memory_order_relaxed) == Taking::starved; }

private:
    using Ulpdu = std::span<const std::byte>;
    // The outcome of one FPDU.
    enum class Step : std::uint8_t { consumed, message, blocked, stopped, nothing };
    // The state of arrivals.
    enum class Taking : std::uint8_t {
        going,
        starved,  // the oldest message waits for a receive
        halted,   // after the first fault nothing is taken (IW-DDP-12); earlier Reads are answered
        stopped,  // the Terminate was sent, or none is due
    };
    // A Read of the peer that is not answered.
    struct Question {
        ReadRequest request;
        ReadRequest::Ulpdu ulpdu;  // for a Terminate to quote
    };

    Taking taking() const { return taking_.load(std::memory_order_relaxed); }
    void set(Taking taking) { taking_.store(taking, std::memory_order_relaxed); }
    Step take_next(soft::ReceiveTurn& turn, bool results);
    void finish_receiving(Step last, bool gave_results);
    void starve(bool starved);
    bool fetch();
    Step take(Ulpdu ulpdu, soft::ReceiveTurn& turn);
    Step dispatch(const Segment& segment, soft::ReceiveTurn& turn);
    Step take_send(const Segment& segment, soft::ReceiveTurn& turn);
    Step place_send(const Segment& segment, const SendPlacement& placement, std::span<const Sge> target,
                    soft::ResolvedMemory& memory, soft::ReceiveTurn& turn);
    Step take_immediate_data(const Segment& segment, soft::ReceiveTurn& turn);
    Step take_write(const Segment& segment, soft::ReceiveTurn& turn);
    void count_write(const Segment& segment);
    Step take_read_request(const Segment& segment);
    Step take_read_response(const Segment& segment, soft::ReceiveTurn& turn);
    Step lose_read_target();
    Step take_terminate(const Segment& segment);
    void note_placed();
    bool is_opening() const;

    bool owes_answers() const { return !questions_.empty(); }
    void answer_reads(soft::ReceiveTurn& turn);
    void refuse_answer(const Fault& fault);
    void finish_answer();

    Step fault(const Fault& fault, Ulpdu blamed);
    Step stop(const Terminate& message);
    void answer_and_end(soft::ReceiveTurn& turn);
    void break_off();

    StreamState& stream_;
    Watching& watching_;
    Outlet& outlet_;
    Outbound& outbound_;
    const GrantedMemory memory_;

    Input input_;
    std::optional<Ulpdu> waiting_;  // not taken yet: its message waits for a receive
    SendReassembly sends_;
    // Octets of the Write that arrives, or of the newest one: the immediate data behind it tell them.
    std::uint64_t write_bytes_ = 0;
    bool write_open_ = false;
    ReadRequestIntake intake_;
    GrowingRing<Question> questions_;            // no more than intake_ admits
    std::atomic<Taking> taking_{Taking::going};  // relaxed: starved() is a hint to other threads
    bool receiving_ = false;
    bool fetched_ = false;        // the newest receive() has asked the socket
    bool declining_ = false;      // the queue pair was flushed
    SteadyTime last_words_by_{};  // the deadline of the Terminate that is due; extended while answers are acknowledged
    std::uint64_t delivered_by_then_ = 0;  // Outlet::delivered(), when that was set
};

}  // namespace opennd::iwarp
