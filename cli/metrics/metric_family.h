// SPDX-License-Identifier: MIT
//
// Metrics in Prometheus' text format, version 0.0.4.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nd {

enum class MetricType { counter, gauge };

// Not thread-safe.
class MetricFamily {
public:
    // The names and the help are Prometheus' and fixed; a value of a label may be any text.
    using Labels = std::vector<std::pair<const char*, std::string>>;

    MetricFamily(const char* name, MetricType type, const char* help) : name_(name), type_(type), help_(help) {}

    // Labels that are there already get the sum: Prometheus refuses all metrics where one stands twice.
    void add(const Labels& labels, double value);

    // Appends nothing where nothing was added.
    void append_to(std::string& text) const;

private:
    const char* name_;
    MetricType type_;
    const char* help_;
    std::map<std::string, double> values_;  // by the labels as they are printed
};

}  // namespace nd
