// SPDX-License-Identifier: MIT
//
// Plots for another program, such as benchmarks/report: it describes them as JSON and gets SVG.
#pragma once

#include <iosfwd>

namespace nd {

// Reads a list of plots:
//
//   {"form": "lines" or "rows", "title": ..., "description": ..., "x": ..., "y": ..., "along": "bytes" or "counts",
//    "series": [{"name": ..., "kind": "plain", "ours", "before", "floor" or "peer", "points": [[x, y], [x, y, low, high] ...]}]}
//
// where "description", "along" and "kind" may be left out. Writes {"style": page_style(), "plot_style": plot_style(),
// "pictures": [...]}; the picture of a plot without a point is null. Throws std::runtime_error for anything else.
void draw_plots(std::istream& in, std::ostream& out);

}  // namespace nd
