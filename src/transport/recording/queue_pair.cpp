// SPDX-License-Identifier: MIT
// See queue_pair.h.
#include "transport/recording/queue_pair.h"

#include <new>

namespace opennd::recording {

RecordedQueuePair::~RecordedQueuePair() {
    if (record_->ended() == 0) recorder_.end(*record_);
}

// Without memory the histograms of this connection stay empty.
void RecordedQueuePair::connects_over(std::string_view wire) try {
    record_->set_latencies(recorder_.latencies_of(interface_index_, face_, wire));
} catch (const std::bad_alloc&) {
    record_->set_latencies(nullptr);
}

// Without memory for the record the request is refused: its result would carry a context that is nobody's.
Status RecordedQueuePair::post(const WorkRequest& request) try {
    PostedRequest& opened = record_->open(request);
    const std::uint64_t number = opened.number;
    const bool silent = opened.silent;
    WorkRequest recorded = request;
    recorded.context = &opened;
    const Status status = inner()->post(recorded);  // from here on the result may be taken
    if (!ok(status))
        record_->refuse(opened, status);
    else if (silent)
        record_->accept(opened, number);
    return status;
} catch (const std::bad_alloc&) {
    return Status::no_memory;
}

void RecordedQueuePair::close() {
    inner()->close();
    recorder_.end(*record_);
}

std::optional<QueuePairUse> RecordedQueuePair::use() {
    std::optional<QueuePairUse> now = inner()->use();
    if (!now || !now->oldest) return now;
    if (const std::optional<RequestRecord::Age> age = record_->age_of(now->oldest->context)) {
        now->oldest->age = age->since_post;
        now->oldest->context = age->context;
    } else {
        now->oldest.reset();
    }
    return now;
}

void RecordedQueuePair::set_number(std::uint32_t number) {
    record_->set_number(number);
    inner()->set_number(number);
}

}  // namespace opennd::recording
