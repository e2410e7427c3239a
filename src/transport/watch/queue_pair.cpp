// SPDX-License-Identifier: MIT
// See queue_pair.h.
#include "transport/watch/queue_pair.h"

#include <new>

namespace opennd::watch {

WatchedQueuePair::~WatchedQueuePair() {
    if (book_->ended() == 0) watch_.end(*book_);
}

// The histograms of this connection stay empty without memory.
void WatchedQueuePair::connects_over(std::string_view wire) try {
    book_->set_latencies(watch_.latencies_of(interface_index_, face_, wire));
} catch (const std::bad_alloc&) {
    book_->set_latencies(nullptr);
}

// A request without memory for the book is refused: its result would carry a context that is nobody's.
Status WatchedQueuePair::post(const WorkRequest& request) try {
    PostedRequest& opened = book_->open(request);
    if (judge_) [[unlikely]]
        book_->judge(opened, request, *judge_, inner().get());
    const std::uint64_t number = opened.number;
    const bool silent = opened.silent;
    WorkRequest watched = request;
    watched.context = &opened;
    const Status status = inner()->post(watched);  // from here on the result may be taken
    if (!ok(status))
        book_->refuse(opened, status);
    else if (silent)
        book_->accept(opened, number);
    return status;
} catch (const std::bad_alloc&) {
    return Status::no_memory;
}

void WatchedQueuePair::close() {
    inner()->close();
    watch_.end(*book_);
}

QueuePairUse WatchedQueuePair::use() {
    QueuePairUse now = inner()->use();
    if (!now.oldest) return now;
    if (const std::optional<RequestBook::Age> age = book_->age_of(now.oldest->context)) {
        if (watch_.records()) now.oldest->age = age->since_post;
        now.oldest->context = age->context;
    } else {
        now.oldest.reset();
    }
    return now;
}

void WatchedQueuePair::set_number(std::uint32_t number) {
    book_->set_number(number);
    inner()->set_number(number);
}

}  // namespace opennd::watch
