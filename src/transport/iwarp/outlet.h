// SPDX-License-Identifier: MIT
// The sending end of a TCP channel's stream: octets wait in the slab and leave for the socket, with the receipts that this side owes.
// It knows when a message is complete because the stream has it, when the peer is silent, and which Terminate ends the stream. Its
// lock is that of all that leaves; outbound.h makes the messages under it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "base/lock.h"
#include "transport/iwarp/in_flight.h"
#include "transport/iwarp/output.h"
#include "transport/iwarp/silence.h"
#include "transport/iwarp/stream/ddp_segmenter.h"
#include "transport/iwarp/stream/receipts.h"
#include "transport/iwarp/stream_state.h"
#include "transport/iwarp/watching.h"
#include "transport/iwarp/wire/terminate.h"

namespace opennd::iwarp {

class Outlet final : private EventLoop::Errand {
public:
    // This side's direction of the stream.
    enum class Sending : std::uint8_t {
        waits,   // for the first FPDU of an initiator (IW-CM-07, -12)
        open,    // messages leave
        sealed,  // nothing is framed any more
        ended,   // and the peer has seen the end of it
    };

    // `open`: this side sends first. `dead_after`: a peer that acknowledges nothing for so long is lost.
    Outlet(StreamState& stream, Watching& watching, SocketBuffers& buffers, bool open,
           std::chrono::milliseconds dead_after);

    // Held for each part of a message, and across one write to the socket, which never blocks.
    Mutex& mutex() const LOCK_RETURNED(mutex_) { return mutex_; }

    // These two need no lock, in any thread.
    bool has_ended() const { return sending_.load(std::memory_order_relaxed) == Sending::ended; }
    // Messages through this one are complete.
    std::uint64_t confirmed() const { return confirmed_.load(std::memory_order_relaxed); }
    // The first FPDU with a right CRC opens this side's direction. For the thread in receive().
    void open() EXCLUDES(mutex_) {
        if (sending_.load(std::memory_order_relaxed) != Sending::waits) [[likely]]
            return;
        const Held lock(mutex_);
        if (sending() == Sending::waits) sending_.store(Sending::open, std::memory_order_relaxed);
    }
    // A Send or Write is placed through this octet of the peer's stream. For the same thread.
    void note_placed(std::uint64_t octets) { placed_.store(octets, std::memory_order_release); }

    // Framing needs these, under the lock.
    Sending sending() const REQUIRES(mutex_) { return sending_.load(std::memory_order_relaxed); }
    Output& output() REQUIRES(mutex_) { return output_; }
    InFlight& in_flight() REQUIRES(mutex_) { return in_flight_; }
    // Returns false if the socket is full, and so is the slab; or if there is no memory for a slab, and the stream ends.
    bool make_room(std::size_t ulpdu_bytes) REQUIRES(mutex_);
    // A message begins; it carries the receipt that is owed.
    void message_begins() REQUIRES(mutex_) { owed_receipts_.message_begins(placed_.load(std::memory_order_acquire)); }
    void stamp(OutboundSegment& segment) REQUIRES(mutex_);
    void flush() REQUIRES(mutex_);
    // Few enough octets are in the slab to wait there.
    bool keeps_few() const REQUIRES(mutex_);
    // A poller flushes at its next poll. False: too many octets wait, or no thread polls.
    bool may_keep() REQUIRES(mutex_);
    void confirm(std::uint64_t through) REQUIRES(mutex_);
    // Confirms as far as this side knows without an answer to a Read. Messages behind a Read wait for it.
    void confirm_known() REQUIRES(mutex_);
    // The peer has ended its direction, and messages count as placed when the stream has taken them.
    void outlive_end() REQUIRES(mutex_) { outlives_end_ = true; }
    bool outlives_end() const REQUIRES(mutex_) { return outlives_end_; }
    // Octets or a receipt are still to go.
    bool owes() const REQUIRES(mutex_) { return !output_.empty() || owes_receipt(); }
    // The peer sees the end of this side's direction. Only between two messages.
    void end_sending() REQUIRES(mutex_);
    // The Terminate of the peer has come: nothing is framed any more. Returns the state before.
    Sending seal() REQUIRES(mutex_);

