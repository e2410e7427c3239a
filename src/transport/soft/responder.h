// SPDX-License-Identifier: MIT
// The other direction: what the peer sends, placed into posted receives; and what it asks of our memory, checked against
// the token table. Read receive_queue.h and channel.h first.
#pragma once

#include <cstdint>
#include <span>

#include "base/lock.h"
#include "model/limits.h"
#include "transport/soft/channel.h"
#include "transport/soft/completion_queue.h"
#include "transport/soft/initiator.h"
#include "transport/soft/receive_queue.h"
#include "transport/soft/token_table.h"

namespace opennd::soft {

// Not thread-safe; guarded by the queue pair's lock, which is released while a long message is copied. Then busy() is true
// and only one thread is inside.
class Responder final : private InboundSink {
public:
    Responder(const QueuePairLimits& limits, TokenTable& tokens, SoftCompletionQueue& completions, void* context,
              Initiator& initiator);

    // queue_full, or success.
    Status post(const WorkRequest& request);

    // Moves arrived messages up. `lock` is held on entry and on return. Stops at the first failure, when the poller's
    // array is full, or when nothing is left. Returns how many it moved.
    std::size_t run(Channel& channel, SpinLock& lock, Progress& progress) REQUIRES(lock);

    // Completes every posted receive as canceled. Only while not busy().
    void flush(Progress& progress);

    bool busy() const { return busy_; }
    bool failed() const { return failed_; }
    void fail() { failed_ = true; }
    // A message waits and no receive is posted (ND2-QP-SEND-05). The number tells one such wait from the next.
    bool starved() const { return starved_; }
    std::uint32_t starvation() const { return starvation_; }

    std::atomic<std::uint32_t>& freed() { return queue_.freed(); }

private:
    Status begin_receive(std::uint32_t length_bytes, std::span<const Sge>& target) override;
    void receive_done(std::uint32_t length_bytes, bool solicited) override;
    void receive_failed(Status status) override;
    Status check_remote(Token token, std::uint64_t address, std::uint64_t length_bytes, Access wanted,
                        std::byte*& memory) override;
    Status read_target(std::span<const Sge>& target) override { return initiator_.read_target(target); }
    void read_done() override { initiator_.read_done(); }

    // The lock that run() was given; clang cannot follow it through the channel.
    void begin_long_copy() override NO_THREAD_SAFETY_ANALYSIS;
    void end_long_copy() override NO_THREAD_SAFETY_ANALYSIS;

    void complete_head(Status status, std::uint32_t length_bytes, bool solicited);

    // Constant after construction.
    TokenTable& tokens_;
    SoftCompletionQueue& completions_;
    void* const context_;
    Initiator& initiator_;

    ReceiveQueue queue_;
    bool busy_ = false;
    bool failed_ = false;
    bool starved_ = false;
    std::uint32_t starvation_ = 0;
    Progress* progress_ = nullptr;  // of the thread inside run()
    SpinLock* lock_ = nullptr;      // the queue pair's, likewise
};

}  // namespace opennd::soft
