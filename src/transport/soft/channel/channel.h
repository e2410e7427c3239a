// SPDX-License-Identifier: MIT
// The second seam: what a wire does for the software RNIC. A channel carries one connection's requests down to the peer
// and the peer's messages up to the responder. It knows nothing of completion queues, depths or faces.
//
// Threads: start() is called by the one thread that is in the queue pair's initiator, receive() by the one that is in its
// responder; the two may be different threads at the same time. The rest says so itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/ref.h"
#include "base/status.h"
#include "model/access.h"
#include "model/sge.h"
#include "model/work_request.h"

namespace opennd::soft {

class Responder;

// One request of the send queue on its way out. `sges` are checked: every entry lies in live local memory with the rights
// the operation needs, and stays there while start() runs.
struct OutboundRequest {
    Operation operation;
    RequestFlags flags;
    std::span<const Sge> sges;
    std::uint32_t length_bytes;
    std::uint64_t remote_address;
    Token remote_token;
    bool by_poster = false;  // start() is called by who posts it, over plain memory: start_apart() may follow
};

// Names a request in flight to the channel that started it.
enum class Ticket : std::uint64_t {};

enum class Start : std::uint8_t {
    done,       // finished with the status given: its effect is at the peer
    in_flight,  // on its way; finished() will tell
    blocked,    // nothing more can go now; call start() again with the same request after progress
    apart,      // nothing happened; it is for start_apart()
};

struct StartResult {
    Start progress;
    Status status = Status::success;  // with done
    Ticket ticket{};                  // with in_flight
};

// Copies longer than this run without the queue pair's lock.
inline constexpr std::uint32_t kLongCopyBytes = 16 * 1024;

class Channel : public RefCounted {
public:
    // Begins or continues a request. Requests are started strictly in posting order. Waits for nothing that is the peer's.
    virtual StartResult start(const OutboundRequest& request) = 0;
    // For a request that start() gave back as apart, in the same thread, without the queue pair's lock: takes as long as the peer
    // wants. Never apart.
    virtual StartResult start_apart(const OutboundRequest&) { return {Start::blocked}; }
    // True: the peer has kept the thread in start_apart() from ending for so long that nobody waits for it any more. What that
    // thread does next is leave: its result is for nobody. Any thread; asked while the initiator is busy.
    [[nodiscard]] virtual bool abandon_start() { return false; }

    // A Read or Write, not empty, that nothing waits before. True: it was carried out on the spot, and its effect is at the
    // peer. False: nothing happened; start() will do it or find out why not.
    virtual bool carry_out(const OutboundRequest&) { return false; }

    // Moves arrived messages up to the responder, at most `budget`; returns how many moved completely; fewer than `budget` means that nothing
    // more can be done now. Copies run in the caller.
    // A broken rule of the wire ends the channel: broken() is true from then on.
    virtual std::size_t receive(Responder& responder, std::size_t budget) = 0;

    // A wire over a socket: an arrival, or room for what waits, drives the queue pair by itself unless somebody polls, and
    // what a poller left behind is come back to. Nobody rings, and there is always something to ask for.
    virtual bool watches_itself() const { return false; }

    // The newest receive() stopped because the peer must do something first: make room for an answer, or send what was
    // asked for.
    virtual bool receive_waits_for_peer() const = 0;

    // False if the request is still on its way as far as it is known here, else its status. Asked oldest first. What a
    // peer said along with a message is known when that message is moved up; of the rest look() learns.
    virtual bool finished(Ticket ticket, Status& status) = 0;
    // Costs a look at memory that the peer writes.
    virtual void look() = 0;
    // Around a flush of this side's requests, of which none is started after this, when neither start() nor receive() runs.
    // Once hold_back() was true, the peer takes none of them any more and touches none of their memory, and of what it had taken
    // finished() tells. False: the peer is in the middle of one; the caller asks again. A peer that is stopped there is not
    // waited for without end. Cheap once it was true.
    [[nodiscard]] virtual bool hold_back() { return true; }
    virtual void withdraw() {}
    // A request that start() left in the middle will not go on: why the peer refused it, or canceled.
    virtual Status unfinished() const = 0;
    // What this wire calls the cause when `operation` of this side completes with `status`, a failure (provider_code.h). Called
    // by who completes it.
    virtual std::uint32_t failure_code(Operation operation, Status status) const = 0;

