// SPDX-License-Identifier: MIT
//
// Read plot.h first.
#include "plot/plot.h"

#include "plot/frame.h"
#include "plot/markup.h"
#include "plot/scale.h"

#include <algorithm>
#include <iterator>

namespace nd {
namespace {

constexpr double kHeight = 220;  // of the area with lines or bars
constexpr double kInset = 10;

std::vector<Series> those_with_points(const std::vector<Series>& all) {
    std::vector<Series> series;
    std::copy_if(all.begin(), all.end(), std::back_inserter(series),
                 [](const Series& each) { return !each.points.empty(); });
    return series;
}

std::vector<Look> looks_for(const std::vector<Series>& series) {
    std::vector<LineKind> kinds;
    for (const Series& each : series) kinds.push_back(each.kind);
    return looks_of(kinds);
}

std::vector<double> figures_of(const std::vector<Series>& series) {
    std::vector<double> figures;
    for (const Series& each : series)
        for (const Point& point : each.points) figures.insert(figures.end(), {point.low, point.high});
    return figures;
}

std::vector<double> places_along(const std::vector<Series>& series) {
    std::vector<double> places;
    for (const Series& each : series)
        for (const Point& point : each.points) places.push_back(point.x);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

std::string way_of(const Series& series, const Look& look, const Scale& x, const Scale& y, double bottom) {
    std::string way, marks;
    for (const Point& point : series.points) {
        const double at = x.place(point.x), height = bottom - y.place(point.y);
        way += (way.empty() ? "" : " ") + coordinate(at) + "," + coordinate(height);
        if (point.low != point.high)
            marks += line_between("range", at, bottom - y.place(point.low), at, bottom - y.place(point.high));
        marks += mark(look, at, height);
    }
    return element("g", {{"class", look.name}},
                   element("polyline", {{"class", "line"},
                                        {"points", way},
                                        {"stroke-width", coordinate(look.width)},
                                        {"stroke-dasharray", look.dashes}}) +
                       marks);
}

}  // namespace

std::string line_plot(const Labels& labels, const std::vector<Series>& all, Along along) {
    const std::vector<Series> series = those_with_points(all);
    const std::vector<Look> looks = looks_for(series);
    const std::vector<double> marks = places_along(series);
    const Scale x(marks, Frame::kLeft + kInset, Frame::kRight - kInset), y(figures_of(series), 0, kHeight);
    Frame frame(labels, kHeight);
    frame.add_y(y);
    frame.add_x(x, labels.x, marks, along == Along::bytes ? bytes_text : tick_text);
    for (std::size_t i = series.size(); i-- > 0;)  // the first one comes to lie on top
        frame.add(way_of(series[i], looks[i], x, y, frame.bottom()));
    frame.add_names(series, looks);
    return frame.picture();
}

std::string row_plot(const Labels& labels, const std::vector<Series>& all) {
    constexpr double kRow = 24;
    const std::vector<Series> series = those_with_points(all);
    const std::vector<Look> looks = looks_for(series);
    double names = 0;
    for (const Series& each : series) names = std::max(names, width_of(each.name));
    const double left = names + 2 * kInset;
    const Scale x(figures_of(series), left, Frame::kRight - kInset);
    Frame frame(labels, kRow * static_cast<double>(series.size()), left);
    for (const double tick : x.ticks())
        frame.add(line_between("grid", x.place(tick), frame.top(), x.place(tick), frame.bottom()));
    for (std::size_t i = 0; i < series.size(); ++i) {
        const Point& point = series[i].points.front();
        const double height = frame.top() + (static_cast<double>(i) + 0.5) * kRow;
        frame.add(label_at(series[i].name, left - kInset, height + 5, "end") +
                  element("g", {{"class", looks[i].name}},
                          line_between("range", x.place(point.low), height, x.place(point.high), height) +
                              mark(looks[i], x.place(point.y), height)));
    }
    frame.add_x(x, labels.y, x.ticks(), tick_text);
    return frame.picture();
}

std::string bar_plot(const Labels& labels, const std::vector<Bar>& bars) {
    constexpr double kLeast = 2;             // of a bar with one sample of many
    std::vector<double> ends, counts = {0};  // from 0 on: a logarithm would belie the areas
    for (const Bar& bar : bars) {
        ends.insert(ends.end(), {bar.from, bar.to});
        counts.push_back(static_cast<double>(bar.count));
    }
    const Scale x(ends, Frame::kLeft, Frame::kRight, Spacing::logarithmic), y(counts, 0, kHeight);
    Frame frame(labels, kHeight);
    frame.add_y(y);
    for (const Bar& bar : bars) {
        if (bar.count == 0) continue;
        const double begin = x.place(bar.from), end = x.place(bar.to);
        const double height = std::max(y.place(static_cast<double>(bar.count)), kLeast);
        frame.add(element("rect", {{"class", "bar"},
                                   {"x", coordinate(begin + 0.5)},
                                   {"y", coordinate(frame.bottom() - height)},
                                   {"width", coordinate(std::max(end - begin - 1, kLeast))},
                                   {"height", coordinate(height)}}));
    }
    frame.add_x(x, labels.x, x.ticks(), tick_text);
    return frame.picture();
}

}  // namespace nd
