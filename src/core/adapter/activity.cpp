// SPDX-License-Identifier: MIT
// See activity.h.
#include "core/adapter/activity.h"

namespace opennd {

void Activity::on_transition(Place& place, ConnectorState from, ConnectorEvent event, Status why,
                             const LiveConnection& is) {
    const Held lock(mutex_);
    if (event == ConnectorEvent::establish) {
        ++(from == ConnectorState::accepting ? counts_.accepts : counts_.connects);
        place.listed_ = place.spare_.begin();
        *place.listed_ = is;
        place.listed_->since = std::chrono::steady_clock::now();
        connections_.splice(connections_.end(), place.spare_);
    } else if (event == ConnectorEvent::refuse || event == ConnectorEvent::fail) {
        ++counts_.failures;
    } else if (from == ConnectorState::connected) {
        place.spare_.splice(place.spare_.begin(), connections_, place.listed_);
        if (event == ConnectorEvent::lose_peer && why == Status::connection_aborted) ++counts_.errors;
    }
}

void Activity::on_queue_error() {
    const Held lock(mutex_);
    ++counts_.queue_errors;
}

void Activity::on_endpoint(const Listener& listener, const LiveEndpoint& is) {
    const Held lock(mutex_);
    endpoints_.insert_or_assign(&listener, is);
}

void Activity::on_endpoint_gone(const Listener& listener) {
    const Held lock(mutex_);
    endpoints_.erase(&listener);
}

ActivityCounts Activity::counts() const {
    const Held lock(mutex_);
    ActivityCounts counts = counts_;
    counts.active = connections_.size();
    return counts;
}

std::vector<LiveConnection> Activity::connections() const {
    const Held lock(mutex_);
    return {connections_.begin(), connections_.end()};
}

std::vector<LiveEndpoint> Activity::endpoints() const {
    const Held lock(mutex_);
    std::vector<LiveEndpoint> all;
    for (const auto& [listener, endpoint] : endpoints_) all.push_back(endpoint);
    return all;
}

}  // namespace opennd
