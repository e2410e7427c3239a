// SPDX-License-Identifier: MIT
//
// Read perf_page.h first.
#include "perf/report/page/perf_page.h"

#include "perf/report/outcome_text.h"
#include "perf/report/page/run_facts.h"
#include "plot/markup.h"
#include "plot/page_style.h"
#include "plot/plot.h"
#include "text/number_text.h"

#include <functional>
#include <string>

namespace nd {
namespace {

constexpr const char* kTitle = "nd perf";

using Outcomes = std::vector<PointOutcome>;
using Figure = std::function<double(const PointOutcome&)>;  // 0: none

std::string figure(const std::string& picture) { return element("figure", {}, picture) + "\n"; }

// The style sheet puts as many beside each other as the page has room for.
std::string plots(const std::string& figures) { return element("div", {{"class", "plots"}}, figures) + "\n"; }

std::string row(const char* cell, const std::vector<std::string>& texts) {
    std::string cells;
    for (const std::string& text : texts) cells += text_element(cell, text);
    return element("tr", {}, cells) + "\n";
}

std::string table(const std::vector<std::string>& names, const std::vector<std::vector<std::string>>& rows) {
    std::string lines = element("thead", {}, row("th", names)), body;
    for (const auto& each : rows) body += row("td", each);
    return element("div", {{"class", "wide"}}, element("table", {}, lines + element("tbody", {}, body))) + "\n";
}

// The numbers of one unit of bandwidth.
struct Unit {
    const char* name;
    double per_byte;
};

Unit bandwidth_unit(bool gigabits) { return gigabits ? Unit{"Gb/sec", 8e-9} : Unit{"MiB/sec", 1.0 / (1 << 20)}; }

Series series_of(const std::string& name, const Outcomes& outcomes, const Figure& figure_of) {
    Series series = {name, {}};
    for (const PointOutcome& each : outcomes)
        if (const double value = figure_of(each); value > 0)
            series.points.push_back({static_cast<double>(each.plan.size), value, value, value});
    return series;
}

std::string histogram(const PointOutcome& outcome) {
    std::vector<Bar> bars;
    for (const LatencyBin& bin : outcome.client.latency.histogram)
        if (bin.to_us > 0) bars.push_back({bin.from_us > 0 ? bin.from_us : bin.to_us / 2, bin.to_us, bin.count});
    if (bars.empty()) return {};
    const std::string title =
        std::string(name_of(outcome.plan.test)) + ": distribution of " + std::to_string(outcome.plan.size) + " bytes";
    return figure(bar_plot({title, "usec", "samples", {}}, bars));
}

std::string latency_plots(const Outcomes& outcomes) {
    if (outcomes.size() == 1) return plots(histogram(outcomes.front()));
    const auto series = [&](const char* name, double LatencySummary::*member) {
        return series_of(name, outcomes, [member](const PointOutcome& each) { return each.client.latency.*member; });
    };
    const std::string over_size =
        line_plot({std::string(name_of(outcomes.front().plan.test)) + ": latency over size", "bytes", "usec", {}},
                  {series("t_typical (median)", &LatencySummary::p50_us), series("99 %", &LatencySummary::p99_us),
                   series("99.9 %", &LatencySummary::p999_us)});
    std::string histograms;
    for (const PointOutcome& each : outcomes) histograms += histogram(each);
    return plots(figure(over_size)) +
           element("details", {}, text_element("summary", "Distributions by size") + plots(histograms)) + "\n";
}

std::string latency_table(const Outcomes& outcomes) {
    std::vector<std::vector<std::string>> rows;
    for (const PointOutcome& each : outcomes) {
        const LatencySummary& latency = each.client.latency;
        std::vector<std::string> cells = {std::to_string(each.plan.size), std::to_string(each.client.iterations)};
        for (double us : {latency.min_us, latency.max_us, latency.p50_us, latency.average_us, latency.deviation_us,
                          latency.p99_us, latency.p999_us})
            cells.push_back(number_text(us, 3));
        rows.push_back(std::move(cells));
    }
    return table({"#bytes", "#iterations", "t_min [usec]", "t_max [usec]", "t_typical [usec]", "t_avg [usec]",
                  "t_stdev [usec]", "99% [usec]", "99.9% [usec]"},
                 rows);
}

double bandwidth(const PointOutcome& outcome, const Unit& unit) {
    return outcome.per_second() * static_cast<double>(outcome.plan.size) * unit.per_byte;
}
double peak(const PointOutcome& outcome, const Unit& unit) {
    return outcome.peak_per_second() * static_cast<double>(outcome.plan.size) * unit.per_byte;
}
double million_messages(const PointOutcome& outcome) { return outcome.per_second() / 1e6; }

std::string bandwidth_plots(const Outcomes& outcomes, const Unit& unit) {
    const std::string test = name_of(outcomes.front().plan.test);
    if (outcomes.size() == 1) return {};  // the table says it
    return plots(figure(line_plot(
                     {test + ": bandwidth over size", "bytes", unit.name, {}},
                     {series_of("average", outcomes, [&](const PointOutcome& each) { return bandwidth(each, unit); }),
                      series_of("peak", outcomes, [&](const PointOutcome& each) { return peak(each, unit); })})) +
                 figure(line_plot({test + ": message rate over size", "bytes", "Mpps", {}},
                                  {series_of("average", outcomes, million_messages)})));
}

std::string bandwidth_table(const Outcomes& outcomes, const Unit& unit) {
    std::vector<std::vector<std::string>> rows;
    for (const PointOutcome& each : outcomes) {
        const double best = peak(each, unit);
        rows.push_back({std::to_string(each.plan.size), std::to_string(each.client.iterations),
                        best == 0 ? "-" : number_text(best, 2), number_text(bandwidth(each, unit), 2),
                        number_text(million_messages(each), 6)});
    }
    const std::string name = unit.name;
    return table({"#bytes", "#iterations", "BW peak [" + name + "]", "BW average [" + name + "]", "MsgRate [Mpps]"},
                 rows);
}

std::string connections_table(const Outcomes& outcomes) {
    std::vector<std::vector<std::string>> rows;
    for (const PointOutcome& each : outcomes)
        rows.push_back({std::to_string(each.client.iterations), number_text(each.per_second(), 0)});
    return table({"#connections", "average [1/sec]"}, rows);
}

// The section of one test, in the order of sizes.
std::string section(const Outcomes& outcomes, bool gigabits) {
    const PointOutcome& first = outcomes.front();
    std::string text = text_element("h2", name_of(first.plan.test)) + "\n";
    const std::string conditions = conditions_text(first.plan);
    text += text_element("p", title_text(first) + (conditions.empty() ? "" : "; " + conditions)) + "\n";
    if (first.plan.test == Test::connect_rate) return text + connections_table(outcomes);
    if (is_latency(first.plan.test)) return text + latency_plots(outcomes) + latency_table(outcomes);
    const Unit unit = bandwidth_unit(gigabits);
    return text + bandwidth_plots(outcomes, unit) + bandwidth_table(outcomes, unit);
}

std::vector<Outcomes> by_test(const Outcomes& outcomes) {
    std::vector<Outcomes> tests;
    for (const PointOutcome& each : outcomes) {
        if (tests.empty() || tests.back().front().plan.test != each.plan.test) tests.emplace_back();
        tests.back().push_back(each);
    }
    return tests;
}

// Several tests in one picture; nothing where there is no second line, or no second size.
std::string overview(const std::vector<Outcomes>& tests, bool latency, const Labels& labels, const Figure& value) {
    std::vector<Series> series;
    bool many_sizes = false;
    for (const Outcomes& each : tests) {
        const Test test = each.front().plan.test;
        if (is_latency(test) != latency || test == Test::connect_rate) continue;
        series.push_back(series_of(name_of(test), each, value));
        many_sizes = many_sizes || each.size() > 1;
    }
    return series.size() < 2 || !many_sizes ? std::string() : figure(line_plot(labels, series));
}

std::string facts(const PerfRun& run) {
    std::string rows;
    for (const RunFact& each : facts_of(run))
        rows += element("tr", {}, text_element("th", each.name) + text_element("td", each.text)) + "\n";
    return element("div", {{"class", "wide"}}, element("table", {{"class", "words"}}, rows)) + "\n";
}

}  // namespace

void write_page(std::ostream& out, const PerfRun& run, bool gigabits) {
    const std::vector<Outcomes> tests = by_test(run.outcomes);
    const Unit unit = bandwidth_unit(gigabits);
    std::string body = text_element("h1", kTitle) + "\n" + facts(run);
    body += plots(overview(tests, true, {"latency over size, medians", "bytes", "usec", {}},
                           [](const PointOutcome& each) { return each.client.latency.p50_us; }) +
                  overview(tests, false, {"bandwidth over size", "bytes", unit.name, {}},
                           [&](const PointOutcome& each) { return bandwidth(each, unit); }));
    for (const Outcomes& each : tests) body += section(each, gigabits);
    out << "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head><meta charset=\"utf-8\"/>"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
        << text_element("title", kTitle) << "\n<style>\n"
        << page_style() << "</style></head>\n<body>\n"
        << body << "</body></html>\n";
}

}  // namespace nd
