// SPDX-License-Identifier: MIT
//
// Read perf.h first.
#include "perf/perf.h"

#include "counters.h"
#include "interruption.h"
#include "perf/measure/cpu_pair.h"
#include "perf/measure/tick_clock.h"
#include "perf/report/bench_rows.h"
#include "perf/report/page/perf_page.h"
#include "perf/report/perf_csv.h"
#include "perf/report/perf_json.h"
#include "perf/report/perf_table.h"
#include "perf/report/report_file.h"
#include "perf/run/perf_client.h"
#include "perf/run/perf_server.h"

#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <stdexcept>

namespace nd {
namespace {

// A connection takes a few, of which the usual limit has room for some hundred. A server started here inherits it.
void allow_many_descriptors() {
    rlimit files = {};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

int run_server(const PerfOptions& options) {
    handle_interrupts(options.ready_descriptor >= 0 ? OnInterrupt::ignore : OnInterrupt::stop_cleanly);
    serve_measurements(options, [&](const SocketAddress& listening) {
        if (options.ready_descriptor >= 0) return report_ready(options.ready_descriptor, listening);
        std::printf("listening at %s\n  on the other side: nd perf TEST %s -p %u\n", listening.text().c_str(),
                    listening.host().c_str(), static_cast<unsigned>(listening.port()));
        std::fflush(stdout);
    });
    return 0;
}

// The bar is gone when this returns, so that a row begins on a line of its own.
PointOutcome measure_point(PerfClient& client, const PointPlan& plan) {
    ProgressBar bar(std::string(name_of(plan.test)) + " " + std::to_string(plan.size) + " bytes");
    return client.measure(plan, &bar);
}

// Standard output is a document's alone.
bool prints_table(const PerfOptions& options) {
    return std::ranges::count(std::array{json_file(options), options.csv, options.page}, kStandardOutput) == 0;
}

bool has_reports(const PerfOptions& options) { return options.json || !options.csv.empty() || !options.page.empty(); }

void write_reports(const PerfOptions& options, const PerfRun& run) {
    if (options.json)
        write_report(json_file(options), [&](std::ostream& out) { write_json(out, run, options.histogram); });
    if (!options.csv.empty()) write_report(options.csv, [&](std::ostream& out) { write_csv(out, run); });
    if (!options.page.empty())
        write_report(options.page, [&](std::ostream& out) { write_page(out, run, options.gigabits); });
}

// What was measured is in the reports, whatever ends the run.
void measure_all(PerfClient& client, const PerfOptions& options, const ND2_ADAPTER_INFO& limits) {
    PerfTable table({options.verbose, options.histogram, options.gigabits, options.cycles});
    PerfRun run;
    const auto measure = [&](Test test, std::uint64_t size) {
        if (interrupted()) throw Interrupted();
        PointOutcome outcome = measure_point(client, plan_point(options, limits, test, size));
        if (options.no_peak) outcome.client.peak_per_second = 0;
        if (outcome.client.iterations == 0) throw Interrupted();  // before the first iteration
        if (!has_reports(options)) run.outcomes.clear();          // of an endless run, they would be without end
        run.outcomes.push_back(outcome);
        if (prints_table(options)) table.print(outcome);
    };
    try {
        for (Test test : tests_of(options))
            for (std::uint64_t size : sizes_of(options, test)) {
                measure(test, size);
                while (options.endless && !interrupted()) measure(test, size);
            }
        run.complete = !run.outcomes.back().client.interrupted;
    } catch (...) {
        write_reports(options, run);
        throw;
    }
    write_reports(options, run);
    if (options.verbose && prints_table(options)) print_interfaces(interfaces_json(), "counters");
}

void run_client(const PerfOptions& options, const SocketAddress& server) {
    pin_to_cpu(CpuPair::parse(options.cpus).client);
    seconds_per_tick();
    Adapter adapter(options.local_for(server), options.api.api());
    PerfClient client(adapter, server, options.timeout_seconds);
    if (options.bench)
        print_bench_rows(client, options, adapter.limits());
    else
        measure_all(client, options, adapter.limits());
}

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::unique_ptr<SelfServer> start_self_server(const PerfOptions& options) {
    const SocketAddress host = options.local_for_self();
    if (options.threads) {
        PerfOptions server = options;
        server.local = host.host();
        server.api.own = options.api.peer_name();
        server.port = 0;
        server.client_memory = kNoLimit;  // the client is this command
        return start_server_thread([server](const ReadyFunction& ready) { serve_measurements(server, ready); });
    }
    std::vector<std::string> arguments = options.server_arguments("perf", host, kNoLimit);
    if (!options.cpus.empty()) arguments.insert(arguments.end(), {"--cpu", options.cpus});
    return start_server_process(std::move(arguments), host);
}

void check_reports(const PerfOptions& options) {
    const std::array files{json_file(options), options.csv, options.page};
    if (std::ranges::count(files, kStandardOutput) > 1)
        throw std::invalid_argument("only one of --json, --csv and --report can be standard output");
    for (const std::string& file : files) check_report_file(file);
}

}  // namespace

int run_perf(const PerfOptions& asked) {
    PerfOptions options = asked;
    follow_perftest(options);
    options.api.check(options.self || options.threads);
    allow_many_descriptors();
    Library library(options.transport);
    if (options.server) return run_server(options);
    // Before a server is started in vain, or a file cannot be written after minutes.
    tests_of(options);
    check_reports(options);
    CpuPair::parse(options.cpus);
    handle_interrupts(OnInterrupt::stop_cleanly);
    if (options.self || options.threads) {
        std::unique_ptr<SelfServer> server = start_self_server(options);
        try {
            run_client(options, server->address());
        } catch (const std::runtime_error& failure) {
            const std::string death = server->early_death();
            if (death.empty()) throw;
            throw std::runtime_error(std::string(failure.what()) + "\n  " + death);
        }
        server->finish();
    } else if (!options.server_address.empty()) {
        run_client(options, address_with_port(options.server_address, options.port, PerfOptions::kDefaultPort));
    } else {
        throw std::invalid_argument(
            "perf needs the ADDRESS of a server, or --self, or --server\n  nd perf --help tells more");
    }
    return interrupted() ? interrupted_exit() : 0;
}

}  // namespace nd
