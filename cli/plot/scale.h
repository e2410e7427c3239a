// SPDX-License-Identifier: MIT
//
// Scale: from figures to a length between two places of a picture.
#pragma once

#include <string>
#include <vector>

namespace nd {

// by_range: logarithmic where the highest value is many times the lowest, and that is above 0; else from 0 on.
enum class Spacing { by_range, logarithmic };

class Scale {
public:
    // begin and end: the places of the two ends. `values` is not empty, and above 0 where the spacing is logarithmic.
    Scale(const std::vector<double>& values, double begin, double end, Spacing spacing = Spacing::by_range);

    double place(double value) const;
    bool logarithmic() const { return logarithmic_; }
    // Round values to mark.
    std::vector<double> ticks() const;

private:
    bool logarithmic_;
    double low_, high_;  // their logarithms, where it is one
    double begin_, end_;
};

// "0.25", "120", "1.5M"
std::string tick_text(double value);
// "64", "4K", "8M": powers of 1024
std::string bytes_text(double bytes);

}  // namespace nd
