// SPDX-License-Identifier: MIT
// The other direction: the posted receives, and the runs that move the peer's messages up into them. Read receive_queue.h and
// channel.h first; receive_turn.h places one message.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "model/queue_use.h"
#include "platform/process/clock.h"
#include "platform/thread/biased_lock.h"
#include "transport/queue_pair.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/engine/initiator.h"
#include "transport/soft/engine/result_ring.h"
#include "transport/soft/memory/token_table.h"
#include "transport/soft/queues/receive_queue.h"

namespace opennd::soft {

class ConnectionTap;
class ServedQueuePair;
class SoftSharedReceiveQueue;

// Not thread-safe; guarded by the queue pair's lock, which is released while a long message is copied. Then busy() is true
// and only one thread is inside.
class Responder {
public:
    // `shared`, if not null, outlives the responder and wakes `owner`; the queue here then holds the receive of the message
    // that arrives, and no other.
    Responder(const QueuePairParameters& parameters, TokenTable& tokens, ResultRing& completions, Initiator& initiator,
              BoundWindows& windows, FastRegions& regions, std::uint32_t scope, SoftSharedReceiveQueue* shared,
              ServedQueuePair& owner);

    // Posts a receive. queue_full, or success; malformed_request: receives come from a shared queue.
    Status post(const WorkRequest& request);

    // Takes back the posted receives that no message has taken. If it throws std::bad_alloc, nothing has changed.
    std::vector<PostedReceive> take_receives() { return queue_.take_back(); }

    // Moves arrived messages up. `lock` is held on entry and on return. Stops at the first failure, when the poller's
    // array is full, after kBudget messages, or when nothing is left. Returns the number of messages moved. While busy, moves
    // none: the thread inside then calls receive() once more, unless the caller polls.
    std::size_t run(Channel& channel, BiasedLock& lock, Progress& progress) REQUIRES(lock);
    // Does as run(), in the caller's frame, for a poller (receive_turn.h).
    [[gnu::always_inline]] inline std::size_t run_inline(Channel& channel, BiasedLock& lock, Progress& progress)
        REQUIRES(lock);

    // Completes every posted receive as canceled; of a shared queue, the one that was taken. Only while not busy().
    void flush(Progress& progress);

    bool busy() const { return busy_; }
    // Returns true if a caller that does not poll found run() busy, and run() stopped before it could call receive()
    // once more.
    bool needs_run() const { return turned_away_ && !busy_; }
    bool failed() const { return failed_; }
    void fail() { failed_ = true; }
    // Returns true if a message waits and no receive is posted (ND2-QP-SEND-05). The number of starvation() tells one
    // such wait from the next; a wait without limit has none: for a shared queue (ND2-SRQ-RECV-03), or by the queue
    // pair's rules.
    bool starved() const { return starved_; }
    std::uint32_t starvation() const { return starvation_; }
    void stop_waiting() { starved_ = false; }

    std::atomic<std::uint32_t>& freed() { return queue_.freed(); }
    // Fills in its part of `use`.
    void describe(QueuePairUse& use) const;
    // Sets the number of the queue pair, for texts. Once, before its first use.
    void set_number(std::uint32_t number) { number_ = number; }
    // Tells `tap` of messages from here on; null: tells none. It lives as long as this.
    void set_tap(ConnectionTap* tap) {
        tap_ = tap;
        completes_aside_ = tap != nullptr || shared_ != nullptr;
    }

private:
    friend class ReceiveTurn;  // places the messages

    // The most messages that one run moves before other threads get the lock.
    static constexpr std::size_t kBudget = 64;

    [[gnu::always_inline]] void complete_head(Status status, std::uint32_t length_bytes, Arrival arrival,
                                              Progress& progress, Token invalidated = Token::none,
                                              std::uint32_t number = 0) {
        void* const context = queue_.context();
        const std::uint32_t through = queue_.consume();
        const Completion completion{status,
                                    Operation::receive,
                                    ok(status) ? arrival : Arrival::solicited,
                                    length_bytes,
                                    context_,
                                    context,
                                    invalidated,
                                    number};
        if (completes_aside_) [[unlikely]]
            complete_aside(completion, through, progress);
        else
            completions_.push(completion, {&queue_.freed(), through}, progress);
    }
    // Completes a receive of a shared queue, or one with a tap. It gets the completion by value, so that the common
    // case has it in registers.
    [[gnu::cold]] void complete_aside(Completion completion, std::uint32_t through, Progress& progress);
    void tell_tap(const Completion& completion);
    // Notes that a message begins to wait for a receive.
    void note_wait() {
        ++messages_waited_;
        starved_since_ = now();
    }

    // Constant after construction.
    TokenTable& tokens_;
    ResultRing& completions_;
    void* const context_;
    Initiator& initiator_;
    BoundWindows& windows_;
    FastRegions& regions_;
    const std::uint32_t scope_;             // SoftQueuePair::scope
    const bool waits_;                      // messages wait for receives without limit
    SoftSharedReceiveQueue* const shared_;  // null: queue_ has all receives
    ServedQueuePair& owner_;

    ReceiveQueue queue_;
    ConnectionTap* tap_ = nullptr;
    bool completes_aside_;  // receives are shared, or there is a tap: one look for both
    bool busy_ = false;
    // True if a thread that will not poll again found this busy, or saw no frame where one is.
    bool turned_away_ = false;
    bool failed_ = false;
    bool starved_ = false;
    std::uint32_t starvation_ = 0;
    // The waits of messages, for a look into the process. Only a message that finds no receive pays for them.
    SteadyTime starved_since_{};
    std::uint32_t messages_waited_ = 0;
    std::uint32_t number_ = 0;
};

}  // namespace opennd::soft