    // The output at the end of receive().
    struct Rest {
        bool remains;  // octets or a receipt are still to go
        bool kept;     // the next poll takes them along
        bool blocked;  // the socket was full: an event tells of room
    };
    Rest settle(bool gave_results) REQUIRES(mutex_);
    // The thread that octets and receipts were left to polls no more.
    void flush_kept() EXCLUDES(mutex_);

    // The Terminate that is due once the answers before it have left. No other one goes out.
    void set_last_words(const Terminate& message) EXCLUDES(mutex_);
    void say_last_words() EXCLUDES(mutex_);
    // Sends a Terminate, unless another one is due or nothing is framed any more.
    void terminate(const Terminate& message) EXCLUDES(mutex_);
    // Likewise, unless the stream broke: then it returns false, and nobody is told.
    bool terminate_unless_broken(const Terminate& message) EXCLUDES(mutex_);

    // The socket has no more octets: `received` is success, or why it failed. `whole`: nothing of a message has begun to arrive.
    // Returns how the stream ended.
    StreamState::End find_end(Status received, bool whole) EXCLUDES(mutex_);
    // Ends a stream that nobody reads, if it broke.
    void look_for_break() EXCLUDES(mutex_);
    void close() EXCLUDES(mutex_);

    // Octets of the stream: taken by the socket, and acknowledged by the peer's system, which frees room in the socket in larger
    // steps.
    std::uint64_t sent() const EXCLUDES(mutex_);
    std::uint64_t delivered() const EXCLUDES(mutex_);
    // The system's counts of the connection.
    std::optional<StreamUse> use() const EXCLUDES(mutex_);

private:
    bool completes_locally() const REQUIRES(mutex_) {
        return stream_.completion() == CompletionProof::local || outlives_end_;
    }
    void before_sleep() override EXCLUDES(mutex_);
    bool leave_to_waiter() REQUIRES(mutex_);
    bool owes_receipt() const REQUIRES(mutex_);
    void put_receipt() REQUIRES(mutex_);
    void say(const Terminate& message) REQUIRES(mutex_);
    void lose(Status why) REQUIRES(mutex_);
    void note_break(Status why) REQUIRES(mutex_);
    void await_acknowledgement() REQUIRES(mutex_);
    void probe_when_idle() REQUIRES(mutex_);
    void look_at_silence() REQUIRES(mutex_);

    StreamState& stream_;
    Watching& watching_;

    mutable Mutex mutex_;
    Output output_ GUARDED_BY(mutex_);
    InFlight in_flight_ GUARDED_BY(mutex_);
    OwedReceipts owed_receipts_ GUARDED_BY(mutex_);
    Silence silence_ GUARDED_BY(mutex_);
    TimerId silence_timer_ GUARDED_BY(mutex_){};  // set while octets may be unacknowledged
    // The system probes an idle peer: that of an initiator only once the connection has lived for a while.
    bool probes_ GUARDED_BY(mutex_);
    // How the stream broke, which the system tells once; receive() ends it.
    StreamState::End break_ GUARDED_BY(mutex_) = StreamState::End::none;
    bool outlives_end_ GUARDED_BY(mutex_) = false;
    std::optional<Terminate> last_words_ GUARDED_BY(mutex_);

    std::atomic<Sending> sending_;  // written under mutex_. Relaxed for others: they find the rest under the lock
    // Written under mutex_. Relaxed: the completion of a message reads nothing that was written before.
    std::atomic<std::uint64_t> confirmed_{0};
    // Octets of the peer's stream through the newest Send or Write that is placed. Written by the thread in receive(), released
    // behind the message's octets.
    std::atomic<std::uint64_t> placed_{0};
};

}  // namespace opennd::iwarp
