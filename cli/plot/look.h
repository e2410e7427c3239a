// SPDX-License-Identifier: MIT
//
// The looks of lines in a plot: colours, dashes and marks. No meaning rests on colour alone.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace nd {

// The subject of a line. Lines of a kind have a family of colours; floors are dashed, builds before are dotted.
enum class LineKind { plain, ours, before, floor, peer };

struct Look {
    std::string name;  // the class of the line's elements
    const char* dashes;
    std::size_t mark;
    bool hollow;
    double width;
};

// The looks of the lines of one plot, each with a mark of its own.
std::vector<Look> looks_of(std::span<const LineKind> kinds);

// The mark at a point, as SVG.
std::string mark(const Look& look, double x, double y);

// The colours as variables, for light and dark grounds, and the rules of the plots' classes.
std::string plot_style();

}  // namespace nd
