// SPDX-License-Identifier: MIT
//
// How long requests of a process took, out of its report (docs/inspection.md). There are some with OPENND_LATENCY=on.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace nd {

// The latencies of one operation through one API over one wire at one interface.
struct RequestLatency {
    // The limit of a bucket that has no end.
    static constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

    std::string api, wire, operation;
    std::uint64_t count = 0;
    std::uint64_t sum_ns = 0;
    std::uint64_t longest_ns = 0;
    std::map<std::uint64_t, std::uint64_t> buckets;  // requests, by the longest time of their bucket

    // The time that this part of the requests, 0.99, took at most: by at most an eighth too long.
    std::uint64_t quantile_ns(double part) const;
};

// The latencies of an interface of a report that ask_process() gave.
std::vector<RequestLatency> latencies_of(const nlohmann::ordered_json& interface);

// Not thread-safe.
class LatencyIntervals {
public:
    // Takes one of this sample. What has been added since the last sample; all of it where that had none.
    RequestLatency add(unsigned pid, std::uint64_t interface, const RequestLatency& latency);

    // The next sample begins. What this one did not take is forgotten.
    void end_sample();

private:
    using Key = std::tuple<unsigned, std::uint64_t, std::string, std::string, std::string>;
    std::map<Key, RequestLatency> before_;
    std::map<Key, RequestLatency> now_;
};

}  // namespace nd
