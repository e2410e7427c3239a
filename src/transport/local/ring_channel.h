// SPDX-License-Identifier: MIT
// A channel over two lanes of shared memory. Sends travel through the lane, or the peer fetches them from this side's memory.
// Reads and Writes are carried out here, after a check of the peer's token table; they travel as frames only where this side
// cannot reach the peer's memory. Read segment.h and transport/soft/channel/channel.h first.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "model/provider_code.h"
#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/consumer.h"
#include "transport/local/link/link.h"
#include "transport/local/link/segment.h"
#include "transport/local/peer_memory.h"
#include "transport/local/producer.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/channel/traffic_ledger.h"
#include "transport/soft/memory/ordered_copy.h"
#include "transport/soft/memory/resolved_memory.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::local {

// Marks the ticket of a Read that travels as frames; the rest is the number of its request frame.
inline constexpr std::uint64_t kReadTicket = std::uint64_t{1} << 32;

enum class Side : std::uint8_t { active, passive };

class RingChannel final : public soft::Channel, public soft::PeerAttention, public soft::PeerAccess {
public:
    struct Parts {
        Ref<LinkMemory> memory;  // of this side of the link
        std::uint32_t number;    // of the connection on the link
        Side side;
        const soft::TokenTable* own_tokens;  // outlives the channel
        soft::PeerTokenTable peer_tokens;
        Ref<Line> line;  // null: the peer polls, and is never woken
        std::unique_ptr<PeerMemory> peer_memory;
        bool asymmetric;                                                    // both sides can make heavy barriers
        std::uint32_t peer_scope;                                           // SoftQueuePair::scope of the peer's
        Ref<soft::TrafficLedger> ledger = make_ref<soft::TrafficLedger>();  // of its interface
        std::string_view wire = {};                                         // its name in the ledger
        std::optional<bool> places = {};  // long Sends out of private memory are placed; none: as placing_choice() says
    };
    explicit RingChannel(Parts parts);
    ~RingChannel() override;

    soft::StartResult start(const soft::OutboundRequest& request) override;
    soft::StartResult start_apart(const soft::OutboundRequest& request) override;
    [[nodiscard]] bool abandon_start() override;
    bool carry_out(const soft::OutboundRequest& request) override;
    std::size_t receive(soft::ReceiveTurn& turn, std::size_t budget) override;
    bool find_outcome(soft::Ticket ticket, Status& status) override;
    Status unfinished() const override;
    std::uint32_t failure_code(Operation, Status status) const override {
        return provider_code(ProviderWire::shared_memory, static_cast<std::uint32_t>(status));
    }
    void refuse(Status reason) override;
    void close() override { closed_.store(true, std::memory_order_relaxed); }

