// SPDX-License-Identifier: MIT
// The other direction: places the peer's messages into posted receives, and checks its accesses to memory here against the
// token table. Read receive_queue.h and channel.h first.
#pragma once

#include <cstdint>
#include <span>

#include "platform/thread/biased_lock.h"
#include "transport/queue_pair.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/engine/completion_queue.h"
#include "transport/soft/engine/initiator.h"
#include "transport/soft/memory/memory_check.h"
#include "transport/soft/memory/resolved_memory.h"
#include "transport/soft/memory/token_table.h"
#include "transport/soft/queues/receive_queue.h"

namespace opennd::soft {

class SoftQueuePair;
class SoftSharedReceiveQueue;

// Not thread-safe; guarded by the queue pair's lock, which is released while a long message is copied. Then busy() is true
// and only one thread is inside.
class Responder {
public:
    // `shared`, if not null, outlives the responder and wakes `owner`; the queue here then holds the receive of the message
    // that arrives, and no other.
    Responder(const QueuePairParameters& parameters, TokenTable& tokens, SoftCompletionQueue& completions,
              Initiator& initiator, BoundWindows& windows, FastRegions& regions, std::uint32_t scope,
              SoftSharedReceiveQueue* shared, SoftQueuePair& owner);

    // queue_full, or success; malformed_request: receives come from a shared queue.
    Status post(const WorkRequest& request);

    // Moves arrived messages up. `lock` is held on entry and on return. Stops at the first failure, when the poller's
    // array is full, after kBudget messages, or when nothing is left. Returns the number of messages moved. While busy, moves
    // none: the thread inside then calls receive() once more, unless the caller polls.
    [[gnu::always_inline]] std::size_t run(Channel& channel, BiasedLock& lock, Progress& progress) REQUIRES(lock) {
        if (busy_ || failed_) [[unlikely]] {
            turned_away_ = turned_away_ || (busy_ && !progress.polled);
            return 0;
        }
        std::size_t total = 0;
        channel_ = &channel;
        progress_ = &progress;
        lock_ = &lock;
        while (!failed_ && !progress.full()) {
            turned_away_ = false;
            const std::size_t wanted = progress.polled ? progress.room.size() - progress.used : kBudget;
            const std::size_t moved = channel.receive(*this, wanted);
            total += moved;
            if (total >= kBudget) break;  // a peer that keeps sending must not hold the thread
            if (moved < wanted && !turned_away_) break;
        }
        progress_ = nullptr;
        if (channel.broken()) [[unlikely]]
            failed_ = true;
        return total;
    }

    // Completes every posted receive as canceled; of a shared queue, the one that was taken. Only while not busy().
    void flush(Progress& progress);

    bool busy() const { return busy_; }
    // A caller that does not poll found run() busy, and run() stopped before it could call receive() once more.
    bool owes_a_run() const { return turned_away_ && !busy_; }
    bool failed() const { return failed_; }
    void fail() { failed_ = true; }
    // A message waits and no receive is posted (ND2-QP-SEND-05). The number tells one such wait from the next; a wait without
    // limit has none: for a shared queue (ND2-SRQ-RECV-03), or by the queue pair's rules.
    bool starved() const { return starved_; }
    std::uint32_t starvation() const { return starvation_; }
    void stop_waiting() { starved_ = false; }

    std::atomic<std::uint32_t>& freed() { return queue_.freed(); }

    // The rest is for the channel, from inside Channel::receive. The path of short messages is inline.

