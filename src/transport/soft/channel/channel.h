// SPDX-License-Identifier: MIT
// The second seam: a wire as the software RNIC uses it. A channel carries one connection's requests down to the peer
// and the peer's messages up to the responder. It knows nothing of completion queues, depths or faces. Read peer_attention.h and
// peer_access.h next: the peer that is woken, and the peer that may be in an access.
//
// Threads: the one thread in the queue pair's initiator calls start(), the one in its responder receive(); the two may be
// different threads at the same time. The other functions state their threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ref.h"
#include "base/status.h"
#include "model/access.h"
#include "model/sge.h"
#include "model/work_request.h"
#include "platform/process/clock.h"
#include "transport/soft/channel/peer_access.h"
#include "transport/soft/channel/peer_attention.h"

namespace opennd::soft {

class ConnectionTap;
class ReceiveTurn;

// The most entries of a request (AdapterLimits::max_initiator_sges, max_read_sges) and of a receive. Versions 1 and 2
// report fewer (NDK-CONS-25).
inline constexpr std::uint32_t kMaxSges = 32;

// One request of the send queue on its way out. `sges`, at most kMaxSges, are checked: every entry lies in live local memory with
// the rights the operation needs, and remains there while start() runs.
struct OutboundRequest {
    Operation operation;
    RequestFlags flags;
    std::span<const Sge> sges;
    std::uint32_t length_bytes;
    std::uint64_t remote_address;
    Token remote_token;
    bool by_poster = false;  // the posting thread calls start(), over plain memory: start_unlocked() may follow
};

// Names a request in flight to the channel that started it.
enum class Ticket : std::uint64_t {};

enum class Start : std::uint8_t {
    done,       // finished with the status given: its effect is at the peer
    in_flight,  // on its way; find_outcome() has its outcome
    blocked,    // no room now; call start() again with the same request after progress
    unlocked,   // nothing happened; call start_unlocked()
};

struct StartResult {
    Start start;
    Status status = Status::success;  // with done
    Ticket ticket{};                  // with in_flight
};

// The time after which a thread looks again at work that waits for the peer and that a poller may have left.
inline constexpr std::chrono::milliseconds kRevisitDelay{5};

// The length above which copies run without the queue pair's lock.
inline constexpr std::uint32_t kLongCopyBytes = 16 * 1024;

// Constant for each channel.
struct ChannelFacts {
    // A wire over a socket: the socket itself makes the service thread run the queue pair for an arrival or for room, unless a thread
    // polls, and for work that a poller left. Its peer does not ring, and has_arrival() is always true.
    bool over_socket = false;
    ConnectionTap* tap = nullptr;  // the layer's own; null: the channel is no layer
};

class Channel : public RefCounted {
public:
    // Begins or continues a request. Requests are started strictly in posting order. Does not wait for the peer.
    virtual StartResult start(const OutboundRequest& request) = 0;
    // Does as start() for a request with immediate data. Never returns unlocked.
    virtual StartResult start_with_immediate(const OutboundRequest& request, std::uint32_t immediate) = 0;
    // Returns false if the peer takes no messages with immediate data: start_with_immediate() is not called then. It may
    // become known with the first message of the peer, before which nothing starts. Any thread.
    virtual bool carries_immediate() const { return true; }
    // Starts a request that start() returned as unlocked, in the same thread, without the queue pair's lock. The peer
    // decides how long it takes. Never returns unlocked.
    virtual StartResult start_unlocked(const OutboundRequest&) { return {Start::blocked}; }
    // Abandons the start if the peer holds up the thread in start_unlocked() for too long. Returns true if the start is
    // abandoned: its result counts no more, and the thread touches nothing when the start returns. Any thread; called
    // while the initiator is busy.
    [[nodiscard]] virtual bool abandon_start() { return false; }

    // Carries out a Read or Write, not empty, with no request before it in the queue. Returns true if it was carried
    // out on the spot, and its effect is at the peer. Returns false if nothing happened; start() carries it out or
    // finds its fault.
    virtual bool carry_out(const OutboundRequest&) { return false; }

    // Moves at most `budget` arrived messages up to the responder: as many as the caller has room for results. Returns the
    // number of messages that moved completely; fewer than `budget`: no further message can move now. A message that makes
    // a result here counts, an answer to a Read of this side as well; whether others count is up to the wire. Copies run in
    // the caller.
    // A broken rule of the wire ends the channel: broken() is true from then on.
    virtual std::size_t receive(ReceiveTurn& turn, std::size_t budget) = 0;

