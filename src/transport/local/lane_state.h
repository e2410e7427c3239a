// SPDX-License-Identifier: MIT
// The two lanes of a ring channel as its parts share them: the frames of both directions, the receives that the peer has shown, and the
// marks of this side's accesses to the peer's memory. A part knows this base of the channel, the parts below it, and no more. Read
// arena/segment.h first.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/lock.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/arena/segment.h"
#include "transport/local/consumer.h"
#include "transport/local/link/link_end.h"
#include "transport/local/peer_bell.h"
#include "transport/local/peer_memory.h"
#include "transport/local/producer.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/channel/traffic_ledger.h"
#include "transport/soft/memory/ordered_copy.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::local {

enum class Side : std::uint8_t { active, passive };

class LaneState : public soft::Channel {
public:
    struct Parts {
        Ref<LinkMemory> memory;  // of this side of the link
        std::uint32_t number;    // of the connection on the link
        Side side;
        const soft::TokenTable* own_tokens;  // outlives the channel
        soft::PeerTokenTable peer_tokens;
        Ref<LinkEnd> link_end;  // null: the peer polls, and is never woken
        std::unique_ptr<PeerMemory> peer_memory;
        bool asymmetric;                                                    // both sides can make heavy barriers
        std::uint32_t peer_scope;                                           // SoftQueuePair::scope of the peer's
        Ref<soft::TrafficLedger> ledger = make_ref<soft::TrafficLedger>();  // of its interface
        std::string_view wire = {};                                         // its name in the ledger
        std::optional<bool> places = {};  // long Sends out of private memory are placed; none: as placing_choice() says
    };

    const Parts& parts() const { return parts_; }
    PeerMemory& peer_memory() const { return *parts_.peer_memory; }
    // Long Sends out of private memory are placed by their sender; else streamed.
    bool places() const { return places_; }
    Lane& out() const { return out_; }
    Lane& in() const { return in_; }
    Producer& producer() { return producer_; }
    Consumer& consumer() { return consumer_; }
    soft::TrafficMeter& traffic() { return traffic_; }
    std::string_view bulk_path() const;

    void ring_peer() { bell_.ring(); }
    PeerBell& bell() { return bell_; }

    // ---- frames going out ----

    // Held for each frame of a long message, which is produced without the queue pair's lock, and for each read reply of
    // the responder. Short requests need only the queue pair's lock: the initiator is one thread, and the responder
    // produces no frame while it has that lock released (ReceiveTurn::begin_long_copy).
    SpinLock& tx_lock() { return tx_lock_; }
    // absent: memory of the list is gone (guarded_copy.h).
    enum class Put : std::uint8_t { sent, no_room, absent };
    // Puts one frame with the next header.length bytes into the lane, under the lock.
    Put put(const Producer::Header& header, soft::SgeCursor& from, std::uint32_t& number);
    // Gives memory back that the lane does not need now.
    void give_back_surplus() {
        if (producer_.can_give_back()) give_back();
    }
    // Returns true if the peer ended the connection at this frame or before it, as far as this side knows.
    bool is_refused(std::uint32_t number, Status& status) const;
    // Returns true if the peer ended the connection. A request that cannot go on then counts as in flight, with the
    // number of the next frame, which never comes: find_outcome() has the reason.
    bool refused() const;
    // The number of Reads that travel as frames and are not answered. Relaxed: a reply comes after its request, which
    // comes after this store.
    std::atomic<std::uint32_t>& reads_asked() { return reads_asked_; }

    // ---- receives that one side shows to the other, for a long message out of private memory ----

    // Returns true if the peer has shown the receive that waits for the next message, and it is long enough.
    bool find_shown(std::uint32_t length_bytes, ShownReceive& shown);
    void take_shown(const ShownReceive& shown);
    // Shows the peer a receive of this side, which waits for the message behind the frame at the front.
    void show(std::uint64_t address, std::uint32_t length, Token token);
    // Returns true if this side has shown a receive. For the thread in receive(), or when none is there.
    bool has_shown() const { return shown_made_ != 0; }

    // ---- accesses of this side to the peer's memory ----

    // Marks an access, so that the memory's owner can wait for its end. The caller then checks that the access is still
    // granted: that the token lives, or the frame is in sight.
    void enter_access(std::atomic<std::uint32_t>& mark, std::uint32_t number) const {
        enter_access(mark, number, parts_.asymmetric);
    }
    static void enter_access(std::atomic<std::uint32_t>& mark, std::uint32_t number, bool asymmetric) {
        mark.store(number, std::memory_order_relaxed);
        if (asymmetric)
            light_barrier();  // the owner issues a heavy one after it took the grant back
        else
            full_barrier();
    }
    // Returns true if the peer's queue pair is closed. Called after enter_access(), or before it to save an access.
    bool is_peer_closed() const { return out_.wishes.closed.load(std::memory_order_relaxed) != 0; }
    // Begins no access to the peer's memory any more: the peer has sent its last message.
    void keep_out_of_peer() { out_.wishes.closed.store(1, std::memory_order_relaxed); }

    void close() override { closed_.store(true, std::memory_order_relaxed); }
    bool is_closed() const { return closed_.load(std::memory_order_relaxed); }

    // ---- the words that every channel has, for the thread in receive() ----

    // Lets has_arrival() tell of the next frame from here on.
    void watch_next_frame() {
        arrival_.store(consumer_.arrival(), std::memory_order_relaxed);
        expected_.store(consumer_.next() + 1, std::memory_order_relaxed);
    }
    // Lets has_arrival() be true until watch_next_frame(), without a frame.
    void show_arrival();
    void set_waits_for_peer(bool waits) { receive_waits_.store(waits, std::memory_order_relaxed); }
    void break_off() { broken_.store(true, std::memory_order_relaxed); }

protected:
    LaneState(soft::PeerAttention& peer, soft::PeerAccess& access, Parts&& parts);

private:
    [[gnu::noinline]] void give_back();
    Put put_locked(const Producer::Header& header, soft::SgeCursor& from, std::uint32_t& number);

    // Constant after construction.
    Parts parts_;
    const bool places_;
    soft::TrafficMeter traffic_;  // a Read or Write counts where it is carried out
    Lane& out_;                   // this side produces
    Lane& in_;                    // this side consumes

    Producer producer_;
    Consumer consumer_;
    PeerBell bell_;
    SpinLock tx_lock_;

    // The newest receive that the peer has shown; and the counts of frames that show receives, made here and taken
    // here. Guarded by tx_lock_.
    ShownReceive shown_{};
    std::uint32_t shown_made_ = 0, shown_taken_ = 0;

    std::atomic<std::uint32_t> reads_asked_{0};
    std::atomic<std::uint64_t> stand_in_{0};  // the arrival word of show_arrival()
    std::atomic<bool> closed_{false};         // relaxed: it is read again and again, and publishes nothing else
};

}  // namespace opennd::local
