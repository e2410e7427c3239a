// SPDX-License-Identifier: MIT
//
// Read scale.h first.
#include "plot/scale.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace nd {
namespace {

constexpr double kLogarithmicFrom = 8;  // times
constexpr double kMostMargin = 0.06;    // of a power of ten
constexpr double kMargin = 0.04;        // of the range
constexpr double kNarrow = 0.7;         // powers of ten, with too few 1, 2 and 5 of them
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

Scale::Scale(const std::vector<double>& values, double begin, double end, Spacing spacing) : begin_(begin), end_(end) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    logarithmic_ = spacing == Spacing::logarithmic || (*low > 0 && *high / *low >= kLogarithmicFrom);
    if (!logarithmic_) {
        low_ = 0;
        high_ = *high > 0 ? *high * 1.08 : 1;
        return;
    }
    const double range = std::log10(*high / *low);
    const double margin = range > 0 ? std::min(kMostMargin, range * kMargin) : kMostMargin;
    low_ = std::log10(*low) - margin;
    high_ = std::log10(*high) + margin;
}

double Scale::place(double value) const {
    const double at = logarithmic_ ? std::log10(value) : value;
    return begin_ + (at - low_) / (high_ - low_) * (end_ - begin_);
}

std::vector<double> Scale::ticks() const {
    std::vector<double> ticks;
    if (!logarithmic_ || high_ - low_ < kNarrow) {
        const double least = logarithmic_ ? std::pow(10.0, low_) : low_;
        const double most = logarithmic_ ? std::pow(10.0, high_) : high_;
        const double step = round_step((most - least) / kTicks);
        for (double i = std::ceil(least / step); i * step <= most; ++i) ticks.push_back(i * step);
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
