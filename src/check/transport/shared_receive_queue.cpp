// SPDX-License-Identifier: MIT
// See shared_receive_queue.h.
#include "check/transport/shared_receive_queue.h"

#include <new>

namespace opennd {

Status CheckedSharedReceiveQueue::post(void* context, std::span<const Sge> sges) try {
    return post_in_book(context, sges);
} catch (const std::bad_alloc&) {
    return Status::no_memory;
}

Status CheckedSharedReceiveQueue::post_in_book(void* context, std::span<const Sge> sges) {
    const CallSite site = CallSite::here();
    PostedRequest posted;
    posted.operation = Operation::receive;
    posted.context = context;
    posted.bytes = total_length(sges);
    posted.at = site.stack;
    posted.memory = judge_.judge(book_->label(), Operation::receive, sges, RequestFlags::none, site).memory;
    const std::uint64_t number = book_->open(std::move(posted));
    try {
        parts_.requests.add(number, book_);
    } catch (...) {
        book_->withdraw(number);
        throw;
    }
    const Status status = inner()->post(reinterpret_cast<void*>(number), sges);
    if (!ok(status)) {
        (void)parts_.requests.take(number);
        book_->withdraw(number);
    }
    return status;
}

void CheckedSharedReceiveQueue::set_number(std::uint32_t number) {
    book_->set_number(number);
    inner()->set_number(number);
}

}  // namespace opennd
