// SPDX-License-Identifier: MIT
// See recorder.h.
#include "transport/recording/recorder.h"

#include <new>
#include <utility>

namespace opennd::recording {

Ref<RequestRecord> Recorder::make(std::string_view kind, void* context) {
    const Ref<RequestRecord> made = make_ref<RequestRecord>(kind, context, options_.events);
    if (options_.events == 0) return made;
    const Held lock(mutex_);
    living_.emplace(made.get(), made);
    return made;
}

void Recorder::end(RequestRecord& record) noexcept {
    Records::node_type oldest;  // released outside the lock
    {
        const Held lock(mutex_);
        Records::node_type own = living_.extract(&record);
        if (own) try {
                ended_.push_back(std::move(own));
            } catch (const std::bad_alloc&) {  // its events go with it
            }
        if (ended_.size() > kMostEnded) {
            oldest = std::move(ended_.front());
            ended_.pop_front();
        }
    }
    record.end(ends_.fetch_add(1) + 1);
}

std::vector<Recorder::QueueEvents> Recorder::events() const {
    std::vector<std::pair<Ref<RequestRecord>, bool>> records;
    {
        const Held lock(mutex_);
        for (const auto& [address, record] : living_) records.emplace_back(record, false);
        for (const Records::node_type& each : ended_) records.emplace_back(each.mapped(), true);
    }
    std::vector<QueueEvents> all;
    for (const auto& [record, ended] : records)
        all.push_back({record->kind(), record->number(), ended, record->events()});
    return all;
}

}  // namespace opennd::recording
