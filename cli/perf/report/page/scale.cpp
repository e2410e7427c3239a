// SPDX-License-Identifier: MIT
//
// Read scale.h first.
#include "perf/report/page/scale.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace nd {
namespace {

constexpr double kLogarithmicFrom = 8;  // times
constexpr double kMargin = 0.06;        // of a power of ten
constexpr int kTicks = 5;

// 1, 2 or 5 times a power of ten.
double round_step(double rough) {
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * power * 1.0001) return factor * power;
    return 10 * power;
}

std::string with_unit(double value, double base, const char* const (&units)[5]) {
    std::size_t unit = 0;
    while (value >= base && unit + 1 < std::size(units)) {
        value /= base;
        ++unit;
    }
    char text[32] = "";
    std::snprintf(text, sizeof text, "%.4g%s", value, units[unit]);
    return text;
}

}  // namespace

Scale::Scale(const std::vector<double>& values, double begin, double end) : begin_(begin), end_(end) {
    const auto [low, high] = std::ranges::minmax(values);
    logarithmic_ = low > 0 && high / low >= kLogarithmicFrom;
    low_ = logarithmic_ ? std::log10(low) - kMargin : 0;
    high_ = logarithmic_ ? std::log10(high) + kMargin : high > 0 ? high * 1.08 : 1;
}

double Scale::place(double value) const {
    const double at = logarithmic_ ? std::log10(value) : value;
    return begin_ + (at - low_) / (high_ - low_) * (end_ - begin_);
}

std::vector<double> Scale::ticks() const {
    std::vector<double> ticks;
    if (!logarithmic_) {
        const double step = round_step(high_ / kTicks);
        for (int i = 0; i * step <= high_; ++i) ticks.push_back(i * step);
        return ticks;
    }
    const bool dense = high_ - low_ < 2.5;
    for (int power = static_cast<int>(std::floor(low_)); power <= std::ceil(high_); ++power)
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double tick = factor * std::pow(10.0, power);
            if ((dense || factor == 1.0) && std::log10(tick) >= low_ && std::log10(tick) <= high_)
                ticks.push_back(tick);
        }
    return ticks;
}

std::string tick_text(double value) { return with_unit(value, 1000, {"", "k", "M", "G", "T"}); }

std::string bytes_text(double bytes) { return with_unit(bytes, 1024, {"", "K", "M", "G", "T"}); }

}  // namespace nd