    // Returns false if the request is still on its way as far as this side knows, else fills in its status. Called for the
    // oldest first. The success of a Read that messages answer comes by ReceiveTurn::read_done(), and only its failure is
    // found here. A message of the peer brings counts, known once the message is moved up; PeerAttention::read_counters()
    // reads the rest.
    virtual bool find_outcome(Ticket ticket, Status& status) = 0;
    // The status of a request that start() left in the middle and that will not go on: the peer's reason, or canceled.
    virtual Status unfinished() const = 0;
    // Returns this wire's code for the cause when `operation` of this side completes with `status`, a failure
    // (provider_code.h). Called by the thread that completes it.
    virtual std::uint32_t failure_code(Operation operation, Status status) const = 0;

    // Refuses the message that waits for a receive, or arrives now: its sender completes it with `reason`
    // (timed_out: no receive; remote_data_error: it could not be placed).
    virtual void refuse(Status reason) = 0;
    // Refuses the next message as timed_out, because the queue pair was flushed and takes none any more
    // (ND2-QP-FLUSH-03). Returns true if there was one, and the connection is over. Called as receive(), by one thread
    // at a time. A wire that answers its peer's one-sided operations by messages continues to answer.
    virtual bool decline(ReceiveTurn&) {
        if (!has_arrival()) return false;
        refuse(Status::timed_out);
        return true;
    }

    // Closes the channel: no copy begins after this, and the peer's answers are not read any more.
    virtual void close() = 0;

    // The peer as a waiting thread sees it, and as the owner of memory does.
    PeerAttention& peer() const { return peer_; }
    PeerAccess& access() const { return access_; }
    const ChannelFacts& facts() const { return facts_; }

    // Returns true if a message arrived that receive() has not moved. Cheap; any thread, no lock needed. Always true
    // for a wire without an arrival word (a socket).
    bool has_arrival() const {
        const std::atomic<std::uint64_t>* const arrival = arrival_.load(std::memory_order_relaxed);
        return arrival == nullptr || static_cast<std::uint32_t>(arrival->load(std::memory_order_acquire)) ==
                                         expected_.load(std::memory_order_relaxed);
    }
    // Returns true if a message shows in the arrival word; always false for a wire without one.
    bool shows_arrival() const { return arrival_.load(std::memory_order_relaxed) != nullptr && has_arrival(); }
    bool has_news() const { return has_arrival() || peer_.has_outcome(); }
    // A count that changes with every arrival that receive() takes.
    std::uint32_t taken() const { return expected_.load(std::memory_order_relaxed); }
    bool broken() const { return broken_.load(std::memory_order_relaxed); }

    // Returns true if the newest receive() stopped because the peer must act first: make room for an answer, or send
    // requested data. For the thread that called it, under the queue pair's lock.
    bool receive_waits_for_peer() const { return receive_waits_.load(std::memory_order_relaxed); }
    // Returns true if the newest receive() left arrivals or octets that no source will name again, for lack of room at
    // its caller, or of its budget. For the same thread.
    bool left_work() const { return left_work_.load(std::memory_order_relaxed) || shows_arrival(); }

    // Returns true if a layer has work of its own, which no event of the wire tells. Any thread.
    bool has_own_work() const { return own_work_due_.load(std::memory_order_relaxed) != kNoOwnWork; }
    // Returns the time after which a thread is to look again at work that waits: kRevisitDelay, unless the layer's is
    // due before. Any thread.
    std::chrono::nanoseconds revisit_delay() const;

protected:
    // The arguments, and the tap, live as long as the channel.
    Channel(PeerAttention& peer, PeerAccess& access, const ChannelFacts& facts)
        : peer_(peer), access_(access), facts_(facts) {}

    // Shows the newest receive() of `inner` here as well. For layers, in the thread that called `inner`.
    void show_as(const Channel& inner) {
        arrival_.store(inner.arrival_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        expected_.store(inner.expected_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        broken_.store(inner.broken_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        receive_waits_.store(inner.receive_waits_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        left_work_.store(inner.left_work_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }

    // Written by the thread in receive(), and relaxed, all of them.
    // The word where the next arrival shows, and the value of its lower half that shows it: a reader that mixes old and new is wrong for
    // one poll, and both words stay valid as long as the channel.
    std::atomic<const std::atomic<std::uint64_t>*> arrival_{nullptr};
    std::atomic<std::uint32_t> expected_{0};
    std::atomic<bool> broken_{false};
    std::atomic<bool> receive_waits_{false};
    std::atomic<bool> left_work_{false};

    // The moment at which a layer's own work is due. Written by a layer. Relaxed: a reader that is late looks once too
    // often.
    static constexpr SteadyTime kNoOwnWork = SteadyTime::max();
    std::atomic<SteadyTime> own_work_due_{kNoOwnWork};

private:
    PeerAttention& peer_;
    PeerAccess& access_;
    const ChannelFacts facts_;
};

}  // namespace opennd::soft
