// SPDX-License-Identifier: MIT
//
// Read stats.h first.
#include "inspect/stats.h"

#include "inspect/counter_rates.h"
#include "inspect/interface_counters.h"
#include "inspect/processes.h"
#include "inspect/request_latencies.h"
#include "inspect/text_table.h"
#include "inspect/utc_time.h"
#include "text/number_text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

namespace nd {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// A heading fits into 80 columns.
constexpr std::size_t kMostOfProgram = 32;
constexpr std::size_t kMostOfInterface = 15;

struct Rated {
    NamedCounter counter;
    std::optional<double> rate;  // per second
};

struct RatedInterface {
    unsigned pid;
    std::string program;
    std::string interface;
    std::optional<double> seconds;  // that the rates cover
    std::vector<Rated> counters;
    std::vector<RequestLatency> latencies;  // all, or of the interval
};

// What was there before.
struct Before {
    CounterRates rates;
    LatencyIntervals latencies;
};

std::vector<RatedInterface> rate(const std::vector<ProcessAnswer>& answers, Before& before) {
    std::vector<RatedInterface> all;
    for (const ProcessAnswer& answer : answers) {
        if (answer.report.is_null()) continue;
        for (const ordered_json& interface : answer.report["interfaces"]) {
            const InterfaceCounters counters = counters_of(interface);
            RatedInterface rated = {
                answer.pid, answer.report["program"], counters.name, before.rates.seconds(answer.pid, answer.when), {},
                {}};
            for (const NamedCounter& each : named_counters(counters))
                rated.counters.push_back({each, before.rates.add(answer.pid, counters.index, each, answer.when)});
            for (const RequestLatency& each : latencies_of(interface))
                rated.latencies.push_back(before.latencies.add(answer.pid, counters.index, each));
            all.push_back(std::move(rated));
        }
    }
    before.rates.end_sample();
    before.latencies.end_sample();
    return all;
}

std::string rate_text(const std::optional<double>& rate) { return rate ? number_text(*rate, 1) : "-"; }

void print_table(const RatedInterface& interface, bool rated) {
    std::printf("process %u (%s), interface %s\n", interface.pid, printable(interface.program, kMostOfProgram).c_str(),
                printable(interface.interface, kMostOfInterface).c_str());
    TextTable table(rated ? std::vector<std::string>{"COUNTER", ">TOTAL", ">PER SECOND"}
                          : std::vector<std::string>{"COUNTER", ">TOTAL"});
    for (const auto& [counter, rate] : interface.counters) {
        std::vector<std::string> row = {counter.wire.empty() ? counter.name : "  over " + printable(counter.wire, 15),
                                        std::to_string(counter.value)};
        if (rated) row.push_back(rate_text(rate));
        table.add(std::move(row));
    }
    table.print();
}

std::string duration_text(std::uint64_t nanoseconds) {
    char text[32] = "";
    const auto time = static_cast<double>(nanoseconds);
    if (time < 1e3)
        std::snprintf(text, sizeof text, "%.0fns", time);
    else if (time < 1e6)
        std::snprintf(text, sizeof text, "%.3gus", time / 1e3);
    else if (time < 1e9)
        std::snprintf(text, sizeof text, "%.3gms", time / 1e6);
    else
        std::snprintf(text, sizeof text, "%.3gs", time / 1e9);
    return text;
}

void print_latencies(const std::vector<RequestLatency>& latencies) {
    TextTable table({"REQUESTS", "API", "WIRE", ">COUNT", ">P50", ">P99", ">P99.9", ">LONGEST"});
    for (const RequestLatency& each : latencies)
        if (each.count != 0)
            table.add({printable(each.operation, 18), printable(each.api, 5), printable(each.wire, 8),
                       std::to_string(each.count), duration_text(each.quantile_ns(0.5)),
                       duration_text(each.quantile_ns(0.99)), duration_text(each.quantile_ns(0.999)),
                       duration_text(each.quantile_ns(1))});
    if (!table.empty()) table.print();
}

void print_text(const std::vector<RatedInterface>& interfaces, const std::vector<ProcessAnswer>& answers, bool rated) {
    if (rated) std::printf("%s\n", utc_time("%F %T UTC").c_str());
    const char* before = "";
    for (const RatedInterface& each : interfaces) {
        std::printf("%s", before);
        print_table(each, rated);
        print_latencies(each.latencies);
        before = "\n";
    }
    if (rated) std::printf("\n");
    print_refusals(answers);
}

ordered_json json_of(const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(); }

// Its counters of one wire, or of all of them.
ordered_json counters_json(const RatedInterface& interface, const std::string& wire, bool rated) {
    ordered_json counters = ordered_json::object(), rates = ordered_json::object();
    for (const auto& [counter, rate] : interface.counters) {
        if (counter.wire != wire) continue;
        counters[counter.name] = counter.value;
        if (counter.grows) rates[counter.name + "/sec"] = json_of(rate);
    }
    ordered_json json = {{"counters", std::move(counters)}};
    if (rated) json["rates"] = std::move(rates);
    return json;
}

ordered_json latency_json(const RequestLatency& latency) {
    return {{"operation", latency.operation},
            {"api", latency.api},
            {"wire", latency.wire},
            {"count", latency.count},
            {"sum_ns", latency.sum_ns},
            {"p50_ns", latency.quantile_ns(0.5)},
            {"p99_ns", latency.quantile_ns(0.99)},
            {"p999_ns", latency.quantile_ns(0.999)},
            {"longest_ns", latency.quantile_ns(1)}};
}

ordered_json interface_json(const RatedInterface& interface, bool rated) {
    ordered_json json = {{"pid", interface.pid}, {"program", interface.program}, {"interface", interface.interface}};
    if (rated) json["seconds"] = json_of(interface.seconds);
    json.update(counters_json(interface, "", rated));
    json["wires"] = ordered_json::object();
    for (const auto& [counter, rate] : interface.counters)
        if (!counter.wire.empty() && !json["wires"].contains(counter.wire))
            json["wires"][counter.wire] = counters_json(interface, counter.wire, rated);
    if (interface.latencies.empty()) return json;
    json["latencies"] = ordered_json::array();
    for (const RequestLatency& each : interface.latencies) json["latencies"].push_back(latency_json(each));
    return json;
}

ordered_json json_of(const std::vector<RatedInterface>& interfaces, const std::vector<ProcessAnswer>& answers,
                     bool rated) {
    ordered_json json = {
        {"time", utc_time("%FT%TZ")}, {"interfaces", ordered_json::array()}, {"refusals", ordered_json::array()}};
    for (const RatedInterface& each : interfaces) json["interfaces"].push_back(interface_json(each, rated));
    for (const ProcessAnswer& answer : answers)
        if (answer.report.is_null()) json["refusals"].push_back({{"pid", answer.pid}, {"refusal", answer.refusal}});
    return json;
}

// The samples, for a terminal or as JSON: a line for each interval, so that a program may read them as they come.
class Printer {
public:
    explicit Printer(const StatsOptions& options) {
        if (options.json) json_.emplace(options);
    }
    void print(const std::vector<RatedInterface>& interfaces, const std::vector<ProcessAnswer>& answers, bool rated) {
        if (!json_)
            print_text(interfaces, answers, rated);
        else if (rated)
            json_->print_line(json_of(interfaces, answers, rated));
        else
            json_->print(json_of(interfaces, answers, rated));
    }

private:
    std::optional<JsonOutput> json_;
};

}  // namespace

