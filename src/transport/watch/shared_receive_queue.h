// SPDX-License-Identifier: MIT
// A shared receive queue whose receives are in a book from the post to the result.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "transport/layer/shared_receive_queue.h"
#include "transport/watch/watch.h"

namespace opennd::watch {

class WatchedSharedReceiveQueue final : public LayerSharedReceiveQueue {
public:
    // `judge`: null if requests are not checked.
    WatchedSharedReceiveQueue(Watch& watch, Ref<RequestBook> book, std::unique_ptr<RequestJudge> judge,
                              Ref<TransportSharedReceiveQueue> inner)
        : LayerSharedReceiveQueue(std::move(inner)), watch_(watch), book_(std::move(book)), judge_(std::move(judge)) {}
    // The last queue pair that took of it is gone.
    ~WatchedSharedReceiveQueue() override { watch_.end(*book_); }

    const Ref<RequestBook>& book() const { return book_; }

    // A receive without memory for the book is refused, as by WatchedQueuePair::post().
    Status post(void* context, std::span<const Sge> sges) override try {
        const WorkRequest request{.operation = Operation::receive, .context = context, .sges = sges};
        PostedRequest& opened = book_->open(request);
        if (judge_) [[unlikely]]
            book_->judge(opened, request, *judge_, nullptr);
        const Status status = inner()->post(&opened, sges);
        if (!ok(status)) book_->refuse(opened, status);
        return status;
    } catch (const std::bad_alloc&) {
        return Status::no_memory;
    }
    void set_number(std::uint32_t number) override {
        book_->set_number(number);
        inner()->set_number(number);
    }

private:
    // Constant after construction.
    Watch& watch_;
    const Ref<RequestBook> book_;
    const std::unique_ptr<RequestJudge> judge_;
};

}  // namespace opennd::watch
