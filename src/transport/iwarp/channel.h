// SPDX-License-Identifier: MIT
// A channel over one TCP connection: RDMAP over DDP over MPA. channel_start.cpp has the requests, channel_receive.cpp the
// arrivals, channel_answer.cpp the answers to Reads, channel_end.cpp the ends. Read transport/soft/channel/channel.h first.
//
// Threads: start() and receive() share the output, under a lock of its own; the rest belongs to one of the two.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/lock.h"
#include "model/provider_code.h"
#include "platform/descriptor/tcp_socket.h"
#include "platform/process/clock.h"
#include "platform/thread/event_loop.h"
#include "platform/thread/look_pacing.h"
#include "transport/iwarp/input.h"
#include "transport/iwarp/output.h"
#include "transport/iwarp/poller_watch.h"
#include "transport/iwarp/settings.h"
#include "transport/iwarp/silence.h"
#include "transport/iwarp/socket_source.h"
#include "transport/iwarp/stream/ddp_segmenter.h"
#include "transport/iwarp/stream/growing_ring.h"
#include "transport/iwarp/stream/mpa_agreement.h"
#include "transport/iwarp/stream/outstanding_reads.h"
#include "transport/iwarp/stream/read_request_intake.h"
#include "transport/iwarp/stream/receipts.h"
#include "transport/iwarp/stream/send_reassembly.h"
#include "transport/iwarp/stream/sent_messages.h"
#include "transport/iwarp/stream/stag_check.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/channel/traffic_ledger.h"
#include "transport/soft/engine/receive_turn.h"
#include "transport/soft/memory/resolved_memory.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::iwarp {

// The connection that a channel belongs to. Called on the service thread, with no lock held. As a looker it serves the queue pair
// while the channel looks_on().
class ChannelOwner : public EventLoop::Looker {
public:
    // Serve the queue pair, and act on an end of the stream.
    virtual void revisit() = 0;
    // A poller stopped silently, and arrivals had to wait until PollerWatch found out.
    virtual void poller_left() = 0;
};

class IwarpChannel final : public soft::Channel, public soft::PeerAttention, public soft::PeerAccess {
public:
    struct Parts {
        EventLoop* loop;  // outlives it; watches the socket already
        TcpSocket socket;
        MpaRole role;  // of the frame that this side sent
        MpaAgreement agreement;
        const soft::TokenTable* tokens;      // of the adapter, which outlives it
        std::uint32_t scope;                 // SoftQueuePair::scope of the queue pair
        std::span<const std::byte> arrived;  // octets behind the peer's frame
        Ref<ChannelOwner> owner;
        Completion completion;                 // as the administrator chose
        Ref<PollerWatch> pollers;              // of all connections
        bool opening_sent;                     // initiator: the RTR was sent already
        Ref<soft::TrafficLedger> ledger;       // of its interface
        std::string_view wire;                 // its name in the ledger
        Ref<SocketBuffers> buffers;            // of all connections
        std::chrono::milliseconds dead_after;  // a peer that acknowledges nothing for so long is lost
    };
    // Throws std::bad_alloc: the socket is still in `parts` then.
    explicit IwarpChannel(Parts&& parts);
    ~IwarpChannel() override;

    soft::StartResult start(const soft::OutboundRequest& request) override;
    std::size_t receive(soft::ReceiveTurn& turn, std::size_t budget) override;
    bool decline(soft::ReceiveTurn& turn) override;
    bool find_outcome(soft::Ticket ticket, Status& status) override;
    Status unfinished() const override;
    std::uint32_t failure_code(Operation operation, Status status) const override;
    void refuse(Status reason) override;
    void close() override;

    [[nodiscard]] bool hold_back() override;

    soft::Attention attention() const override { return attention_.load(std::memory_order_relaxed); }
    soft::Attention set_attention(soft::Attention attention) override;
    void nudge() override {}
    bool join(soft::Crowd& crowd, soft::Place place) override EXCLUDES(watch_mutex_);
    void leave(soft::Crowd& crowd) override EXCLUDES(watch_mutex_);
    void describe_connection(QueuePairUse& use) const override EXCLUDES(output_mutex_);
    std::string_view bulk_path() const;

