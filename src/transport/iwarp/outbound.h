// SPDX-License-Identifier: MIT
// The messages that leave over a TCP channel: each request becomes one, cut into FPDUs that leave together, and so does each answer to
// a Read of the peer. The peer's receipt, or the answer of the fence behind the message, proves that the peer has placed it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "base/lock.h"
#include "model/sge.h"
#include "platform/thread/event_loop.h"
#include "transport/iwarp/granted_memory.h"
#include "transport/iwarp/outlet.h"
#include "transport/iwarp/stream/ddp_segmenter.h"
#include "transport/iwarp/stream_state.h"
#include "transport/iwarp/watching.h"
#include "transport/soft/channel/channel.h"

namespace opennd::iwarp {

// Called by the thread in start() and the one in receive(), which share the lock of `outlet`.
class Outbound {
public:
    Outbound(StreamState& stream, Watching& watching, Outlet& outlet, const GrantedMemory& memory);

    // Channel explains these four.
    soft::StartResult start(const soft::OutboundRequest& request) EXCLUDES(outlet_.mutex()) {
        return start(request, std::nullopt);
    }
    soft::StartResult start_with_immediate(const soft::OutboundRequest& request, std::uint32_t immediate)
        EXCLUDES(outlet_.mutex()) {
        return start(request, ImmediateData{immediate});
    }
    bool find_outcome(soft::Ticket ticket, Status& status) EXCLUDES(outlet_.mutex());
    Status unfinished() const EXCLUDES(outlet_.mutex());
    // A flush comes: find_outcome() looks at messages that the peer has placed behind a Read without an answer.
    void look_closely() { looks_closely_.store(true, std::memory_order_release); }

    // Opens the stream with the agreed RTR (IW-CM-08). `sent`: it has left by another way.
    void open_stream(bool sent) EXCLUDES(outlet_.mutex());
    // Returns false while octets are still to go; call again soon.
    bool finish() EXCLUDES(outlet_.mutex());
    void outlive_end() EXCLUDES(outlet_.mutex());
    void close() EXCLUDES(outlet_.mutex());

    // ---- for the thread in receive() ----

    // A part of the answer to a Read of the peer leaves.
    enum class Answered : std::uint8_t {
        whole,
        part,
        nothing,    // there is no room, or this side is in the middle of a message
        withdrawn,  // the memory was: the answer ends here
    };
    Answered answer_part(const ReadRequest& request) EXCLUDES(outlet_.mutex());
    // Octets of the answer that is in the middle; 0: none is.
    std::uint32_t answered_bytes() const EXCLUDES(outlet_.mutex());
    // Returns true if start() has left a request in the middle of its message: close() then resets the stream.
    bool resets_in_request() EXCLUDES(outlet_.mutex());
    // receive() ends, and may have given results to its caller.
    Outlet::Rest settle(bool gave_results) EXCLUDES(outlet_.mutex());
    // Receipts are not read while a message of the peer waits for a receive (`starved`). Called before settle().
    void note_starved(bool starved) EXCLUDES(outlet_.mutex()) {
        const Held lock(outlet_.mutex());
        starved_ = starved;
    }

    // The receipt in the header of a Send, by its lower half, or by itself.
    std::optional<Fault> take_stamp(std::uint32_t lower) EXCLUDES(outlet_.mutex());
    std::optional<Fault> take_receipt(const Receipt& receipt) EXCLUDES(outlet_.mutex());
    // A segment of an answer to this side's oldest Read. A fault fails that (IW-NEG-99 to -104).
    Checked<ResponsePlacement> accept_response(const Segment& segment) EXCLUDES(outlet_.mutex());
    // The whole answer has come. True: the Read was a fence.
    bool finish_read() EXCLUDES(outlet_.mutex());
    void fail_oldest_read(Status status) EXCLUDES(outlet_.mutex());
    // The peer's Terminate. The blamed request fails with the named cause; earlier ones are placed, later ones flushed. False: it
    // blames none.
    bool take_terminate(const ReceivedTerminate& told) EXCLUDES(outlet_.mutex());

private:
    // The message that is being framed: no other may go out before its last segment (IW-DDP-03).
    enum class Framing : std::uint8_t { nothing, request, response };
    enum class Framed : std::uint8_t { whole, part, absent };

    soft::StartResult start(const soft::OutboundRequest& request, std::optional<ImmediateData> immediate)
        EXCLUDES(outlet_.mutex());
    soft::StartResult start_read(const soft::OutboundRequest& request) REQUIRES(outlet_.mutex());
    soft::StartResult begun(std::uint64_t message) const;
    bool begin_message(const soft::OutboundRequest& request, const std::optional<ImmediateData>& immediate)
        REQUIRES(outlet_.mutex());
    Framed frame_part(std::span<const Sge> sges) REQUIRES(outlet_.mutex());
    void flush_unless_more_follows() REQUIRES(outlet_.mutex());
    // The number of messages on their way that make a row: the peer's receipts for them come soon.
    static constexpr std::uint64_t kRow = 8;
    bool is_row() const REQUIRES(outlet_.mutex());
    bool expects_receipt() const REQUIRES(outlet_.mutex());
    void note_left() REQUIRES(outlet_.mutex());
    void fit_segments(std::size_t length_bytes) REQUIRES(outlet_.mutex());
    void put_read_request(const ReadRequest& request, std::uint64_t number, bool fence) REQUIRES(outlet_.mutex());
    void fence_if_due() REQUIRES(outlet_.mutex());
    Stag next_sink() REQUIRES(outlet_.mutex());
    void open_again_in(std::chrono::milliseconds patience) REQUIRES(outlet_.mutex());
    std::optional<Fault> accept(const Receipt& receipt) REQUIRES(outlet_.mutex());
    void fail(std::uint64_t message, Status status) REQUIRES(outlet_.mutex());
    void fail_read(Status status) REQUIRES(outlet_.mutex());

    StreamState& stream_;
    Watching& watching_;
    Outlet& outlet_;
    const GrantedMemory memory_;

    Framing framing_ GUARDED_BY(outlet_.mutex()) = Framing::nothing;
    std::optional<DdpSegmenter> segmenter_ GUARDED_BY(outlet_.mutex());  // of that message
    // The message that goes right behind that Write.
    std::optional<ImmediateData::Ulpdu> behind_write_ GUARDED_BY(outlet_.mutex());
    std::size_t mulpdu_ GUARDED_BY(outlet_.mutex());
    std::uint32_t send_msn_ GUARDED_BY(outlet_.mutex()) = 1;
    std::uint32_t read_msn_ GUARDED_BY(outlet_.mutex()) = 1;
    // Tokens are consecutive from a random one, which a connection without Reads does not ask for.
    std::uint32_t last_sink_ GUARDED_BY(outlet_.mutex()) = UINT32_MAX;
    bool in_a_row_ GUARDED_BY(outlet_.mutex()) = false;  // a message has left since the newest receive()
    bool streams_ GUARDED_BY(outlet_.mutex()) = false;   // a row was in the slab when messages were there last
    // The socket has all messages through this one, and perhaps later ones.
    std::uint64_t left_ GUARDED_BY(outlet_.mutex()) = 0;
    bool starved_ GUARDED_BY(outlet_.mutex()) = false;  // as note_starved() was told
    TimerId opening_timer_ GUARDED_BY(outlet_.mutex()){};

    // find_outcome() looks beyond confirmed messages: one has failed, or a flush comes. Release and acquire: the reader then takes
    // the lock.
    std::atomic<bool> looks_closely_{false};
};

}  // namespace opennd::iwarp
