// SPDX-License-Identifier: MIT
// A completion queue that settles recorded requests when the program takes their results.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "transport/layer/completion_queue.h"
#include "transport/recording/recorder.h"

namespace opennd::recording {

class RecordedCompletionQueue final : public LayerCompletionQueue {
public:
    RecordedCompletionQueue(Recorder& recorder, Ref<TransportCompletionQueue> inner)
        : LayerCompletionQueue(std::move(inner)), recorder_(recorder) {}

    // Results of the record's requests may come here: it lives until none can any more. Throws std::bad_alloc.
    void keep(Ref<RequestRecord> record) EXCLUDES(mutex_);
    // For tests.
    bool keeps(const RequestRecord* record) const EXCLUDES(mutex_);

    std::size_t poll(std::span<Completion> completions) override;
    std::optional<Poller> poller() const override;

private:
    void note_if_empty(std::uint64_t ends);

    // Constant after construction.
    Recorder& recorder_;

    // Threads in poll(). Sequentially consistent: one that finds the queue empty, and no other thread here afterwards, knows that every
    // result before has been settled.
    std::atomic<std::uint32_t> polling_{0};
    // No result of a record that ended before this end is in the queue, nor is one being settled.
    std::atomic<std::uint64_t> empty_through_{0};

    // For a look into the process. Relaxed: each stands alone.
    std::atomic<int> poller_{0};              // 0: none so far
    std::atomic<std::int64_t> result_at_{0};  // nanoseconds of the steady clock; 0: none so far

    mutable Mutex mutex_;  // no record goes with it
    std::vector<Ref<RequestRecord>> records_ GUARDED_BY(mutex_);
};

}  // namespace opennd::recording