    // The target of the next Send of `length_bytes`, in the common case: a receive is posted, and is one piece of plain memory
    // that is long enough. False: call begin_receive.
    [[gnu::always_inline]] bool begin_plain_receive(std::uint32_t length_bytes, std::span<const Sge>& target) {
        if (queue_.empty()) [[unlikely]]
            return false;
        starved_ = false;
        target = queue_.sges();
        return target.size() == 1 && target[0].length >= length_bytes &&
               is_granted(tokens_, target[0], Access::local_write);
    }
    // In every case. success: `target` lists checked local memory, at least that long, valid as ResolvedMemory says.
    // would_block: no receive is posted; call again when one was. receive_too_small, access_violation, no_memory: the receive
    // was completed with that status; the message is refused.
    Status begin_receive(std::uint32_t length_bytes, std::span<const Sge>& target, ResolvedMemory& memory) {
        if (begin_plain_receive(length_bytes, target)) [[likely]]
            return Status::success;
        return begin_other_receive(length_bytes, target, memory);
    }
    // The receive of a message that goes on: its memory may have been deregistered between two parts. As begin_receive.
    Status continue_receive(std::span<const Sge>& target, ResolvedMemory& memory);
    // `invalidated`: the token that take_away() ended for this message.
    [[gnu::always_inline]] void receive_done(std::uint32_t length_bytes, bool solicited,
                                             Token invalidated = Token::none) {
        if (initiator_.owes_reports()) initiator_.reap(*channel_, *progress_);
        complete_head(Status::success, length_bytes, solicited, *progress_, invalidated);
    }

    // The arriving message ends the window or the fast registration with this token; before receive_done (ND1-MW-06,
    // NDK-QP-SINV-01), and with no resolved memory. success: the memory is out of use. malformed_request: no window bound here
    // and no valid registration of this adapter has the token; the receive was completed so.
    Status take_away(Token token);

    // Checks a peer's Write to (remote_write) or Read from (remote_read) memory here, for wires that carry those as
    // messages. success: `places` lists the memory.
    Status check_remote(Token token, std::uint64_t address, std::uint32_t length_bytes, Access wanted,
                        std::span<const Sge>& places, ResolvedMemory& memory);
    // Local memory of the oldest Read that travels as messages, checked again, for its answer; and: the answer has all arrived,
    // or cannot be placed.
    Status read_target(std::span<const Sge>& target, ResolvedMemory& memory) {
        return initiator_.read_target(target, memory);
    }
    void read_done(Status status) { initiator_.read_done(status); }

    // begin_long_copy() unlocks the lock of run(), end_long_copy() locks it again; the caller drops resolved memory before
    // the latter. (clang cannot follow the lock through the channel.)
    void begin_long_copy() NO_THREAD_SAFETY_ANALYSIS;
    void end_long_copy() NO_THREAD_SAFETY_ANALYSIS;

private:
    // Messages moved in one run, before other threads get the lock.
    static constexpr std::size_t kBudget = 64;

    [[gnu::always_inline]] void complete_head(Status status, std::uint32_t length_bytes, bool solicited,
                                              Progress& progress, Token invalidated = Token::none,
                                              std::uint32_t provider_code = 0) {
        void* const context = queue_.context();
        const std::uint32_t through = queue_.consume();
        const Completion completion{status,       Operation::receive, solicited || !ok(status),
                                    length_bytes, context_,           context,
                                    invalidated,  provider_code};
        if (shared_) [[unlikely]]
            push_shared(completion, progress);
        else
            completions_.push(completion, {&queue_.freed(), through}, progress);
    }
    void push_shared(const Completion& completion, Progress& progress);
    Status begin_other_receive(std::uint32_t length_bytes, std::span<const Sge>& target, ResolvedMemory& memory);
    Status starve();
    Status check_room(std::uint32_t length_bytes, std::span<const Sge> target);
    bool take_window(Token token);
    bool take_fast_registration(Token token);
    Status fail_head(Status status);

    // Constant after construction.
    TokenTable& tokens_;
    SoftCompletionQueue& completions_;
    void* const context_;
    Initiator& initiator_;
    BoundWindows& windows_;
    FastRegions& regions_;
    const std::uint32_t scope_;             // SoftQueuePair::scope
    const bool waits_;                      // for receives, without limit
    SoftSharedReceiveQueue* const shared_;  // null: queue_ has all receives
    SoftQueuePair& owner_;

    ReceiveQueue queue_;
    bool busy_ = false;
    bool turned_away_ = false;  // a thread that will not poll again found this busy
    bool failed_ = false;
    bool starved_ = false;
    std::uint32_t starvation_ = 0;
    Channel* channel_ = nullptr;    // of the thread inside run()
    Progress* progress_ = nullptr;  // likewise
    BiasedLock* lock_ = nullptr;    // the queue pair's, likewise
};

}  // namespace opennd::soft