    // Initiator: opens the stream with the agreed RTR (IW-CM-08).
    void open_stream();
    // The loop watches the socket as a stream's from now on.
    void watch();
    // For PollerWatch, on the service thread. False: PollerWatch forgets the channel.
    bool find_idle_poller() EXCLUDES(watch_mutex_);
    // In the turns of the loop, which own `pacing`. The queue pair was served for an event: after a Read or Write of the peer, the
    // loop may look for the next one from now on.
    void begin_to_look(LookPacing& pacing) EXCLUDES(watch_mutex_);
    // The queue pair was served in a look. False: it was the last one, and the loop watches the socket again.
    bool looks_on(LookPacing& pacing) EXCLUDES(watch_mutex_);
    // The owner is called no more, and the loop watches the socket no more.
    void stop_watching();
    // A request failed here: sends the Terminate for that, unless another is due (ND2-QP-RDMA-04).
    void tell_local_failure();
    // Ends this side's direction of the stream, in order. False: octets are still to go; call again soon. True: nothing is
    // sent any more, not even answers to the peer's Reads.
    bool finish() EXCLUDES(output_mutex_);
    // The peer has ended its direction, in order, and this side continues without its answers: messages count as placed when
    // the stream has taken them, and Reads fail.
    void outlive_end() EXCLUDES(output_mutex_);
    // As close(), but the peer sees a reset.
    void abort();
    // The same for the close() that comes.
    void reset_when_closed() { resets_ = true; }

    // The peer's first message has opened this side's direction (IW-CM-07).
    bool opened() const { return opened_.load(std::memory_order_acquire); }
    // The end of the stream by the peer.
    enum class End : std::uint8_t {
        none,      // not ended
        in_order,  // between two messages
        abnormal,  // within a message, or by a Terminate
        reset,     // by the peer's system
        lost,      // nothing answers any more
        refused,   // by a Terminate before any message
    };
    End ended() const { return end_.load(std::memory_order_acquire); }
    // Ends a stream that nobody reads, because a message waits for a receive, if it broke.
    void look_for_break() EXCLUDES(output_mutex_);
    // A message of the peer waits for a receive, so that nothing behind it is read.
    bool starved() const { return starved_.load(std::memory_order_relaxed); }
    // Grows with the octets that leave and the FPDUs that arrive.
    std::uint64_t octets_moved() const EXCLUDES(output_mutex_);

private:
    using Ulpdu = std::span<const std::byte>;
    // The outcome of one FPDU.
    enum class Step : std::uint8_t { consumed, message, blocked, stopped, nothing };
    // The message that is being framed: no other may go out before its last segment (IW-DDP-03).
    enum class Framing : std::uint8_t { nothing, request, response };

    // channel_start.cpp
    soft::StartResult start_read(const soft::OutboundRequest& request) REQUIRES(output_mutex_);
    soft::StartResult begun(std::uint64_t message) const REQUIRES(output_mutex_);
    bool begin_message(const soft::OutboundRequest& request) REQUIRES(output_mutex_);
    enum class Framed : std::uint8_t { whole, part, absent };
    Framed frame_part(std::span<const Sge> sges) REQUIRES(output_mutex_);
    void put_read_request(const ReadRequest& request, std::uint64_t number, bool fence) REQUIRES(output_mutex_);
    void fence_if_due() REQUIRES(output_mutex_);
    void fit_segments(std::size_t length_bytes) REQUIRES(output_mutex_);
    bool make_room(std::size_t ulpdu_bytes) REQUIRES(output_mutex_);
    void flush_output() REQUIRES(output_mutex_);
    void lose_output(Status why) REQUIRES(output_mutex_);
    void await_acknowledgement() REQUIRES(output_mutex_);
    void look_at_silence() REQUIRES(output_mutex_);
    void flush_unless_more_follows() REQUIRES(output_mutex_);
    bool may_keep_output() REQUIRES(output_mutex_);
    bool is_kept() REQUIRES(output_mutex_);
    bool completes_locally() const { return completion_ == Completion::local || outlives_end_.load(); }
    void open_again_in(std::chrono::milliseconds patience) REQUIRES(output_mutex_);
    void confirm(std::uint64_t through) REQUIRES(output_mutex_);
    void confirm_known() REQUIRES(output_mutex_);
    bool owes_receipt() const REQUIRES(output_mutex_);
    void put_receipt() REQUIRES(output_mutex_);
    void stamp(OutboundSegment& segment) REQUIRES(output_mutex_);
    Stag next_sink() REQUIRES(output_mutex_);

    // channel_receive.cpp
    Step take_next(soft::ReceiveTurn& turn, bool results);
    void finish_receiving(Step last, bool gave_results);
    bool fetch();
    Step take(Ulpdu ulpdu, soft::ReceiveTurn& turn);
    Step dispatch(const Segment& segment, soft::ReceiveTurn& turn);
    Step take_send(const Segment& segment, soft::ReceiveTurn& turn);
    Step place_send(const Segment& segment, const SendPlacement& placement, std::span<const Sge> target,
                    soft::ResolvedMemory& memory, soft::ReceiveTurn& turn);
    Step take_write(const Segment& segment, soft::ReceiveTurn& turn);
    Step take_stamp(const Segment& segment);
    Step take_receipt(const Receipt& receipt, Ulpdu ulpdu);
    void note_placed();
    void note_one_sided();
    // The first message of a stream that is opened by a message: no program waits for its receipt.
    bool is_opening() const { return agreement_.rtr != Rtr::none && !opened(); }
    Step take_read_request(const Segment& segment);
    Step take_read_response(const Segment& segment, soft::ReceiveTurn& turn);
    Checked<ResponsePlacement> accept_response(const Segment& segment);
    Step lose_read_target();
    bool finish_read();
    TaggedBuffer buffer_of(Stag stag) const;
    TaggedBuffer paged_buffer_of(Stag stag, const soft::MemoryGrant& grant, TaggedBuffer buffer) const;
    bool find_places(Stag stag, std::uint64_t from, std::uint32_t bytes, Access wanted, std::span<const Sge>& places,
                     soft::ResolvedMemory& memory) const;

