// SPDX-License-Identifier: MIT
// A completion queue that settles the requests whose results the program takes.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "check/transport/checked_parts.h"
#include "check/transport/request_book.h"
#include "check/transport/result_room.h"
#include "transport/completion_queue.h"

namespace opennd {

class CheckedCompletionQueue final : public TransportCompletionQueue {
public:
    CheckedCompletionQueue(CheckedParts& parts, Ref<TransportCompletionQueue> inner, std::uint32_t depth)
        : parts_(parts), inner_(std::move(inner)), room_(make_ref<ResultRoom>(depth)) {}

    // The queue pairs keep it: they are gone.
    ~CheckedCompletionQueue() override;

    // Results of the book may come here.
    void add(Ref<RequestBook> book) EXCLUDES(mutex_);

    const Ref<TransportCompletionQueue>& inner() const { return inner_; }
    const Ref<ResultRoom>& room() const { return room_; }

    std::size_t poll(std::span<Completion> completions) override;
    void arm(NotifyKind kind) override { inner_->arm(kind); }
    void disarm() override { inner_->disarm(); }
    WaitingCompletions count_waiting() override { return inner_->count_waiting(); }
    Status resize(std::uint32_t depth) override;
    void close() override { inner_->close(); }
    void set_number(std::uint32_t number) override;
    std::optional<Poller> poller() const override { return inner_->poller(); }

private:
    // Constant after construction.
    CheckedParts& parts_;
    const Ref<TransportCompletionQueue> inner_;
    const Ref<ResultRoom> room_;

    Mutex mutex_;
    std::vector<Ref<RequestBook>> books_ GUARDED_BY(mutex_);
};

}  // namespace opennd
