// SPDX-License-Identifier: MIT
//
// Read plot_document.h first.
#include "plot/plot_document.h"

#include "plot/page_style.h"
#include "plot/plot.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>

namespace nd {
namespace {

using nlohmann::ordered_json;

LineKind kind_named(const std::string& name) {
    struct Named {
        const char* name;
        LineKind kind;
    };
    for (const Named& each :
         {Named{"plain", LineKind::plain}, Named{"ours", LineKind::ours}, Named{"before", LineKind::before},
          Named{"floor", LineKind::floor}, Named{"peer", LineKind::peer}})
        if (name == each.name) return each.kind;
    throw std::runtime_error("a plot has no lines of kind '" + name + "'");
}

Point point_of(const ordered_json& numbers) {
    const double x = numbers.at(0), y = numbers.at(1);
    if (numbers.size() == 2) return {x, y, y, y};
    return {x, y, numbers.at(2), numbers.at(3)};
}

Series series_of(const ordered_json& described) {
    Series series{described.at("name"), {}, kind_named(described.value("kind", "plain"))};
    for (const ordered_json& each : described.at("points")) series.points.push_back(point_of(each));
    return series;
}

ordered_json picture_of(const ordered_json& described) {
    const Labels labels{described.at("title"), described.value("x", ""), described.at("y"),
                        described.value("description", "")};
    std::vector<Series> series;
    for (const ordered_json& each : described.at("series")) series.push_back(series_of(each));
    if (std::all_of(series.begin(), series.end(), [](const Series& each) { return each.points.empty(); }))
        return nullptr;
    if (described.at("form") == "rows") return row_plot(labels, series);
    return line_plot(labels, series, described.value("along", "bytes") == "counts" ? Along::counts : Along::bytes);
}

ordered_json read_plots(std::istream& in) {
    try {
        return ordered_json::parse(in);
    } catch (const ordered_json::parse_error& error) {
        throw std::runtime_error(std::string("plots are described as JSON: ") + error.what());
    }
}

}  // namespace

void draw_plots(std::istream& in, std::ostream& out) {
    ordered_json pictures = ordered_json::array();
    for (const ordered_json& each : read_plots(in)) try {
            pictures.push_back(picture_of(each));
        } catch (const ordered_json::exception& error) {
            throw std::runtime_error(std::string("no description of a plot: ") + error.what());
        }
    out << ordered_json{{"style", page_style()}, {"plot_style", plot_style()}, {"pictures", std::move(pictures)}}.dump()
        << '\n';
}

}  // namespace nd
