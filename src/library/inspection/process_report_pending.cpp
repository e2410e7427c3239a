// SPDX-License-Identifier: MIT
// Connections that are not up yet, in reports: see process_report.h.
#include "library/inspection/process_report.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "base/format.h"
#include "core/adapter/adapter.h"
#include "core/connection/listener.h"

namespace opennd {
namespace {

using std::chrono::steady_clock;

std::string_view meaning_of(ConnectorState state) {
    switch (state) {
        case ConnectorState::connecting: return "Connect is pending: the peer has not answered";
        case ConnectorState::replied: return "the peer has accepted; the program has not called CompleteConnect";
        case ConnectorState::completing: return "CompleteConnect is pending";
        case ConnectorState::requested:
            return "the program has the peer's request, and has called neither Accept nor Reject";
        case ConnectorState::accepting: return "Accept is pending: the peer has not called CompleteConnect";
        default: return "";
    }
}

std::string seconds_text(std::chrono::nanoseconds time) {
    return format("{:.1f} s", std::chrono::duration<double>(time).count());
}

ordered_json attempt_json(const LiveConnection& attempt, steady_clock::time_point now) {
    ordered_json json = {{"local", attempt.local.text()},
                         {"peer", attempt.peer.text()},
                         {"owner", owner_of(attempt.face)},
                         {"api", name(attempt.face)},
                         {"age_ms", milliseconds_of(now - attempt.since)},
                         {"state", name(attempt.state)},
                         {"meaning", meaning_of(attempt.state)}};
    if (attempt.queue_pair != 0) json["queue_pair"] = attempt.queue_pair;
    return json;
}

ordered_json endpoint_json(const Listener::View& view, Face face, const std::vector<LiveConnection>& attempts) {
    const auto is_unanswered = [&](const LiveConnection& each) {
        return each.state == ConnectorState::requested && each.local == view.local;
    };
    ordered_json json = {{"local", view.local.text()}, {"listens", view.listens},
                         {"owner", owner_of(face)},    {"api", name(face)},
                         {"backlog", view.backlog},    {"waiting", view.waiting},
                         {"takers", view.takers},      {"unanswered", std::ranges::count_if(attempts, is_unanswered)}};
    if (view.oldest) json["oldest_ms"] = milliseconds_of(*view.oldest);
    return json;
}

}  // namespace

void report_pending(Activity& activity, ordered_json& interface) {
    const steady_clock::time_point now = steady_clock::now();
    const std::vector<LiveConnection> found = activity.attempts();
    ordered_json attempts = ordered_json::array(), endpoints = ordered_json::array();
    for (const LiveConnection& each : found) attempts.push_back(attempt_json(each, now));
    for (const Ref<Listener>& each : activity.inventory().listeners.all())
        if (const auto view = each->view()) endpoints.push_back(endpoint_json(*view, each->adapter().face(), found));
    interface["attempts"] = std::move(attempts);
    interface["endpoints"] = std::move(endpoints);
}

std::vector<std::string> pending_lines(AdapterCatalog& adapters) {
    const steady_clock::time_point now = steady_clock::now();
    std::vector<std::string> lines;
    for (const auto& [index, activity] : adapters.activities()) {
        for (const LiveConnection& each : activity->attempts())
            lines.push_back(format("connection {} - {}: for {}: {}", each.local.text(), each.peer.text(),
                                   seconds_text(now - each.since), meaning_of(each.state)));
        for (const Ref<Listener>& each : activity->inventory().listeners.all())
            if (const auto view = each->view(); view && view->oldest)
                lines.push_back(format("listener {}: {} requests wait for GetConnectionRequest, the oldest for {}",
                                       view->local.text(), view->waiting, seconds_text(*view->oldest)));
    }
    return lines;
}

}  // namespace opennd
