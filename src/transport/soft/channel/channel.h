// SPDX-License-Identifier: MIT
// The second seam: a wire as the software RNIC uses it. A channel carries one connection's requests down to the peer
// and the peer's messages up to the responder. It knows nothing of completion queues, depths or faces.
//
// Threads: the one thread in the queue pair's initiator calls start(), the one in its responder receive(); the two may be
// different threads at the same time. The other functions state their threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/ref.h"
#include "base/status.h"
#include "model/access.h"
#include "model/queue_use.h"
#include "model/sge.h"
#include "model/traffic.h"
#include "model/work_request.h"

namespace opennd::soft {

class Crowd;
class MessageTap;
class ReceiveTurn;
enum class Place : std::uint32_t;

// Entries of a request (AdapterLimits::max_initiator_sges, max_read_sges) and of a receive. Versions 1 and 2 report fewer
// (NDK-CONS-25).
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
    bool by_poster = false;  // the posting thread calls start(), over plain memory: start_apart() may follow
};

// Names a request in flight to the channel that started it.
enum class Ticket : std::uint64_t {};

enum class Start : std::uint8_t {
    done,       // finished with the status given: its effect is at the peer
    in_flight,  // on its way; find_outcome() has its outcome
    blocked,    // no room now; call start() again with the same request after progress
    apart,      // nothing happened; call start_apart()
};

struct StartResult {
    Start start;
    Status status = Status::success;  // with done
    Ticket ticket{};                  // with in_flight
};

// After this a thread looks again at work that waits for the peer and that a poller may have left.
inline constexpr std::chrono::milliseconds kRevisitDelay{5};

// Copies longer than this run without the queue pair's lock.
inline constexpr std::uint32_t kLongCopyBytes = 16 * 1024;

class Channel : public RefCounted {
public:
    // Begins or continues a request. Requests are started strictly in posting order. Does not wait for the peer.
    virtual StartResult start(const OutboundRequest& request) = 0;
    // For a request that start() returned as apart, in the same thread, without the queue pair's lock. The peer decides how long
    // it takes. Never returns apart.
    virtual StartResult start_apart(const OutboundRequest&) { return {Start::blocked}; }
    // True: the peer holds up the thread in start_apart() for too long, and the start is abandoned: its result counts no more,
    // and the thread touches nothing when the start returns. Any thread; called while the initiator is busy.
    [[nodiscard]] virtual bool abandon_start() { return false; }

    // A Read or Write, not empty, with no request before it in the queue. True: it was carried out on the spot, and its effect
    // is at the peer. False: nothing happened; start() carries it out or finds its fault.
    virtual bool carry_out(const OutboundRequest&) { return false; }

    // Moves at most `budget` arrived messages up to the responder. Returns the number of messages that moved completely; fewer
    // than `budget`: no further message can move now. Copies run in the caller.
    // A broken rule of the wire ends the channel: broken() is true from then on.
    virtual std::size_t receive(ReceiveTurn& turn, std::size_t budget) = 0;

    // True for a wire over a socket: the socket itself makes the service thread run the queue pair for an arrival or for room,
    // unless a thread polls, and for work that a poller left. Its peer does not ring, and has_arrival() is always true.
    virtual bool watches_itself() const { return false; }

    // The newest receive() stopped because the peer must act first: make room for an answer, or send requested data.
    virtual bool receive_waits_for_peer() const = 0;

    // False if the request is still on its way as far as this side knows, else its status. Called for the oldest first. A
    // message of the peer brings counts, known once the message is moved up; read_peer_counters() reads the rest.
    virtual bool find_outcome(Ticket ticket, Status& status) = 0;
    // Reads the counters in memory that the peer writes: costs a cache line.
    virtual void read_peer_counters() = 0;
    // Around a flush of this side's requests, of which none is started after this, when neither start() nor receive() runs.
    // True: the peer takes none of them any more and touches none of their memory, and find_outcome() has the outcome of those that
    // it had taken. False: the peer is in the middle of one; the caller calls again. A peer that is stopped there delays this
    // only for a limited time. Cheap once it was true. withdraw() follows the flush.
    [[nodiscard]] virtual bool hold_back() { return true; }
    virtual void withdraw() {}
    // The status of a request that start() left in the middle and that will not go on: the peer's reason, or canceled.
    virtual Status unfinished() const = 0;
    // This wire's code for the cause when `operation` of this side completes with `status`, a failure (provider_code.h). Called
    // by the thread that completes it.
    virtual std::uint32_t failure_code(Operation operation, Status status) const = 0;

    // Refuses the message that waits for a receive, or arrives now: its sender completes it with `reason`
    // (timed_out: no receive; remote_data_error: it could not be placed).
    virtual void refuse(Status reason) = 0;
    virtual bool broken() const = 0;
    // The queue pair was flushed and takes no message any more: refuses the next one as timed_out (ND2-QP-FLUSH-03). True:
    // there was one, and the connection is over. Called as receive(), by one thread at a time. A wire that answers its peer's
    // one-sided operations by messages continues to answer.
    virtual bool decline(ReceiveTurn&) {
        if (!has_arrival()) return false;
        refuse(Status::timed_out);
        return true;
    }

