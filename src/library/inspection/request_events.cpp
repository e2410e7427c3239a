// SPDX-License-Identifier: MIT
// See request_events.h.
#include "library/inspection/request_events.h"

#include <algorithm>

#include "base/format.h"

namespace opennd {
namespace {

using std::chrono::system_clock;
using watch::RequestEvent;
using watch::Watch;

// The time of an event by the wall clock of the report.
class WallClock {
public:
    system_clock::time_point at(SteadyTime time) const {
        return wall_ - std::chrono::duration_cast<system_clock::duration>(steady_ - time);
    }

private:
    const SteadyTime steady_ = now();
    const system_clock::time_point wall_ = system_clock::now();
};

const char* name_of(RequestEvent::What what) {
    switch (what) {
        case RequestEvent::What::posted: return "posted";
        case RequestEvent::What::refused: return "refused";
        case RequestEvent::What::result: return "result";
    }
    return "";
}

ordered_json event_json(const RequestEvent& event, const WallClock& clock) {
    const auto at = std::chrono::floor<std::chrono::microseconds>(clock.at(event.at).time_since_epoch());
    ordered_json json = {
        {"at_us", at.count()},          {"thread", event.thread},
        {"event", name_of(event.what)}, {"operation", name(event.operation)},
        {"bytes", event.bytes},         {"context", format("{:#x}", reinterpret_cast<std::uintptr_t>(event.context))}};
    if (event.what == RequestEvent::What::posted) return json;
    json["status"] = name(event.status);
    if (event.what == RequestEvent::What::result) json["took_ns"] = event.took.count();
    return json;
}

std::string text_of(const Watch::QueueEvents& queue, const RequestEvent& event) {
    const std::string request = format("{} {}: {} of {} bytes, request context {}", queue.kind, queue.number,
                                       name(event.operation), event.bytes, event.context);
    switch (event.what) {
        case RequestEvent::What::posted: return format("{}: posted", request);
        case RequestEvent::What::refused: return format("{}: refused: {}", request, name(event.status));
        case RequestEvent::What::result: break;
    }
    return format("{}: {} after {:.1f} us", request, name(event.status),
                  static_cast<double>(event.took.count()) / 1000);
}

}  // namespace

ordered_json request_events_json(const Watch& watch) {
    const WallClock clock;
    ordered_json all = ordered_json::array();
    for (const Watch::QueueEvents& queue : watch.events()) {
        ordered_json events = ordered_json::array();
        for (const RequestEvent& each : queue.events.kept) events.push_back(event_json(each, clock));
        all.push_back({{"queue", queue.kind},
                       {"number", queue.number},
                       {"closed", queue.ended},
                       {"left_out", queue.events.left_out},
                       {"events", std::move(events)}});
    }
    return all;
}

std::vector<RequestLine> request_lines(const Watch& watch) {
    const WallClock clock;
    std::vector<RequestLine> all;
    for (const Watch::QueueEvents& queue : watch.events())
        for (const RequestEvent& each : queue.events.kept)
            all.push_back({clock.at(each.at), each.thread, text_of(queue, each)});
    std::ranges::stable_sort(all, {}, &RequestLine::at);
    return all;
}

}  // namespace opennd
