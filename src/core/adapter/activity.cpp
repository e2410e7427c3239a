// SPDX-License-Identifier: MIT
// See activity.h.
#include "core/adapter/activity.h"

#include <algorithm>

namespace opennd {

ActivityCounts& ActivityCounts::operator+=(const ActivityCounts& more) {
    connects += more.connects;
    accepts += more.accepts;
    failures += more.failures;
    errors += more.errors;
    active += more.active;
    queue_errors += more.queue_errors;
    return *this;
}

std::list<LiveConnection>* Activity::list_of(ConnectorState state) {
    if (state == ConnectorState::connected) return &connections_;
    return is_attempt(state) ? &attempts_ : nullptr;
}

void Activity::on_transition(Place& place, ConnectorState from, ConnectorEvent event, Status why,
                             const LiveConnection& is) {
    const Held lock(mutex_);
    ActivityCounts& counts = counts_of(is.face);
    if (event == ConnectorEvent::establish) {
        ++(from == ConnectorState::accepting ? counts.accepts : counts.connects);
    } else if (event == ConnectorEvent::refuse || event == ConnectorEvent::fail) {
        ++counts.failures;
    } else if (event == ConnectorEvent::lose_peer && (why == Status::connection_aborted || why == Status::timed_out)) {
        ++counts.errors;
    }
    if (auto* const left = list_of(from)) place.spare_.splice(place.spare_.begin(), *left, place.listed_);
    auto* const entered = list_of(is.state);
    if (!entered) return;
    place.listed_ = place.spare_.begin();
    *place.listed_ = is;
    place.listed_->since = std::chrono::steady_clock::now();
    entered->splice(entered->end(), place.spare_);
}

void Activity::on_open(Face face) {
    const Held lock(mutex_);
    opened_[static_cast<std::size_t>(face)] = true;
}

void Activity::on_queue_error(Face face) {
    const Held lock(mutex_);
    ++counts_of(face).queue_errors;
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
    ActivityCounts all;
    for (const Face face : kFaces) all += counts(face);
    return all;
}

ActivityCounts Activity::counts(Face face) const {
    const Held lock(mutex_);
    ActivityCounts counts = counts_[static_cast<std::size_t>(face)];
    counts.active = static_cast<std::uint64_t>(std::ranges::count(connections_, face, &LiveConnection::face));
    return counts;
}

std::vector<Face> Activity::faces() const {
    std::vector<Face> opened;
    const Held lock(mutex_);
    for (const Face face : kFaces)
        if (opened_[static_cast<std::size_t>(face)]) opened.push_back(face);
    return opened;
}

std::vector<LiveConnection> Activity::connections() const {
    const Held lock(mutex_);
    return {connections_.begin(), connections_.end()};
}

std::vector<LiveConnection> Activity::attempts() const {
    const Held lock(mutex_);
    return {attempts_.begin(), attempts_.end()};
}

std::vector<LiveEndpoint> Activity::endpoints() const {
    const Held lock(mutex_);
    std::vector<LiveEndpoint> all;
    for (const auto& [listener, endpoint] : endpoints_) all.push_back(endpoint);
    return all;
}

}  // namespace opennd
