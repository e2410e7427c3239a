// SPDX-License-Identifier: MIT
// See event_report.h.
#include "library/inspection/event_report.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/log.h"
#include "base/printable.h"
#include "library/inspection/pending.h"
#include "library/inspection/request_events.h"
#include "library/json/json.h"

namespace opennd {
namespace {

// As the log writes them.
std::string_view name(LogLevel level) {
    constexpr std::array<std::string_view, 4> names{"error", "warning", "info", "debug"};
    return names[static_cast<std::size_t>(level)];
}

// In the time zone of the process, as in the log.
std::string time_text(std::chrono::system_clock::time_point at) {
    const auto since_1970 = std::chrono::floor<std::chrono::microseconds>(at.time_since_epoch()).count();
    const auto seconds = static_cast<std::time_t>(since_1970 / 1'000'000);
    std::tm local = {};
    char date[32] = "";
    if (::localtime_r(&seconds, &local)) std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &local);
    return format("{}.{:06}", date, since_1970 % 1'000'000);
}

}  // namespace

std::string event_text(const watch::Watch* watch, AdapterCatalog& adapters) {
    std::vector<RequestLine> requests;
    if (watch) requests = request_lines(*watch);
    std::string text;
    auto request = requests.cbegin();
    const auto add_requests_before = [&](std::chrono::system_clock::time_point time) {
        for (; request != requests.cend() && request->at < time; ++request)
            text += format("{} {} request: {}\n", time_text(request->at), request->thread, request->text);
    };
    for (const RecentLine& each : recent_log_lines()) {
        add_requests_before(each.at);
        text += format("{} {} {}: {}\n", time_text(each.at), each.thread, name(each.level), printable(each.text));
    }
    add_requests_before(std::chrono::system_clock::time_point::max());
    for (const std::string& each : pending_lines(adapters)) text += format("pending: {}\n", each);
    return text;
}

std::string event_report(const watch::Watch* watch, AdapterCatalog& adapters) {
    ordered_json events = ordered_json::array();
    for (const RecentLine& each : recent_log_lines()) {
        const auto since_1970 = std::chrono::floor<std::chrono::microseconds>(each.at.time_since_epoch());
        events.push_back(
            {{"at_us", since_1970.count()}, {"thread", each.thread}, {"level", name(each.level)}, {"text", each.text}});
    }
    ordered_json report = {{"pid", ::getpid()}, {"events", std::move(events)}, {"pending", pending_lines(adapters)}};
    if (watch)
        if (ordered_json requests = request_events_json(*watch); !requests.empty())
            report["requests"] = std::move(requests);
    return report.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace opennd
