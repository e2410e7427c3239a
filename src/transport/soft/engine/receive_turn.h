// SPDX-License-Identifier: MIT
// One turn of a thread that moves the peer's messages up, as a channel uses it: finds the posted receive of a message, checks the
// peer's accesses to memory here against the token table, completes. Read responder.h and channel.h first.
#pragma once

#include <cstdint>
#include <span>

#include "platform/thread/biased_lock.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/engine/responder.h"
#include "transport/soft/engine/result_ring.h"
#include "transport/soft/memory/memory_check.h"
#include "transport/soft/memory/resolved_memory.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::soft {

// Lives during one call of Channel::receive() or decline(), in its thread. The path of short messages is inline.
class ReceiveTurn {
public:
    // `lock` is the queue pair's, which the thread holds.
    ReceiveTurn(Responder& responder, Channel& channel, BiasedLock& lock, Progress& progress)
        : responder_(responder), channel_(channel), lock_(lock), progress_(progress) {}

    // Finds the target of the next Send of `length_bytes`, in the common case: a receive is posted, and is one piece of
    // plain memory that is long enough. Returns false in other cases; then call begin_receive.
    [[gnu::always_inline]] bool begin_plain_receive(std::uint32_t length_bytes, std::span<const Sge>& target) {
        if (responder_.queue_.empty()) [[unlikely]]
            return false;
        responder_.starved_ = false;
        target = responder_.queue_.sges();
        return is_plain(target, length_bytes);
    }
    // Finds the target in every case. success: `target` lists checked local memory, at least that long, valid as
    // ResolvedMemory says. would_block: no receive is posted; call again when one was. receive_too_small,
    // access_violation, no_memory: the receive was completed with that status; the message is refused.
    Status begin_receive(std::uint32_t length_bytes, std::span<const Sge>& target, ResolvedMemory& memory) {
        if (begin_plain_receive(length_bytes, target)) [[likely]]
            return Status::success;
        return begin_other_receive(length_bytes, target, memory);
    }
    // Finds the receive of a message that goes on: its memory may have been deregistered between two parts. Statuses of
    // begin_receive.
    Status continue_receive(std::span<const Sge>& target, ResolvedMemory& memory);
    // Completes the receive. `invalidated`: the token that take_away() ended for this message.
    [[gnu::always_inline]] void receive_done(std::uint32_t length_bytes, bool solicited,
                                             Token invalidated = Token::none) {
        if (responder_.initiator_.owes_reports()) responder_.initiator_.reap(channel_, progress_);
        responder_.complete_head(Status::success, length_bytes, solicited_if(solicited), progress_, invalidated);
    }
    // Does as receive_done() for a message with immediate data. `arrival`: solicited and of_write, as they are.
    void receive_done(std::uint32_t length_bytes, Arrival arrival, std::uint32_t immediate) {
        if (responder_.initiator_.owes_reports()) responder_.initiator_.reap(channel_, progress_);
        responder_.complete_head(Status::success, length_bytes, arrival | Arrival::with_immediate, progress_,
                                 Token::none, immediate);
    }
    // Finds the receive of the message behind this one, after receive_done. Returns false if none is posted here, or if
    // it is not one piece of plain memory of at least `length_bytes`.
    bool next_receive(std::uint32_t length_bytes, std::span<const Sge>& target) const {
        if (responder_.queue_.empty()) return false;
        target = responder_.queue_.sges();
        return is_plain(target, length_bytes);
    }
    // Stops the wait of a message for a receive: it was taken back.
    void stop_waiting() { responder_.stop_waiting(); }

    // Ends the window or the fast registration with this token, for the arriving message; before receive_done
    // (ND1-MW-06, NDK-QP-SINV-01), and with no resolved memory. success: the memory is out of use. malformed_request:
    // no window bound here and no valid registration of this adapter has the token; the receive was completed so.
    Status take_away(Token token);

    // Checks a peer's Write to (remote_write) or Read from (remote_read) memory here, for wires that carry those as
    // messages. success: `places` lists the memory.
    Status check_remote(Token token, std::uint64_t address, std::uint32_t length_bytes, Access wanted,
                        std::span<const Sge>& places, ResolvedMemory& memory);
    // The memory that begin_receive or check_remote gave was gone when it was copied (guarded_copy.h). The receive completes with
    // access_violation, and the message is refused; so is the peer's Write or Read.
    [[gnu::cold]] void lose_receive();
    [[gnu::cold]] void lose_remote(Access wanted);
    // read_target() finds local memory of the oldest Read that travels as messages, checked again, for its answer.
    // read_done() ends that Read: the answer has all arrived, or cannot be placed.
    Status read_target(std::span<const Sge>& target, ResolvedMemory& memory) {
        return responder_.initiator_.read_target(target, memory);
    }
    void read_done(Status status) { responder_.initiator_.read_done(status); }
    // The number of Reads of this side that have begun and are not done.
    std::uint32_t reads_in_flight() const { return responder_.initiator_.reads_in_flight(); }

    // begin_long_copy() unlocks the lock, end_long_copy() locks it again; the caller drops resolved memory before the latter.
    // (clang cannot follow the lock through the channel.)
    void begin_long_copy() NO_THREAD_SAFETY_ANALYSIS {
        responder_.busy_ = true;
        lock_.step_out();
    }
    void end_long_copy() NO_THREAD_SAFETY_ANALYSIS {
        lock_.step_in();
        responder_.busy_ = false;
    }

    // The responder, whose failed() is true from the message on that fails the queue pair.
    const Responder& responder() const { return responder_; }

    // Lets receive() be called once more: it moved messages, and left one that a thread which looked meanwhile may have
    // left to it.
    void receive_again() { responder_.turned_away_ = true; }

private:
    [[gnu::always_inline]] bool is_plain(std::span<const Sge> target, std::uint32_t length_bytes) const {
        return target.size() == 1 && target[0].length >= length_bytes &&
               is_granted(responder_.tokens_, target[0], Access::local_write);
    }
    Status begin_other_receive(std::uint32_t length_bytes, std::span<const Sge>& target, ResolvedMemory& memory);
    Status starve();
    Status check_room(std::uint32_t length_bytes, std::span<const Sge> target);
    bool take_window(Token token);
    bool take_fast_registration(Token token);
    Status fail_head(Status status);

    Responder& responder_;
    Channel& channel_;
    BiasedLock& lock_;
    Progress& progress_;
};

inline std::size_t Responder::run_inline(Channel& channel, BiasedLock& lock, Progress& progress) {
    if (busy_ || failed_) [[unlikely]] {
        turned_away_ = turned_away_ || (busy_ && !progress.polled);
        return 0;
    }
    std::size_t total = 0;
    ReceiveTurn turn(*this, channel, lock, progress);
    while (!failed_ && !progress.full()) {
        turned_away_ = false;
        const std::size_t wanted = progress.polled ? progress.room.size() - progress.used : kBudget;
        const std::size_t moved = channel.receive(turn, wanted);
        total += moved;
        if (total >= kBudget) break;  // a peer that keeps sending must not hold the thread
        if (moved < wanted && !turned_away_) break;
    }
    if (channel.broken()) [[unlikely]]
        failed_ = true;
    return total;
}

}  // namespace opennd::soft
