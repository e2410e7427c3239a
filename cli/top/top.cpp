// SPDX-License-Identifier: MIT
//
// Read top.h first.
#include "top/top.h"

#include "inspect/processes.h"
#include "inspect/utc_time.h"
#include "interruption.h"
#include "top/load_page.h"
#include "top/process_load.h"
#include "top/terminal.h"
#include "usage/one_of.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

namespace nd {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct Sample {
    std::vector<ProcessLoad> loads;
    std::size_t refused = 0;
};

class Sampler {
public:
    Sample take(const LoadOrder& order) {
        const std::vector<ProcessAnswer> answers = ask_processes();
        Sample sample = {loads_of(answers, rates_), 0};
        sample.refused = answers.size() - sample.loads.size();
        sort_loads(sample.loads, order);
        return sample;
    }

private:
    CounterRates rates_;
};

std::vector<std::string> page_of(const Sample& sample, const LoadOrder& order) {
    return load_page(sample.loads, sample.refused, order, utc_time("%F %T UTC"));
}

void print_page(const Sample& sample, const LoadOrder& order) {
    for (const std::string& line : page_of(sample, order)) std::printf("%s\n", line.c_str());
    std::printf("\n");
}

ordered_json json_of(const std::optional<double>& rate) { return rate ? ordered_json(*rate) : ordered_json(); }

ordered_json json_of(const Sample& sample) {
    ordered_json json = {
        {"time", utc_time("%FT%TZ")}, {"processes", ordered_json::array()}, {"refused", sample.refused}};
    for (const ProcessLoad& each : sample.loads)
        json["processes"].push_back({{"pid", each.pid},
                                     {"user", each.user},
                                     {"program", each.program},
                                     {"wires", each.wires},
                                     {"connections", each.connections},
                                     {"lost", each.lost},
                                     {"seconds", json_of(each.seconds)},
                                     {"bytes_in/sec", json_of(each.bytes_in)},
                                     {"bytes_out/sec", json_of(each.bytes_out)},
                                     {"frames_in/sec", json_of(each.frames_in)},
                                     {"frames_out/sec", json_of(each.frames_out)},
                                     {"connections/sec", json_of(each.new_connections)}});
    return json;
}

// A process that does not answer may take longer than an interval.
Clock::time_point next_time(Clock::time_point last, double interval) {
    const auto step = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(interval));
    return std::max(last + step, Clock::now());
}

int run_batch(const TopOptions& options, const LoadOrder& order) {
    std::optional<JsonOutput> output;
    if (options.json) output.emplace(options);
    Sampler sampler;
    (void)sampler.take(order);  // rates begin with the second
    Clock::time_point next = Clock::now();
    for (unsigned done = 0; options.count == 0 || done < options.count; ++done) {
        next = next_time(next, options.interval);
        std::this_thread::sleep_until(next);
        const Sample sample = sampler.take(order);
        if (output)
            output->print_line(json_of(sample));
        else
            print_page(sample, order);
        if (std::fflush(stdout) != 0) throw std::runtime_error("cannot write to standard output");
    }
    return 0;
}

constexpr const char* kKeys = "keys: b bytes, f frames, c connections, n new, l lost, p pid; space now; q quit";

// Until a key or an interrupt ends it.
class LiveTop {
public:
    explicit LiveTop(const TopOptions& options) : options_(options), order_(&load_order(options.sort)) {}

    int run() {
        sample_ = sampler_.take(*order_);
        Clock::time_point next = Clock::now();
        for (unsigned done = 0; options_.count == 0 || done <= options_.count; ++done) {
            draw();
            next = next_time(next, options_.interval);
            if (!wait_until(next)) return 0;
            sample_ = sampler_.take(*order_);
        }
        return 0;
    }

private:
    void draw() {
        std::vector<std::string> page = page_of(sample_, *order_);
        page.insert(page.begin() + kHeadingLine, kKeys);
        terminal_.show(page, kHeadingLine + 1);
    }
    // Returns false if the user ends.
    bool wait_until(Clock::time_point end) {
        do {
            const auto [resized, key] = terminal_.wait(end);
            if (interrupted()) throw Interrupted();
            if (key == 'q') return false;
            if (key == ' ') return true;
            if (key) sort_by(*key);
            if (key || resized) draw();
        } while (Clock::now() < end);
        return true;
    }
    void sort_by(char key) {
        const auto found = std::ranges::find(load_orders(), key, &LoadOrder::key);
        if (found == load_orders().end()) return;
        order_ = &*found;
        sort_loads(sample_.loads, *order_);
    }

    const TopOptions& options_;
    const LoadOrder* order_;
    Sampler sampler_;
    Sample sample_;
    Terminal terminal_;
};

}  // namespace

void define_top_options(CLI::App& command, TopOptions& options) {
    command.description(
        "Show which processes transfer most, anew every second: connections, bytes and frames each way "
        "and new connections a second, lost connections since the process began, and the wires in use. Keys: b, f, c, "
        "n, l, p sort by bytes, frames, connections, new, lost, pid; space shows the next sample at once; q ends.");
    command.add_option("-d,--interval", options.interval, "Seconds from one sample to the next")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.1, 86400.0).description(""))
        ->capture_default_str();
    command.add_option("-n,--count", options.count, "End after N intervals")
        ->type_name("N")
        ->check(CLI::Range(1u, 4000000000u).description(""));
    std::vector<std::string> words;
    for (const LoadOrder& order : load_orders()) words.emplace_back(order.word);
    command.add_option("--sort", options.sort, "What the first process has most of")
        ->check(one_of(words))
        ->capture_default_str();
    command.add_flag("-b,--batch", options.batch, "Print page after page, for a file or a pipe");
    define_json_options(command, options, "Print a line of JSON after each interval");
}

int run_top(const TopOptions& options) {
    if (options.batch || options.json) return run_batch(options, load_order(options.sort));
    handle_interrupts(OnInterrupt::stop_cleanly);
    return LiveTop(options).run();
}

}  // namespace nd