    // channel_answer.cpp
    bool owes_answers() const { return !questions_.empty(); }
    void answer_reads(soft::ReceiveTurn& turn);
    enum class Answered : std::uint8_t { part, nothing, withdrawn };
    Answered answer_part();
    void refuse_answer(const Fault& fault);
    void drop_questions();

    // channel_end.cpp
    Step take_terminate(const Segment& segment);
    Step fault(const Fault& fault, Ulpdu blamed);
    Step stop(const Terminate& message);
    void say_last_words(soft::ReceiveTurn& turn);
    // Octets of the stream that the peer's system has acknowledged. The system frees room in the socket in larger steps.
    std::uint64_t delivered() const;
    void end_stream(const Terminate& message) REQUIRES(output_mutex_);
    void terminate(const Terminate& message) REQUIRES(output_mutex_);
    void note(const TerminateCause& cause);
    void fail_request(std::uint64_t number, Status status) REQUIRES(output_mutex_);
    void fail_oldest_read(Status status) REQUIRES(output_mutex_);
    void note_break(Status why) REQUIRES(output_mutex_);
    void end(End how);
    void tell_owner();

    // channel.cpp
    void keep_watch();
    bool needs_watch() const;
    bool in_crowd() const { return crowds_.load(std::memory_order_relaxed) != 0; }
    bool is_polled_in_crowds() EXCLUDES(watch_mutex_);
    bool keep_in_crowds() EXCLUDES(watch_mutex_);
    void watch_as(soft::Attention attention) REQUIRES(watch_mutex_);
    void watch_room() EXCLUDES(watch_mutex_);
    bool may_look() const;
    bool has_served();
    void set_looks(bool looks) EXCLUDES(watch_mutex_);
    Ref<ChannelOwner> owner() EXCLUDES(watch_mutex_);

    // Constant after construction.
    EventLoop& loop_;
    const MpaAgreement agreement_;
    const Completion completion_;
    const soft::TokenTable& tokens_;
    const std::uint32_t scope_;
    const Ref<PollerWatch> pollers_;
    const bool opening_sent_;
    const Ref<SocketBuffers> buffers_;
    bool finds_silence_;  // the system tells what the peer's has acknowledged

    soft::TrafficMeter traffic_;  // `started` under output_mutex_, `taken` by the thread in receive()

    // The descriptor is closed under output_mutex_ and watch_mutex_, when neither start() nor receive() runs any more.
    TcpSocket socket_;

    // Taken for each part of a message; held across one write to the socket, which never blocks.
    mutable Mutex output_mutex_;
    Output output_ GUARDED_BY(output_mutex_);
    Framing framing_ GUARDED_BY(output_mutex_) = Framing::nothing;
    std::optional<DdpSegmenter> segmenter_ GUARDED_BY(output_mutex_);  // of that message
    std::size_t mulpdu_ GUARDED_BY(output_mutex_);
    std::uint32_t send_msn_ GUARDED_BY(output_mutex_) = 1;
    std::uint32_t read_msn_ GUARDED_BY(output_mutex_) = 1;
    std::uint32_t last_sink_ GUARDED_BY(output_mutex_);
    SentMessages sent_ GUARDED_BY(output_mutex_);
    // Reads in flight as the wire has them, and beside each its message here.
    struct OpenRead {
        std::uint64_t number;  // of its message; for a fence, of the newest message before it
        bool fence;
    };
    OutstandingReads reads_ GUARDED_BY(output_mutex_);
    GrowingRing<OpenRead> open_reads_ GUARDED_BY(output_mutex_);
    TimerId opening_timer_ GUARDED_BY(output_mutex_){};
    Silence silence_ GUARDED_BY(output_mutex_);
    TimerId silence_timer_ GUARDED_BY(output_mutex_){};  // set while octets may be unacknowledged
    End break_ GUARDED_BY(output_mutex_) =
        End::none;  // how the stream broke, which the system tells once; receive() ends it
    std::uint64_t covered_ GUARDED_BY(output_mutex_) = 0;  // messages through this one have a Read behind them
    std::uint32_t fences_open_ GUARDED_BY(output_mutex_) = 0;
    PeerReceipts peer_receipts_ GUARDED_BY(output_mutex_);
    OwedReceipts owed_receipts_ GUARDED_BY(output_mutex_);
    bool sealed_ GUARDED_BY(output_mutex_) = false;    // nothing is framed any more
    bool in_a_row_ GUARDED_BY(output_mutex_) = false;  // a message has left since the newest receive()
    // The status of a message of this side that the peer has not placed.
    struct Failure {
        std::uint64_t number = 0;
        Status status = Status::success;
    };
    Failure failure_ GUARDED_BY(output_mutex_);
    // The Terminate that is due once the answers before it have left. No other one goes out.
    std::optional<Terminate> last_words_ GUARDED_BY(output_mutex_);

