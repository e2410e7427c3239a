// SPDX-License-Identifier: MIT
// A shared receive queue that judges each receive when it is posted, and remembers it until its result.
#pragma once

#include <utility>

#include "check/transport/checked_parts.h"
#include "check/transport/entry_judge.h"
#include "check/transport/request_book.h"
#include "transport/layer/shared_receive_queue.h"

namespace opennd {

class CheckedSharedReceiveQueue final : public LayerSharedReceiveQueue {
public:
    CheckedSharedReceiveQueue(CheckedParts& parts, EntryJudge judge, Ref<TransportSharedReceiveQueue> inner, Face face)
        : LayerSharedReceiveQueue(std::move(inner)),
          parts_(parts),
          judge_(std::move(judge)),
          book_(make_ref<RequestBook>(parts.diagnostics, parts.filled, parts.requests, "shared receive queue", face)) {}

    // The last queue pair that took of it is gone.
    ~CheckedSharedReceiveQueue() override { book_->end(); }

    Status post(void* context, std::span<const Sge> sges) override;
    void set_number(std::uint32_t number) override;

private:
    Status post_in_book(void* context, std::span<const Sge> sges);

    // Constant after construction.
    CheckedParts& parts_;
    const EntryJudge judge_;
    const Ref<RequestBook> book_;
};

}  // namespace opennd
