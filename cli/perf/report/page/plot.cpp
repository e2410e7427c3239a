// SPDX-License-Identifier: MIT
//
// Read plot.h first.
#include "perf/report/page/plot.h"

#include "perf/report/page/markup.h"
#include "perf/report/page/scale.h"

#include <algorithm>
#include <iterator>

namespace nd {
namespace {

constexpr double kWidth = 800, kHeight = 360;
constexpr double kLeft = 70, kRight = 590, kTop = 20,
                 kBottom = 300;  // of the area with lines; names stand to the right
constexpr double kInset = 15, kNameHeight = 22, kMark = 4.5;

struct Look {
    const char *light, *dark, *dashes;
};
// The colours differ for colour-blind readers, too. Equal values lie on each other: through the gaps of a line those drawn before it
// are seen.
constexpr Look kLooks[] = {{"#0072b2", "#56b4e9", "none"}, {"#c65300", "#ff8a3d", "16 5"},
                           {"#007a5a", "#2bc79a", "7 7"},  {"#a8447f", "#e39ac6", "12 4 3 4"},
                           {"#8a6100", "#e6a700", "3 5"},  {"#6c43a0", "#bda0ea", "9 3 3 3 3 3"}};
constexpr std::size_t kMarks = std::size(kLooks);

std::string class_of(std::size_t index) { return "line-" + std::to_string(index % kMarks); }

std::string line(const char* name, double x1, double y1, double x2, double y2) {
    return element("line", {{"class", name},
                            {"x1", coordinate(x1)},
                            {"y1", coordinate(y1)},
                            {"x2", coordinate(x2)},
                            {"y2", coordinate(y2)}});
}

std::string label(const std::string& text, double x, double y, const char* anchor) {
    return text_element("text", text, {{"x", coordinate(x)}, {"y", coordinate(y)}, {"text-anchor", anchor}});
}

// A corner of a shape around a point.
struct Corner {
    double dx, dy;
};
const std::vector<Corner>& shape_of(std::size_t mark) {
    static const std::vector<Corner> shapes[] = {
        {{-kMark, -kMark}, {kMark, -kMark}, {kMark, kMark}, {-kMark, kMark}},
        {{0, -kMark - 1}, {kMark + 1, 0}, {0, kMark + 1}, {-kMark - 1, 0}},
        {{0, -kMark - 1}, {kMark, kMark}, {-kMark, kMark}},
        {{0, kMark + 1}, {kMark, -kMark}, {-kMark, -kMark}},
        {{-kMark, -kMark}, {0, -1.5}, {kMark, -kMark}, {1.5, 0}, {kMark, kMark}, {0, 1.5}, {-kMark, kMark}, {-1.5, 0}},
    };
    return shapes[mark - 1];  // the first mark is a circle
}

std::string mark(std::size_t index, double x, double y) {
    index %= kMarks;
    if (index == 0)
        return element("circle",
                       {{"class", "mark"}, {"cx", coordinate(x)}, {"cy", coordinate(y)}, {"r", coordinate(kMark)}});
    std::string points;
    for (const Corner& corner : shape_of(index))
        points += (points.empty() ? "" : " ") + coordinate(x + corner.dx) + "," + coordinate(y + corner.dy);
    return element("polygon", {{"class", "mark"}, {"points", points}});
}

std::string picture(const Labels& labels, const std::string& content) {
    return element("svg",
                   {{"xmlns", "http://www.w3.org/2000/svg"},
                    {"viewBox", "0 0 " + coordinate(kWidth) + " " + coordinate(kHeight)},
                    {"role", "img"},
                    {"aria-label", labels.title}},
                   text_element("title", labels.title) + content);
}

std::string with_kind(const std::string& text, const Scale& scale) {
    return scale.logarithmic() ? text + ", logarithmic" : text;
}

// Lines across at the ticks of y, the axis of x, and the titles of both.
std::string frame(const Labels& labels, const Scale& x, const Scale& y, double right) {
    std::string parts;
    for (const double tick : y.ticks()) {
        parts += line("grid", kLeft, y.place(tick), right, y.place(tick));
        parts += label(tick_text(tick), kLeft - 8, y.place(tick) + 4, "end");
    }
    parts += line("axis", kLeft, kBottom, right, kBottom);
    parts += label(with_kind(labels.x, x), (kLeft + right) / 2, kBottom + 42, "middle");
    parts += text_element("text", with_kind(labels.y, y),
                          {{"x", coordinate(-(kTop + kBottom) / 2)},
                           {"y", "16"},
                           {"text-anchor", "middle"},
                           {"transform", "rotate(-90)"}});
    return parts;
}

std::string x_tick(const std::string& text, double place) {
    return line("axis", place, kBottom, place, kBottom + 5) + label(text, place, kBottom + 20, "middle");
}

// The ticks of some sizes of many: their texts must not overlap.
std::string size_ticks(const std::vector<double>& sizes, const Scale& x) {
    constexpr double kApart = 36;
    std::string parts;
    double last = -kApart;
    for (const double size : sizes) {
        if (x.place(size) - last < kApart) continue;
        last = x.place(size);
        parts += x_tick(bytes_text(size), last);
    }
    return parts;
}

std::string way_of(const Series& series, std::size_t index, const Scale& x, const Scale& y) {
    std::string way, marks;
    for (const Point& point : series.points) {
        way += (way.empty() ? "" : " ") + coordinate(x.place(point.x)) + "," + coordinate(y.place(point.y));
        marks += mark(index, x.place(point.x), y.place(point.y));
    }
    return element("g", {{"class", class_of(index)}}, element("polyline", {{"points", way}}) + marks);
}

std::string name_of_series(const Series& series, std::size_t index) {
    const double height = kTop + 10 + static_cast<double>(index) * kNameHeight, begin = kRight + 15;
    return element("g", {{"class", class_of(index)}},
                   line("stroke", begin, height, begin + 32, height) + mark(index, begin + 16, height)) +
           label(series.name, begin + 40, height + 4, "start");
}

}  // namespace

std::string line_plot(const Labels& labels, const std::vector<Series>& all) {
    std::vector<Series> series;
    std::ranges::copy_if(all, std::back_inserter(series), [](const Series& each) { return !each.points.empty(); });
    std::vector<double> xs, ys;
    for (const Series& each : series)
        for (const Point& point : each.points) {
            xs.push_back(point.x);
            ys.push_back(point.y);
        }
    const Scale x(xs, kLeft + kInset, kRight - kInset), y(ys, kBottom, kTop);
    std::ranges::sort(xs);
    xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
    std::string parts = frame(labels, x, y, kRight) + size_ticks(xs, x);
    for (std::size_t i = 0; i < series.size(); ++i) {
        parts += way_of(series[i], i, x, y);
        parts += name_of_series(series[i], i);
    }
    return picture(labels, parts);
}

std::string bar_plot(const Labels& labels, const std::vector<Bar>& bars) {
    constexpr double kEnd = kWidth - 30;
    std::vector<double> counts;
    for (const Bar& bar : bars) counts.push_back(static_cast<double>(bar.count));
    std::vector<double> from_zero = counts;
    from_zero.push_back(0);  // a logarithm would belie the areas
    const Scale y(from_zero, kBottom, kTop);
    // Bars of equal width, in order: the last one may have a long way to go.
    const double width = (kEnd - kLeft) / static_cast<double>(bars.size());
    std::string parts = frame(labels, Scale({0, 1}, kLeft, kEnd), y, kEnd);
    const std::size_t every = std::max<std::size_t>(1, bars.size() / 7);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double begin = kLeft + static_cast<double>(i) * width;
        const double top = bars[i].count == 0 ? kBottom : std::clamp(y.place(counts[i]), kTop, kBottom);
        parts += element("rect", {{"class", "bar"},
                                  {"x", coordinate(begin + 1)},
                                  {"y", coordinate(top)},
                                  {"width", coordinate(width - 2)},
                                  {"height", coordinate(kBottom - top)}});
        if (i % every == 0) parts += x_tick(tick_text(bars[i].from), begin);
    }
    parts += x_tick(tick_text(bars.back().to), kEnd);
    return picture(labels, parts);
}

std::string plot_style() {
    std::string light, dark, classes;
    for (std::size_t i = 0; i < kMarks; ++i) {
        const std::string name = "--" + class_of(i);
        light += " " + name + ": " + kLooks[i].light + ";";
        dark += " " + name + ": " + kLooks[i].dark + ";";
        classes += "." + class_of(i) + " { color: var(" + name + "); --dashes: " + kLooks[i].dashes + "; }\n";
    }
    return ":root {" + light + " }\n@media (prefers-color-scheme: dark) { :root {" + dark + " } }\n" + classes +
           "svg { width: 100%; height: auto; max-width: 50rem; }\n"
           "svg text { fill: var(--text); font-size: 13px; }\n"
           ".grid { stroke: var(--faint); }\n"
           ".axis { stroke: var(--text); }\n"
           ".stroke, polyline { fill: none; stroke: currentColor; stroke-width: 2; stroke-dasharray: var(--dashes); }\n"
           ".mark { fill: currentColor; stroke: currentColor; }\n"
           ".bar { fill: var(--line-0); }\n";
}

}  // namespace nd