    // Messages through this one are placed. Relaxed: their completion reads nothing that was written before.
    std::atomic<std::uint64_t> confirmed_{0};
    // find_outcome() looks beyond confirmed_: failure_ is set, or a flush comes.
    std::atomic<bool> looks_closely_{false};

    // Octets of the peer's stream through the newest Send or Write that is placed. Stored by the thread in receive(), released
    // behind the message's octets.
    std::atomic<std::uint64_t> placed_{0};

    // Owned by the thread in receive() or decline().
    Input input_;
    std::optional<Ulpdu> waiting_;  // not taken yet: its message waits for a receive
    SendReassembly sends_;
    ReadRequestIntake intake_;
    struct Question {
        ReadRequest request;
        ReadRequest::Ulpdu ulpdu;  // for a Terminate to quote
    };
    GrowingRing<Question> questions_;  // no more than intake_ admits
    bool receiving_ = false;
    bool fetched_ = false;        // the newest receive() has asked the socket
    bool declining_ = false;      // the queue pair was flushed
    bool halted_ = false;         // after the first fault nothing is taken (IW-DDP-12); earlier Reads are answered
    SteadyTime last_words_by_{};  // the deadline of last_words_; extended while the peer acknowledges answers
    std::uint64_t delivered_by_then_ = 0;  // delivered(), when that was set
    bool stopped_ = false;                 // the Terminate was sent, or none is due
    std::atomic<bool> resets_{false};      // close() resets the stream

    // Each is read again and again. Release and acquire where the reader also reads earlier stores.
    std::atomic<bool> opened_;
    std::atomic<bool> gate_open_;  // this side may send
    std::atomic<End> end_{End::none};
    std::atomic<bool> closed_{false};
    // The number of the cause in the Terminate that ends the stream, either way. Relaxed: requests that complete because of it
    // complete after the store.
    static constexpr std::int32_t kNoTerminate = -1;
    std::atomic<std::int32_t> terminate_{kNoTerminate};
    std::atomic<bool> starved_{false};
    std::atomic<bool> sending_ended_{false};  // this side's direction has ended in order
    std::atomic<bool> outlives_end_{false};

    // The threads that read the socket: pollers, or the service thread.
    std::atomic<soft::Attention> attention_{soft::Attention::asleep};
    std::atomic<std::uint32_t> receives_{0};  // calls of receive()
    std::atomic<bool> unfinished_{
        false};  // the newest receive() left work that needs no arrival; left_work_ is a part of that
    std::atomic<bool> kept_watch_{false};  // pollers_ has this channel, and calls find_idle_poller()
    std::uint32_t receives_seen_ = 0;      // owned by find_idle_poller()
    // Reads and Writes of the peer that were taken. Stored by the thread in receive(); relaxed: it tells whether there were any.
    std::atomic<std::uint32_t> one_sided_{0};
    std::uint32_t one_sided_seen_ = 0;  // owned by the turns of the loop, and so the next one
    LookPacing::Place look_;
    Mutex watch_mutex_;  // only the loop is called under it
    bool watched_ GUARDED_BY(watch_mutex_) = false;
    std::atomic<bool> watches_room_{false};  // for good, since the socket was full once. Written under watch_mutex_
    std::atomic<bool> looks_{
        false};  // the loop looks instead of watching for arrivals. Written under watch_mutex_, in turns
    Ref<ChannelOwner> owner_ GUARDED_BY(watch_mutex_);
    // A queue pair has two completion queues at most.
    struct Membership {
        Ref<SocketSource> source;
        soft::Place place{};
    };
    std::array<Membership, 2> memberships_ GUARDED_BY(watch_mutex_);
    std::atomic<std::uint32_t> crowds_{0};  // memberships. Written under watch_mutex_; relaxed: only a hint
};

// The number of a peer's memory as it stands in a frame: the token's octets unchanged (IW-ND-05).
Stag to_stag(Token token);
Token to_token(Stag stag);

// Names one of this side's messages to its initiator.
soft::Ticket ticket_of(std::uint64_t number, bool read);

}  // namespace opennd::iwarp
