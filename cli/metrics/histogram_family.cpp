// SPDX-License-Identifier: MIT
//
// Read histogram_family.h first.
#include "metrics/histogram_family.h"

#include <array>
#include <charconv>
#include <utility>

namespace nd {
namespace {

// From 128 ns to 34 s. The report's buckets end there too.
constexpr unsigned kFirstPower = 7, kLastPower = 35;

std::string seconds_text(std::uint64_t nanoseconds) {
    std::array<char, 64> digits;
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<double>(nanoseconds) / 1e9).ptr;
    return {digits.data(), end};
}

MetricLabels with(MetricLabels labels, const char* name, std::string value) {
    labels.emplace_back(name, std::move(value));
    return labels;
}

}  // namespace

void HistogramFamily::add(const MetricLabels& labels, const RequestLatency& latency) {
    Values& values = values_[labels_text(labels)];
    values.labels = labels;
    for (const auto& [longest, requests] : latency.buckets) values.buckets[longest] += requests;
    values.sum_s += static_cast<double>(latency.sum_ns) / 1e9;
}

void HistogramFamily::append_to(std::string& text) const {
    if (values_.empty()) return;
    const std::string name = name_;
    text += "# HELP " + name + " " + help_ + "\n";
    text += "# TYPE " + name + " histogram\n";
    for (const auto& [labels, values] : values_) append_to(text, values);
}

// Each bucket counts all up to its end.
void HistogramFamily::append_to(std::string& text, const Values& values) const {
    const std::string name = name_;
    const auto line = [&](const char* suffix, const MetricLabels& labels, double value) {
        text += name + suffix + labels_text(labels) + " " + number_text(value) + "\n";
    };
    std::uint64_t reached = 0;
    auto next = values.buckets.begin();
    for (unsigned power = kFirstPower; power <= kLastPower; ++power) {
        const std::uint64_t end = std::uint64_t{1} << power;
        for (; next != values.buckets.end() && next->first <= end; ++next) reached += next->second;
        line("_bucket", with(values.labels, "le", seconds_text(end)), static_cast<double>(reached));
    }
    for (; next != values.buckets.end(); ++next) reached += next->second;
    line("_bucket", with(values.labels, "le", "+Inf"), static_cast<double>(reached));
    line("_sum", values.labels, values.sum_s);
    line("_count", values.labels, static_cast<double>(reached));
}

}  // namespace nd
