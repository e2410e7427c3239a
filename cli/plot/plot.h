// SPDX-License-Identifier: MIT
//
// Plots as SVG, each with its title: lines, one value for each of several names, and a histogram. Their width is that of a phone's
// page, so that their text is read there, too. look.h has their colours.
#pragma once

#include "plot/look.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nd {

struct Labels {
    std::string title;
    std::string x, y;         // of the axes, with the unit
    std::string description;  // for readers who see no picture; may be empty
};

struct Point {
    double x, y;
    double low, high;  // y is a median of figures between these; both y: there is no range
};

struct Series {
    std::string name;
    std::vector<Point> points;
    LineKind kind = LineKind::plain;
};

// The texts of the marks along x: powers of 1024, or numbers.
enum class Along { bytes, counts };

// Series without points are left out; at least one has some.
std::string line_plot(const Labels& labels, const std::vector<Series>& series, Along along = Along::bytes);

// Draws a row for each series, with its first point: y lies along the axis, under the name labels.y. Series as of line_plot().
std::string row_plot(const Labels& labels, const std::vector<Series>& series);

struct Bar {
    double from, to;
    std::uint64_t count;
};

// A histogram over a logarithmic axis. At least one bar; they begin above 0.
std::string bar_plot(const Labels& labels, const std::vector<Bar>& bars);

}  // namespace nd
