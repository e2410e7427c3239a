// SPDX-License-Identifier: MIT
// The queue pairs of a crowd whose wire names nothing: each has its turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opennd::soft {

class Progress;
class PolledQueuePair;

// Not thread-safe: the completion queue's list lock guards it.
class TakingTurns {
public:
    // Makes room for `count` queue pairs. Throws std::bad_alloc.
    void reserve(std::size_t count) { queue_pairs_.reserve(count); }
    void add(PolledQueuePair& queue_pair) { queue_pairs_.push_back(&queue_pair); }
    void remove(PolledQueuePair& queue_pair);

    // Visits queue pairs, for a poll. A visit of a queue pair costs some cache lines, and of many only a few have
    // traffic at a time: a poll visits these always, the others in turn. Beginning anew now and then finds those that
    // have become quiet. A glance only sees whether a message has come, and costs far less, so that many fit into a
    // poll.
    void visit(Progress& progress);
    // Call PolledQueuePair::ask_to_be_woken and ::run of each, because the queue is armed.
    bool ask_to_be_woken();
    void run(Progress& progress);

private:
    std::size_t next_quiet(std::size_t index) const;

    std::vector<PolledQueuePair*> queue_pairs_;
    // The first `busy_` had traffic lately; of the others `quiet_` was visited last, and `glanced_` glanced at last.
    std::size_t busy_ = 0, quiet_ = 0, glanced_ = 0;
    std::uint32_t polls_of_busy_ = 0;
};

}  // namespace opennd::soft
