// SPDX-License-Identifier: MIT
//
// What stands around the area of a plot: title, axes with their marks, and the names of the lines below.
#pragma once

#include "plot/plot.h"
#include "plot/scale.h"

#include <string>
#include <vector>

namespace nd {

std::string line_between(const char* name, double x1, double y1, double x2, double y2);
std::string label_at(const std::string& text, double x, double y, const char* anchor);
// No font is wider by much.
double width_of(const std::string& text);

class Frame {
public:
    static constexpr double kWidth = 480;
    static constexpr double kLeft = 52, kRight = kWidth - 14;

    // `height` and `left`: of the area.
    Frame(const Labels& labels, double height, double left = kLeft);

    double top() const { return top_; }
    double bottom() const { return top_ + height_; }

    // Lines across at the marks of y, and its name above them.
    void add_y(const Scale& y);
    // The axis of x with its name; of many marks every second one, or third, so that their texts do not overlap.
    void add_x(const Scale& x, const std::string& name, const std::vector<double>& marks,
               std::string (*text_of)(double));
    // A sample of each line with its name, in lines below the axis.
    void add_names(const std::vector<Series>& series, const std::vector<Look>& looks);
    void add(const std::string& content) { content_ += content; }

    std::string picture() const;

private:
    const Labels& labels_;
    const double height_, left_;
    double top_, end_;  // end_: of the picture
    std::string content_;
};

}  // namespace nd
