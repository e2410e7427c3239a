// SPDX-License-Identifier: MIT
//
// Read request_latencies.h first.
#include "inspect/request_latencies.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace nd {

using nlohmann::ordered_json;

std::uint64_t RequestLatency::quantile_ns(double part) const {
    std::uint64_t all = 0;
    for (const auto& [longest, requests] : buckets) all += requests;
    const double wanted = part * static_cast<double>(all);
    std::uint64_t reached = 0;
    for (const auto& [longest, requests] : buckets) {
        reached += requests;
        if (static_cast<double>(reached) >= wanted) return std::min(longest, longest_ns);
    }
    return 0;
}

std::vector<RequestLatency> latencies_of(const ordered_json& interface) {
    std::vector<RequestLatency> all;
    if (!interface.contains("latencies")) return all;
    for (const ordered_json& each : interface.at("latencies")) {
        RequestLatency latency{each.at("api"),
                               each.at("wire"),
                               each.at("operation"),
                               each.at("count"),
                               each.at("sum_ns"),
                               each.at("longest_ns"),
                               {}};
        for (const ordered_json& bucket : each.at("buckets"))
            latency.buckets[bucket[0].is_null() ? RequestLatency::kNoEnd : bucket[0].get<std::uint64_t>()] +=
                bucket[1].get<std::uint64_t>();
        all.push_back(std::move(latency));
    }
    return all;
}

// A process that has another's number counts anew.
RequestLatency LatencyIntervals::add(unsigned pid, std::uint64_t interface, const RequestLatency& latency) {
    const Key key{pid, interface, latency.api, latency.wire, latency.operation};
    now_[key] = latency;
    RequestLatency added = latency;
    const auto known = before_.find(key);
    if (known == before_.end() || known->second.count > latency.count || known->second.sum_ns > latency.sum_ns)
        return added;
    added.count -= known->second.count;
    added.sum_ns -= known->second.sum_ns;
    for (const auto& [longest, requests] : known->second.buckets)
        if (const auto found = added.buckets.find(longest); found != added.buckets.end())
            found->second -= std::min(found->second, requests);
    std::erase_if(added.buckets, [](const auto& bucket) { return bucket.second == 0; });
    return added;
}

void LatencyIntervals::end_sample() {
    before_.swap(now_);
    now_.clear();
}

}  // namespace nd
