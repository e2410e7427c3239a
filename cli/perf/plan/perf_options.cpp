// SPDX-License-Identifier: MIT
//
// The options of `nd perf`; the words are perftest's where it has one. Read perf_options.h first.
#include "perf/plan/perf_options.h"

#include "perf/report/report_file.h"
#include "usage/one_of.h"
#include "usage/within.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>

namespace nd {
namespace {

constexpr double kMost =
    4294967295;  // what the plan has room for; the adapter's limits are lower, and are checked with it

void define_sides(CLI::App& command, PerfOptions& options) {
    CLI::Option* test = command.add_option("TEST", options.test, "What to measure; ib_send_lat means send_lat");
    take_perftest_programs(*test, options.perftest);
    test->check(CLI::Validator(
        [](std::string& word) {
            const bool address = word.find_first_of(".:") != std::string::npos;
            return address ? "'" + word + "': the TEST comes first, as in `nd perf send_lat " + word + "`"
                           : std::string();
        },
        ""));
    test->check(one_of({"send_lat", "send_bw", "read_lat", "read_bw", "write_lat", "write_bw", "wake_lat", "pairs_lat",
                        "connect_rate", "register_lat", "write_imm_lat", "write_imm_bw", "all"}));
    define_side_options(
        command, options,
        {"The server: an address or a name, with a port as host:18515 or [::1]:18515",
         "Start a server in a second process here and use it",
         "Be the server, for one client, which also names the tests: no TEST is needed", PerfOptions::kDefaultPort});
    command.add_flag("--threads", options.threads, "As --self, but the server is a thread of this process")
        ->excludes(command.get_option("ADDRESS"))
        ->excludes(command.get_option("--server"))
        ->excludes(command.get_option("--self"));
    command.add_option("--cpu", options.cpus, "Processors to pin server and client to, on this host")
        ->type_name("SERVER,CLIENT")
        ->envname("BENCH_CPUS");
}

void define_load(CLI::App& command, PerfOptions& options) {
    CLI::Option* size =
        command
            .add_option(
                "-s,--size", options.size,
                "Bytes of a message or operation; K, M mean powers of 1024 (default 8 for latency, 64K for bandwidth)")
            ->type_name("BYTES")
            ->transform(CLI::AsSizeValue(false).description(""));
    command
        .add_flag("-a,--all", options.all_sizes,
                  "All powers of two from 1 byte to 8 MiB; the default of the test `all`")
        ->excludes(size);
    CLI::Option* iterations = command
                                  .add_option("-n,--iters", options.iterations,
                                              "Iterations (default 10000 for latency, 20000 for bandwidth; fewer where "
                                              "that is more than 2 GiB)")
                                  ->type_name("N")
                                  ->check(within(1, 1e15));
    command.add_option("-D,--duration", options.duration_seconds, "Seconds to run instead")
        ->type_name("SECONDS")
        ->check(within(0.001, 4e6))
        ->excludes(iterations);
    command
        .add_flag("--run_infinitely,--run-infinitely", options.endless,
                  "Measure again and again until Ctrl-C: a row each -D seconds (default 5)")
        ->excludes(iterations)
        ->excludes("--all");
    command
        .add_option("--warmup", options.warmup,
                    "Iterations before the measured ones (default 1000, from 64K on 20; fewer where that is more than "
                    "256 MiB)")
        ->type_name("N")
        ->check(within(0, kMost));
    command
        .add_option(
            "-t,--tx-depth", options.depth,
            "Requests outstanding on a queue pair (default 128, from 64K on 16; with --verify no more than 64 MiB)")
        ->type_name("N")
        ->check(within(1, kMost));
    command
        .add_option(
            "-r,--rx-depth", options.receive_depth,
            "Receives posted on a queue pair (default 64 for latency, four times -t, at most 512, for bandwidth)")
        ->type_name("N")
        ->check(within(2, kMost));
    command
        .add_option("-q,--qp", options.queue_pairs,
                    "Number of queue pairs (bandwidth, default 1; pairs_lat, default 64)")
        ->type_name("N")
        ->check(within(1, kMostQueuePairs));
    command
        .add_option("-l,--post-list", options.post_list,
                    "Requests posted to a queue pair between two looks at the completion queue (default: all that fit)")
        ->type_name("N")
        ->check(within(1, kMost));
    command
        .add_option(
            "-Q,--cq-mod", options.moderation,
            "Every how many requests asks for a result, the others are silent when they succeed (default 100, at "
            "most half of -t; from 64K on 1)")
        ->type_name("N")
        ->check(within(1, kMost));
    command
        .add_option(
            "-I,--inline", options.inline_bytes,
            "Sends and writes up to this size are inline (default: InlineRequestThreshold of the adapter, at most 256)")
        ->type_name("BYTES")
        ->check(within(0, kMost));
    command
        .add_option(
            "-o,--outs", options.reads,
            "Reads in progress at a time on a queue pair (read_lat, read_bw; default: as many as both adapters allow)")
        ->type_name("N")
        ->check(within(1, kMost));
    command.add_flag("-e,--events", options.events, "Sleep until notified of a result instead of polling");
    command.add_flag("--spread", options.spread,
                     "pairs_lat: messages on all queue pairs in turn, not on the first only");
    command.add_flag("-b,--bidirectional", options.bidirectional, "Both sides send, read or write (bandwidth)");
    command
        .add_option("--memory", options.memory,
                    "private: from malloc; mappable: from opennd_memory_allocate, which a peer on this host can map")
        ->check(one_of({"private", "mappable"}))
        ->capture_default_str();
}

void define_report(CLI::App& command, PerfOptions& options) {
    command.add_flag(
        "--verify", options.verify,
        "Check every byte of every message and operation; the times then include the price of that for messages");
    define_json_options(command, options, "Print the results as JSON and no tables; with --output both");
    command
        .add_option(
            "--csv", options.csv,
            "Write the results as comma-separated values to this file, '-' for standard output: a line for each "
            "size, names with their unit in the first")
        ->type_name("FILE");
    command
        .add_option("--report", options.page,
                    "Write a page with plots to this file: HTML with SVG, without scripts or references elsewhere")
        ->type_name("FILE");
    command.add_flag("-H,--report-histogram,--histogram", options.histogram,
                     "Print a histogram below each latency, and keep it in JSON and page");
    command.add_flag("-U,--report-unsorted", options.every_time,
                     "Print also the time of each iteration in their order (latency, the last 1048576 of a run), and "
                     "keep it in JSON");
    command.add_flag("-C,--report-cycles", options.cycles,
                     "Print latencies in cycles of the processor's counter, not in usec");
    command.add_flag("-N,--noPeak", options.no_peak, "Leave the peak of the bandwidth out");
    command.add_flag("--report_gbits,--report-gbits", options.gigabits,
                     "Print bandwidth in Gb/sec, 10^9 bits, not in MiB/sec, 2^20 bytes");
    command
        .add_flag(
            "--bench", options.bench,
            "Print one JSON object on a line for each figure of a benchmark row, for BENCH_SIZES and BENCH_MS, with "
            "private and mappable memory")
        ->excludes("--json");
    command.add_flag(
        "-v,--verbose", options.verbose,
        "Tell the context switches of both sides during the measured iterations, and at the end this side's NDK "
        "counters");
}

// The options that most runs need: --help tells of these alone.
constexpr const char* kFirst[] = {"--help", "--self",   "--server",          "--port",     "--transport",
                                  "--size", "--all",    "--iters",           "--duration", "--verify",
                                  "--json", "--report", "--report-histogram"};

void split_help(CLI::App& command) {
    const CLI::Option* const all = command.set_help_all_flag("--help-all", "Print help about all options and exit");
    for (CLI::Option* option : command.get_options()) {
        const bool first =
            option == all || std::find(std::begin(kFirst), std::end(kFirst), option->get_name()) != std::end(kFirst);
        if (!first && !option->get_positional() && option->get_group() == all->get_group())
            option->group("More options");
    }
}

}  // namespace

std::string json_file(const PerfOptions& options) {
    if (!options.json) return {};
    return options.output.empty() ? std::string(kStandardOutput) : options.output;
}

void define_perf_options(CLI::App& command, PerfOptions& options) {
    command.description(
        "Measure latency and bandwidth with a server. Latency of send and write is half of a round "
        "trip, of read the whole operation; t_typical is the median, BW peak the best 10 ms. Beside the six tests of "
        "`all`: wake_lat (send_lat, both sides asleep), pairs_lat (send_lat, with -q queue pairs polled), connect_rate "
        "(connections one after the other), register_lat (registration and deregistration of memory), write_imm_lat "
        "and write_imm_bw (Writes with immediate data, each of which takes a receive; version 2 alone has them).");
    define_sides(command, options);
    define_load(command, options);
    define_report(command, options);
    define_perftest_options(command, options.perftest);
    split_help(command);
}

}  // namespace nd
