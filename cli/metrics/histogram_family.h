// SPDX-License-Identifier: MIT
//
// A histogram in Prometheus' text format: times of requests, in buckets that end at powers of two nanoseconds.
#pragma once

#include "inspect/request_latencies.h"
#include "metrics/metric_family.h"

#include <cstdint>
#include <map>
#include <string>

namespace nd {

// Not thread-safe.
class HistogramFamily {
public:
    HistogramFamily(const char* name, const char* help) : name_(name), help_(help) {}

    // Labels that are there already get the sum.
    void add(const MetricLabels& labels, const RequestLatency& latency);

    // Appends nothing where nothing was added.
    void append_to(std::string& text) const;

private:
    struct Values {
        MetricLabels labels;
        std::map<std::uint64_t, std::uint64_t> buckets;  // as RequestLatency has them
        double sum_s = 0;
    };

    void append_to(std::string& text, const Values& values) const;

    const char* name_;
    const char* help_;
    std::map<std::string, Values> values_;  // by the labels as they are printed
};

}  // namespace nd