    // ring_access.cpp
    bool peer_accesses(Token token) const override;
    [[nodiscard]] bool exclude_peer() override;
    void disbelieve_peer() override { disbelieved_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool hold_back() override;
    void withdraw() override;

    // ring_attention.cpp
    soft::Attention attention() const override { return attention_.load(std::memory_order_relaxed); }
    soft::Attention set_attention(soft::Attention attention) override EXCLUDES(wish_lock_);
    void nudge() override;
    bool relies_on_peers_pollers() const override { return !peer_sleeps(); }
    void read_counters() override;
    bool has_outcome() const override { return producer_.has_news(); }
    [[nodiscard]] bool join(soft::Crowd& crowd, soft::Place place) override EXCLUDES(wish_lock_);
    void leave(soft::Crowd& crowd) override EXCLUDES(wish_lock_);
    [[nodiscard]] bool follow(bool closely) override EXCLUDES(wish_lock_);

    void describe_connection(QueuePairUse& use) const override;
    std::string_view bulk_path() const;

    PeerMemory& peer_memory() { return *parts_.peer_memory; }
    // Returns true if a message was offered to the peer out of this segment of this side's memory. Any thread.
    bool offered(std::uint32_t segment);
    // Begins no access to the peer's memory any more: the peer has sent its last message.
    void stop_accesses() { out_.wishes.closed.store(1, std::memory_order_relaxed); }
    // Notes that the peer is gone, or reported its end: none of its accesses is in progress any more.
    void end_peer() {
        stop_accesses();
        peer_ended_.store(true, std::memory_order_release);
    }

private:
    // The outcome of one frame.
    enum class Step : std::uint8_t { consumed, message, blocked, stopped };

    // ring_start.cpp: requests going out.
    soft::StartResult start_send(const soft::OutboundRequest& request);
    [[gnu::noinline]] soft::StartResult start_long_send(const soft::OutboundRequest& request);
    soft::StartResult start_pull(const soft::OutboundRequest& request);
    soft::StartResult start_one_sided(const soft::OutboundRequest& request);
    soft::StartResult stream(const soft::OutboundRequest& request, FrameKind kind);
    soft::StartResult ask_to_read(const soft::OutboundRequest& request);
    bool worth_pulling(const soft::OutboundRequest& request);
    bool may_offer(std::uint32_t segment);
    [[gnu::noinline]] bool carry_out_after_reading_counters(const soft::OutboundRequest& request);
    bool copy_now(const soft::OutboundRequest& request);
    [[gnu::cold]] static Status refuse_absent(const soft::OutboundRequest& request);
    void count_copy(const soft::OutboundRequest& request);
    soft::StartResult start_another_way(const soft::OutboundRequest& request, bool may_be_apart);
    bool find_shown(std::uint32_t length_bytes, ShownReceive& shown);
    soft::StartResult place(const soft::OutboundRequest& request);
    Status copy_to_shown(const soft::OutboundRequest& request, const ShownReceive& shown);
    bool is_granted(const ShownReceive& shown, std::uint32_t length_bytes) const;
    soft::StartResult by_frames(const soft::OutboundRequest& request);
    Status copy_by_kernel(const soft::OutboundRequest& request);
    static Status outcome_of_copy(Status copied);
    [[gnu::always_inline]] inline bool find_grant(const soft::OutboundRequest& request, soft::MemoryGrant& grant,
                                                  bool& alive);
    bool is_paged(const soft::OutboundRequest& request, bool alive, soft::MemoryGrant& grant) const;
    [[gnu::cold]] static void report_target(const soft::OutboundRequest& request, bool alive,
                                            const soft::MemoryGrant& grant);
    [[gnu::cold]] static void report_copy(const soft::OutboundRequest& request, Status status);
    [[nodiscard]] bool copy_mapped(const soft::OutboundRequest& request, std::byte* remote);
    // absent: memory of the list is gone (guarded_copy.h).
    enum class Put : std::uint8_t { sent, no_room, absent };
    Put put(const Producer::Header& header, soft::SgeCursor& from, std::uint32_t& number);
    bool is_refused(std::uint32_t number, Status& status) const;
    void tell_given_up();
    // Returns true if the peer ended the connection. A request that cannot go on then counts as in flight, with the
    // number of the next frame, which never comes: find_outcome() has the reason.
    bool refused() const;
    // Wakes the peer, after every store that it may wait for. The common case, a peer that polls, costs a load.
    void wake_peer() {
        light_barrier();  // the store precedes the load; a peer that stops polling completes this with a heavy barrier
        const std::uint32_t wish = out_.wishes.attention.load(std::memory_order_relaxed);
        if (wish != kPolling) wake_waiting_peer(wish);
    }
    [[gnu::noinline]] void wake_waiting_peer(std::uint32_t wish);
    void ring_sleeping_peer(std::uint32_t wish);
    bool peer_sleeps() const;
    void say_wish() REQUIRES(wish_lock_);
    void note_offer(std::uint32_t segment);
    // Marks an access, so that the memory's owner can wait for its end. The caller then checks that the access is still
    // granted: that the token lives, or the frame is in sight.
    void enter_access(std::atomic<std::uint32_t>& mark, std::uint32_t number) {
        mark.store(number, std::memory_order_relaxed);
        if (parts_.asymmetric)
            light_barrier();  // the owner issues a heavy one after it took the grant back
        else
            full_barrier();
    }
    // Returns true if the peer's queue pair is closed. Called after enter_access(), or before it to save an access.
    bool is_closed() const { return out_.wishes.closed.load(std::memory_order_relaxed) != 0; }
    [[nodiscard]] bool hold_back_requests();
    // Returns true if the peer is in the middle of taking frames, or claims it.
    bool peer_takes() const;
    // Lets the peer place no message into a receive of this side from now on. Returns true if it is not in the middle
    // of one.
    [[nodiscard]] bool close_receives();
    [[gnu::cold]] void give_up_waiting(std::string_view operation);
    [[gnu::noinline]] void give_back();
    // Returns true if none of the peer's accesses is in progress, or if its marks do not count any more.
    bool is_past_waiting() const {
        return peer_ended_.load(std::memory_order_acquire) || disbelieved_.load(std::memory_order_relaxed);
    }

    // ring_receive.cpp: frames coming in.
    // Lets has_arrival() tell of the next frame from here on.
    void watch_next_frame() {
        arrival_.store(consumer_.arrival(), std::memory_order_relaxed);
        expected_.store(consumer_.next() + 1, std::memory_order_relaxed);
    }
    // Takes a frame that is not the common case. It gets the header by value, so that the common case has it in
    // registers.
    [[gnu::noinline]] Step take(Consumer::Header frame, soft::ReceiveTurn& turn);
    bool is_whole_and_short(const Consumer::Header& frame) const;
    Step take_send(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    [[gnu::always_inline]] inline Step take_whole_send(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Step place_whole_send(Consumer::Header frame, soft::ReceiveTurn& turn);
    Step take_pull(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Status fetch(std::span<const PullPiece> pieces, std::span<const Sge> target);
    Status fetch_piece(const PullPiece& piece, std::span<const Sge> target, std::uint64_t skip);
    Step fetched(Status status);
    Step take_shown(const Consumer::Header& frame);
    Step take_placed(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    void show_next_receive(soft::ReceiveTurn& turn);
    Step take_write(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    // A Read of the peer.
    struct Question {
        std::uint32_t number;  // of its frame
        Token token;
        std::uint64_t address;
        std::uint32_t total;
        std::uint32_t answered;  // bytes
    };
    Step take_read_request(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Step answer(Question& question, soft::ReceiveTurn& turn);
    Step put_off(const Question& question);
    std::size_t answer_those_put_off(soft::ReceiveTurn& turn);
    void show_arrivals();
    Step take_read_reply(const Consumer::Header& frame, soft::ReceiveTurn& turn);
    Step pass_over(soft::ReceiveTurn& turn);
    Step begin_message(std::uint32_t total, bool solicited, soft::ReceiveTurn& turn, std::span<const Sge>& target,
                       soft::ResolvedMemory& memory);
    Step wait_for_peer();
    [[gnu::cold]] Step lose_receive(soft::ReceiveTurn& turn);
    Step stop(Status reason) { return stop(consumer_.next(), reason); }
    Step stop(std::uint32_t frame, Status reason);
    void refuse_at(std::uint32_t frame, Status reason);
    Step break_off(const char* rule);
    void publish_consumed();

    // Constant after construction.
    Parts parts_;
    const bool places_;           // long Sends out of private memory are placed by their sender; else streamed
    soft::TrafficMeter traffic_;  // a Read or Write counts where it is carried out
    Lane& out_;                   // this side produces
    Lane& in_;                    // this side consumes

    Producer producer_;
    Consumer consumer_;
    // This lock is taken for each frame of a long message, which is produced without the queue pair's lock, and for
    // each read reply of the responder. Short requests need only the queue pair's lock: it excludes the responder, and
    // the initiator is one thread.
    SpinLock tx_lock_;

    // The newest receive that the peer has shown; and the counts of frames that show receives, made here and taken
    // here. Guarded by tx_lock_.
    ShownReceive shown_{};
    std::uint32_t shown_made_ = 0, shown_taken_ = 0;

    // The wishes of this side: the lane's word, in memory that no peer writes.
    SpinLock wish_lock_;  // nothing is called under it, but for Line::count_polled()
    std::atomic<soft::Attention> attention_{
        soft::Attention::asleep};                           // written under wish_lock_. Relaxed: callers order it
    std::uint32_t crowds_ GUARDED_BY(wish_lock_) = 0;       // as in LaneWish
    bool followed_ GUARDED_BY(wish_lock_) = false;          // by the poller of the only crowd
    bool counts_as_polled_ GUARDED_BY(wish_lock_) = false;  // Line::count_polled()

    // Owned by the thread in start().
    std::uint32_t streamed_ = 0;  // bytes of the current request already on their way
    bool met_absent_ = false;     // the newest copy_mapped() found memory of one side gone
    std::uint32_t offered_last_ = 0;
    Token cached_token_ = Token::none;
    const soft::TokenSlot* cached_slot_ = nullptr;

    // The time when the thread in start_apart() entered the kernel for one part of a copy, in nanoseconds of the steady
    // clock; 0: it is not there; kAbandoned: abandon_start() gave the start up. Both sides change it by an exchange, so
    // that the thread either sees kAbandoned or was in time. Relaxed: the queue pair's lock orders all else between the
    // two.
    static constexpr std::int64_t kAbandoned = -1;
    std::atomic<std::int64_t> in_kernel_since_{0};
    template <typename Work>
    bool in_kernel(Work work);

    Mutex offers_mutex_;  // nothing is called under it
    std::set<std::uint32_t> offers_ GUARDED_BY(offers_mutex_);

    // The number of Reads that travel as frames and are not answered. Relaxed: a reply comes after its request, which
    // comes after this store.
    std::atomic<std::uint32_t> reads_asked_{0};

    // Owned by the thread in receive().
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
    std::atomic<std::uint64_t> put_off_{0};  // as long as there are such, an arrival
    enum class Taking : std::uint8_t { freely, beside_questions, nothing };
    Taking taking_ = Taking::freely;          // `nothing`: this side refused a frame
    std::atomic<bool> told_given_up_{false};  // relaxed: whichever thread sees it first tells it

    // The state of requests that are flushed: out of the peer's sight. Under the queue pair's lock.
    enum class Holding : std::uint8_t { nothing, hidden, rest, ended };
    Holding holding_ = Holding::nothing;
    SteadyTime taken_by_{};  // while hidden: after this the peer's mark does not count
    bool receives_closed_ = false;
    SteadyTime placed_by_{};  // while receives are closed: likewise

    // Relaxed: each is read again and again; they publish nothing else.
    std::atomic<bool> closed_{false};
    std::atomic<bool> peer_ended_{false};
    std::atomic<bool> disbelieved_{false};
};

}  // namespace opennd::local
