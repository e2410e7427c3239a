// SPDX-License-Identifier: MIT
//
// Read stats.h first.
#include "inspect/stats.h"

#include "inspect/counter_rates.h"
#include "inspect/interface_counters.h"
#include "inspect/processes.h"
#include "inspect/text_table.h"
#include "inspect/utc_time.h"

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
    std::vector<Rated> counters;
};

std::vector<RatedInterface> rate(const std::vector<ProcessAnswer>& answers, CounterRates& rates) {
    std::vector<RatedInterface> all;
    for (const ProcessAnswer& answer : answers) {
        if (answer.report.is_null()) continue;
        for (const ordered_json& interface : answer.report["interfaces"]) {
            const InterfaceCounters counters = counters_of(interface);
            RatedInterface rated = {answer.pid, answer.report["program"], counters.name, {}};
            for (const NamedCounter& each : named_counters(counters))
                rated.counters.push_back({each, rates.add(answer.pid, counters.index, each, answer.when)});
            all.push_back(std::move(rated));
        }
    }
    rates.end_sample();
    return all;
}

std::string rate_text(const std::optional<double>& rate) {
    if (!rate) return "-";
    char text[64] = "";
    std::snprintf(text, sizeof text, "%.1f", *rate);
    return text;
}

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

void print_text(const std::vector<RatedInterface>& interfaces, const std::vector<ProcessAnswer>& answers, bool rated) {
    if (rated) std::printf("%s\n", utc_time("%F %T UTC").c_str());
    for (const RatedInterface& each : interfaces) {
        print_table(each, rated);
        std::printf("\n");
    }
    print_refusals(answers);
}

// Its counters of one wire, or of all of them.
ordered_json counters_json(const RatedInterface& interface, const std::string& wire, bool rated) {
    ordered_json counters = ordered_json::object(), rates = ordered_json::object();
    for (const auto& [counter, rate] : interface.counters) {
        if (counter.wire != wire) continue;
        counters[counter.name] = counter.value;
        if (counter.grows) rates[counter.name + "/sec"] = rate ? ordered_json(*rate) : ordered_json();
    }
    ordered_json json = {{"counters", std::move(counters)}};
    if (rated) json["rates"] = std::move(rates);
    return json;
}

ordered_json interface_json(const RatedInterface& interface, bool rated) {
    ordered_json json = {{"pid", interface.pid}, {"program", interface.program}, {"interface", interface.interface}};
    json.update(counters_json(interface, "", rated));
    json["wires"] = ordered_json::object();
    for (const auto& [counter, rate] : interface.counters)
        if (!counter.wire.empty() && !json["wires"].contains(counter.wire))
            json["wires"][counter.wire] = counters_json(interface, counter.wire, rated);
    return json;
}

// A line for each interval, so that a program may read them as they come.
void print_json(const std::vector<RatedInterface>& interfaces, const std::vector<ProcessAnswer>& answers, bool rated) {
    ordered_json json = {
        {"time", utc_time("%FT%TZ")}, {"interfaces", ordered_json::array()}, {"refusals", ordered_json::array()}};
    for (const RatedInterface& each : interfaces) json["interfaces"].push_back(interface_json(each, rated));
    for (const ProcessAnswer& answer : answers)
        if (answer.report.is_null()) json["refusals"].push_back({{"pid", answer.pid}, {"refusal", answer.refusal}});
    std::printf("%s\n", json.dump(rated ? -1 : 2).c_str());
}

}  // namespace

void define_stats_options(CLI::App& command, StatsOptions& options) {
    command.description(
        "Print the counters of the processes that `nd ps` lists, or of one: connections and traffic at each interface "
        "and "
        "over each wire, by their names in Windows' counter set RDMA Activity. With --interval also how much of each "
        "there "
        "was per second.");
    command.add_option("PID", options.pid, "One process");
    CLI::Option* interval =
        command.add_option("--interval", options.interval, "Print after each SECONDS, with rates, until interrupted")
            ->type_name("SECONDS")
            ->check(CLI::Range(0.1, 86400.0).description(""));
    command.add_option("--count", options.count, "End after N intervals")
        ->type_name("N")
        ->check(CLI::Range(1u, 4000000000u).description(""))
        ->needs(interval);
    command.add_flag("--json", options.json, "Print JSON; with --interval a line for each interval");
}

int run_stats(const StatsOptions& options) {
    const auto print = options.json ? print_json : print_text;
    CounterRates rates;
    std::vector<ProcessAnswer> answers = ask_processes(options.pid);
    std::vector<RatedInterface> interfaces = rate(answers, rates);
    if (options.interval == 0) {
        print(interfaces, answers, false);
        return 0;
    }
    const auto step = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.interval));
    Clock::time_point next = Clock::now();
    for (unsigned done = 0; options.count == 0 || done < options.count; ++done) {
        next = std::max(next + step, Clock::now());  // a process that does not answer may take longer than an interval
        std::this_thread::sleep_until(next);
        answers = ask_processes(options.pid);
        interfaces = rate(answers, rates);
        print(interfaces, answers, true);
        std::fflush(stdout);
    }
    return 0;
}

}  // namespace nd
