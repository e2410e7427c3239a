// SPDX-License-Identifier: MIT
//
// Read metric_family.h first.
#include "metrics/metric_family.h"

#include <array>
#include <charconv>
#include <string_view>

namespace nd {
namespace {

std::string escaped(std::string_view value) {
    std::string text;
    for (const char each : value) {
        if (each == '\\' || each == '"') text += '\\';
        text += each == '\n' ? std::string_view("\\n") : std::string_view(&each, 1);
    }
    return text;
}

}  // namespace

std::string labels_text(const MetricLabels& labels) {
    std::string text;
    for (const auto& [name, value] : labels)
        text += (text.empty() ? "{" : ",") + std::string(name) + "=\"" + escaped(value) + "\"";
    return text.empty() ? text : text + "}";
}

std::string number_text(double value) {
    std::array<char, 400> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed).ptr;
    return {digits.data(), end};
}

void MetricFamily::add(const MetricLabels& labels, double value) { values_[labels_text(labels)] += value; }

void MetricFamily::append_to(std::string& text) const {
    if (values_.empty()) return;
    const std::string name = name_;
    text += "# HELP " + name + " " + help_ + "\n";
    text += "# TYPE " + name + (type_ == MetricType::counter ? " counter\n" : " gauge\n");
    for (const auto& [labels, value] : values_) text += name + labels + " " + number_text(value) + "\n";
}

}  // namespace nd