    // The message that waits for a receive, or arrives now, is refused: its sender completes it with `reason`
    // (timed_out: no receive; remote_data_error: it could not be placed).
    virtual void refuse(Status reason) = 0;
    virtual bool broken() const = 0;
    // The queue pair was flushed and takes no message any more: refuses the next one as timed_out (ND2-QP-FLUSH-03). True:
    // there was one, and the connection is over. Called as receive(), by nobody else meanwhile. A wire whose peer asks this
    // side for what one-sided operations need goes on answering.
    virtual bool decline(Responder&) {
        if (!has_arrival()) return false;
        refuse(Status::timed_out);
        return true;
    }

    // A message arrived that receive() has not moved. Cheap; any thread, no lock needed. A wire that must be asked (a
    // socket) always says yes.
    bool has_arrival() const {
        const std::atomic<std::uint64_t>* const arrival = arrival_.load(std::memory_order_relaxed);
        return arrival == nullptr || static_cast<std::uint32_t>(arrival->load(std::memory_order_acquire)) ==
                                         expected_.load(std::memory_order_relaxed);
    }
    // The same, but never of a wire that must be asked.
    bool shows_arrival() const { return arrival_.load(std::memory_order_relaxed) != nullptr && has_arrival(); }
    // Changes with every arrival that receive() takes.
    std::uint32_t taken() const { return expected_.load(std::memory_order_relaxed); }
    bool has_news() const { return has_arrival() || has_outcome(); }
    // Requests in flight finished that were not asked for yet. Costs a look at memory that the peer writes.
    virtual bool has_outcome() const = 0;

    // How the peer is to treat this side. polling: somebody looks all the time. awake: somebody will look, but order your
    // stores before you look at this again. asleep: ring.
    enum class Attention : std::uint32_t { polling, awake, asleep };
    // Any thread. After a change from polling to asleep the caller issues heavy_barrier() and looks again; after one from
    // awake, a sequentially consistent fence.
    virtual Attention attention() const = 0;
    virtual void set_attention(Attention attention) = 0;
    // The peer rang since this side said that it is asleep.
    virtual bool rung() const = 0;

    // Wakes the peer's service thread, for the case that it stopped looking without saying so.
    virtual void nudge() = 0;

    // The peer is in an access through `token`, dead by now; once it is not, it begins none. Asked with both initiator and
    // responder of the queue pair at rest or this being true for them already (AccessEnd).
    virtual bool peer_accesses(Token token) const = 0;
    // From now on the peer begins no access to memory of this side. True: it is in none any more. Any thread, after the queue pair
    // has ended; asked again until it is true.
    [[nodiscard]] virtual bool exclude_peer() { return true; }
    // It was waited for in vain: peer_accesses() is false from now on, whatever the peer says. Any thread.
    virtual void disbelieve_peer() = 0;

    // No copy begins after this; the peer's answers are not looked at any more.
    virtual void close() = 0;

    // "mapping", "process_vm", "ring"
    virtual std::string_view bulk_path() const = 0;

protected:
    // Where the next arrival shows, and the value of its lower half that shows it. Written by the thread in receive();
    // relaxed: a look that mixes old and new is wrong for one poll, and both words stay valid as long as the channel.
    std::atomic<const std::atomic<std::uint64_t>*> arrival_{nullptr};
    std::atomic<std::uint32_t> expected_{0};
};

}  // namespace opennd::soft