void define_stats_options(CLI::App& command, StatsOptions& options) {
    command.description(
        "Print counters of running processes, or of one: connections and traffic at each interface "
        "and over each wire, by their names in Windows' counter set RDMA Activity. With --interval also how much of "
        "each there was per second. Processes with OPENND_LATENCY=on tell how long their requests took.");
    command.add_option("PID", options.pid, "One process");
    CLI::Option* interval =
        command.add_option("--interval", options.interval, "Print after each SECONDS, with rates, until interrupted")
            ->type_name("SECONDS")
            ->check(CLI::Range(0.1, 86400.0).description(""));
    command.add_option("--count", options.count, "End after N intervals")
        ->type_name("N")
        ->check(CLI::Range(1u, 4000000000u).description(""))
        ->needs(interval);
    define_json_options(command, options, "Print JSON; with --interval a line for each interval");
}

int run_stats(const StatsOptions& options) {
    Before before;
    std::vector<ProcessAnswer> answers = ask_processes(options.pid);
    std::vector<RatedInterface> interfaces = rate(answers, before);
    Printer printer(options);
    if (options.interval == 0) {
        printer.print(interfaces, answers, false);
        return 0;
    }
    const auto step = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.interval));
    Clock::time_point next = Clock::now();
    for (unsigned done = 0; options.count == 0 || done < options.count; ++done) {
        next = std::max(next + step, Clock::now());  // a process that does not answer may take longer than an interval
        std::this_thread::sleep_until(next);
        answers = ask_processes(options.pid);
        interfaces = rate(answers, before);
        printer.print(interfaces, answers, true);
        std::fflush(stdout);
    }
    return 0;
}

}  // namespace nd