    // Of this connection so far. Any thread.
    virtual Traffic traffic() const = 0;
    // The TCP connection below; nothing: there is none. Any thread.
    virtual std::optional<StreamUse> stream_use() const { return std::nullopt; }

    // A message arrived that receive() has not moved. Cheap; any thread, no lock needed. Always true for a wire without an
    // arrival word (a socket).
    bool has_arrival() const {
        const std::atomic<std::uint64_t>* const arrival = arrival_.load(std::memory_order_relaxed);
        return arrival == nullptr || static_cast<std::uint32_t>(arrival->load(std::memory_order_acquire)) ==
                                         expected_.load(std::memory_order_relaxed);
    }
    // The same, but always false for a wire without an arrival word.
    bool shows_arrival() const { return arrival_.load(std::memory_order_relaxed) != nullptr && has_arrival(); }
    // Changes with every arrival that receive() takes.
    std::uint32_t taken() const { return expected_.load(std::memory_order_relaxed); }
    bool has_news() const { return has_arrival() || has_outcome(); }
    // Requests in flight finished, and find_outcome() was not called for them yet. Reads memory that the peer writes: costs a cache
    // line.
    virtual bool has_outcome() const = 0;

    // The queue pair has `place` in `crowd`, a completion queue of its own with many others (ready_source.h). From here on arrivals,
    // outcomes and room make a source of the crowd name the place, and those from before name it at once. True: so it is. False:
    // this wire names nothing, or cannot here, and the crowd looks at the queue pair in turn. A channel has joined up to two crowds.
    // Under the list lock of the completion queue. Throws std::bad_alloc.
    [[nodiscard]] virtual bool join(Crowd&, Place) { return false; }
    // The place is not this queue pair's any more, or the queue is no crowd any more. Without effect if join() was not called, or was
    // false. Under the same lock.
    virtual void leave(Crowd&) {}
    // `closely`: the only crowd of the channel has a poller that looks at it at every poll, and its source need not name it. True: so it
    // is, until follow(false), after which the caller issues heavy_barrier() and looks once more. Under the same lock; while the
    // crowd's attention is polling.
    [[nodiscard]] virtual bool follow(bool /*closely*/) { return false; }
    // The newest receive() left arrivals or octets that no source will name again: for lack of room at its caller, or of its budget.
    // For the thread that called it, under the queue pair's lock.
    virtual bool left_work() const { return shows_arrival(); }

    // How the peer is to treat this side. polling: a thread polls all the time; store only. awake: a thread will poll; order
    // the stores before the next load of this word. asleep: ring.
    enum class Attention : std::uint32_t { polling, awake, asleep };
    virtual Attention attention() const = 0;
    // Returns the attention before. Any thread, more than one at a time. After a change from polling to another attention the caller
    // issues heavy_barrier() and checks for news; after one from awake to asleep, full_barrier() (tests/protocols/arming.pml).
    virtual Attention set_attention(Attention attention) = 0;

    // Wakes the peer's service thread, for a peer that stopped polling silently.
    virtual void nudge() = 0;
    // The peer is not asleep, and was not rung: only its pollers take what this side has sent, until a nudge. Any thread.
    virtual bool relies_on_peers_pollers() const { return false; }

    // The peer is in an access through `token`, dead by now; once this is false, it begins none. Called when initiator and
    // responder of the queue pair have left their own accesses through the token (AccessEnd).
    virtual bool peer_accesses(Token token) const = 0;
    // From now on the peer begins no access to memory of this side. True: it is in none any more. Any thread, after the queue pair
    // has ended; called again until it is true.
    [[nodiscard]] virtual bool exclude_peer() { return true; }
    // The wait for the peer was in vain: peer_accesses() is false from now on. Any thread.
    virtual void disbelieve_peer() = 0;

    // No copy begins after this; the peer's answers are not read any more.
    virtual void close() = 0;

    // "mapping", "process_vm", "ring"
    virtual std::string_view bulk_path() const = 0;

    // Of a layer (channel_layer.h): where the peer's messages are told. Null: nowhere. Constant.
    virtual MessageTap* tap() { return nullptr; }
    // The peer has ended the connection, and its arrivals were moved up, under the queue pair's lock, which no copy is without. For
    // layers.
    virtual void note_peers_end() {}
    // How soon the thread comes that looks again: kRevisitDelay, unless a layer knows that its own work is due before. Any thread.
    virtual std::chrono::nanoseconds revisit_delay() const { return kRevisitDelay; }

protected:
    // From here on arrivals show as those of `inner` do now. For layers, in the thread that called `inner`.
    void show_as(const Channel& inner) {
        arrival_.store(inner.arrival_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        expected_.store(inner.expected_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }

    // The word where the next arrival shows, and the value of its lower half that shows it. Written by the thread in receive();
    // relaxed: a reader that mixes old and new is wrong for one poll, and both words stay valid as long as the channel.
    std::atomic<const std::atomic<std::uint64_t>*> arrival_{nullptr};
    std::atomic<std::uint32_t> expected_{0};
};

}  // namespace opennd::soft
