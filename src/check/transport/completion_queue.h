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
#include "transport/layer/completion_queue.h"

namespace opennd {

class CheckedCompletionQueue final : public LayerCompletionQueue {
public:
    CheckedCompletionQueue(CheckedParts& parts, Ref<TransportCompletionQueue> inner, std::uint32_t depth)
        : LayerCompletionQueue(std::move(inner)), parts_(parts), room_(make_ref<ResultRoom>(depth)) {}

    // The queue pairs keep it: they are gone.
    ~CheckedCompletionQueue() override;

    // Results of the book may come here.
    void add(Ref<RequestBook> book) EXCLUDES(mutex_);

    const Ref<ResultRoom>& room() const { return room_; }

    std::size_t poll(std::span<Completion> completions) override;
    Status resize(std::uint32_t depth) override;
    void set_number(std::uint32_t number) override;

private:
    // Constant after construction.
    CheckedParts& parts_;
    const Ref<ResultRoom> room_;

    Mutex mutex_;
    std::vector<Ref<RequestBook>> books_ GUARDED_BY(mutex_);
};

}  // namespace opennd
