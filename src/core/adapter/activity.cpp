// SPDX-License-Identifier: MIT
// See activity.h.
#include "core/adapter/activity.h"

namespace opennd {

void Activity::on_transition(const Connector& connector, ConnectorState from, ConnectorEvent event,
                             const LiveConnection& is) {
    const Held lock(mutex_);
    if (event == ConnectorEvent::establish) {
        ++(from == ConnectorState::accepting ? counts_.accepts : counts_.connects);
        connections_.insert_or_assign(&connector, is);
    } else if (event == ConnectorEvent::refuse || event == ConnectorEvent::fail) {
        ++counts_.failures;
    } else if (from == ConnectorState::connected) {
        connections_.erase(&connector);
    }
}

void Activity::on_connection_error() {
    const Held lock(mutex_);
    ++counts_.errors;
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
    std::vector<LiveConnection> all;
    for (const auto& [connector, connection] : connections_) all.push_back(connection);
    return all;
}

std::vector<LiveEndpoint> Activity::endpoints() const {
    const Held lock(mutex_);
    std::vector<LiveEndpoint> all;
    for (const auto& [listener, endpoint] : endpoints_) all.push_back(endpoint);
    return all;
}

}  // namespace opennd
