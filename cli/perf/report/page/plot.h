// SPDX-License-Identifier: MIT
//
// Pictures as SVG: lines over sizes, and a histogram. No meaning rests on colour alone: each line has a mark of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nd {

struct Point {
    double x, y;
};

struct Series {
    std::string name;
    std::vector<Point> points;
};

struct Labels {
    std::string title;
    std::string x, y;  // of the axes, with the unit
};

// x: bytes of a message or operation. Series without points are left out; at least one has some.
std::string line_plot(const Labels& labels, const std::vector<Series>& series);

struct Bar {
    double from, to;
    std::uint64_t count;
};

// At least one bar.
std::string bar_plot(const Labels& labels, const std::vector<Bar>& bars);

// The classes that the pictures use, as rules of a style sheet; with colours for light and dark pages.
std::string plot_style();

}  // namespace nd
