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

// The names and the help are Prometheus' and fixed; a value of a label may be any text.
using MetricLabels = std::vector<std::pair<const char*, std::string>>;

// "{pid=\"1\",wire=\"shm\"}"; nothing for none.
std::string labels_text(const MetricLabels& labels);
// All digits: a counter is no 1e+09.
std::string number_text(double value);

// Not thread-safe.
class MetricFamily {
public:
    MetricFamily(const char* name, MetricType type, const char* help) : name_(name), type_(type), help_(help) {}

    // Labels that are there already get the sum: Prometheus refuses all metrics where one stands twice.
    void add(const MetricLabels& labels, double value);

    // Appends nothing where nothing was added.
    void append_to(std::string& text) const;

private:
    const char* name_;
    MetricType type_;
    const char* help_;
    std::map<std::string, double> values_;  // by the labels as they are printed
};

}  // namespace nd
