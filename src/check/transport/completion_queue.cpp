// SPDX-License-Identifier: MIT
// See completion_queue.h.
#include "check/transport/completion_queue.h"

#include <cstdint>
#include <new>

namespace opennd {

CheckedCompletionQueue::~CheckedCompletionQueue() {
    const Held lock(mutex_);
    for (const Ref<RequestBook>& each : books_) try {
            each->forget(*room_);
        } catch (const std::bad_alloc&) {  // its requests stay in the index, where nothing looks for them
        }
}

void CheckedCompletionQueue::add(Ref<RequestBook> book) {
    const Held lock(mutex_);
    std::erase_if(books_, [](const Ref<RequestBook>& each) { return each->over(); });
    books_.push_back(std::move(book));
}

std::size_t CheckedCompletionQueue::poll(std::span<Completion> completions) {
    const std::size_t count = inner()->poll(completions);
    for (Completion& each : completions.first(count)) {
        if (each.operation == Operation::remote_invalidation) continue;  // nobody posted it
        const auto number = reinterpret_cast<std::uint64_t>(each.request_context);
        const Ref<RequestBook> book = parts_.requests.take(number);
        if (!book) continue;
        try {
            book->settle(number, each);
        } catch (const std::bad_alloc&) {  // the program has its context, and a rule was not judged
        }
    }
    return count;
}

Status CheckedCompletionQueue::resize(std::uint32_t depth) {
    const Status status = inner()->resize(depth);
    if (ok(status)) room_->set_depth(depth);
    return status;
}

void CheckedCompletionQueue::set_number(std::uint32_t number) {
    room_->set_number(number);
    inner()->set_number(number);
}

}  // namespace opennd
