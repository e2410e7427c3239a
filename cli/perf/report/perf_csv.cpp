// SPDX-License-Identifier: MIT
//
// Read perf_csv.h first.
#include "perf/report/perf_csv.h"

#include <cstdio>
#include <string>

namespace nd {
namespace {

using Fields = std::vector<std::string>;

const Fields& names() {
    static const Fields all = {"test",
                               "api",
                               "transport",
                               "path",
                               "memory",
                               "size_bytes",
                               "queue_pairs",
                               "iterations",
                               "seconds",
                               "min_us",
                               "max_us",
                               "p50_us",
                               "average_us",
                               "deviation_us",
                               "p99_us",
                               "p999_us",
                               "peak_bytes_per_second",
                               "average_bytes_per_second",
                               "messages_per_second",
                               "connections_per_second",
                               "interrupted"};
    return all;
}

std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
    std::string text = "\"";
    for (char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

void write_line(std::ostream& out, const Fields& fields) {
    const char* before = "";
    for (const std::string& field : fields) {
        out << before << quoted(field);
        before = ",";
    }
    out << "\r\n";
}

std::string number(double value) {
    char text[32] = "";
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

Fields latency_fields(const PointOutcome& outcome) {
    if (!is_latency(outcome.plan.test)) return Fields(7);
    const LatencySummary& latency = outcome.client.latency;
    Fields fields;
    for (double us : {latency.min_us, latency.max_us, latency.p50_us, latency.average_us, latency.deviation_us,
                      latency.p99_us, latency.p999_us})
        fields.push_back(number(us));
    return fields;
}

Fields rate_fields(const PointOutcome& outcome) {
    if (is_latency(outcome.plan.test)) return Fields(4);
    const double each = outcome.per_second(), peak = outcome.peak_per_second();
    if (outcome.plan.test == Test::connect_rate) return {"", "", "", number(each)};
    const auto size = static_cast<double>(outcome.plan.size);
    return {peak == 0 ? std::string() : number(peak * size), number(each * size), number(each), ""};
}

Fields fields_of(const PointOutcome& outcome) {
    const PointPlan& plan = outcome.plan;
    Fields fields = {name_of(plan.test),
                     name_of(outcome.api),
                     outcome.transport,
                     outcome.path,
                     plan.memory == MemoryKind::mappable ? "mappable" : "private",
                     plan.test == Test::connect_rate ? std::string() : std::to_string(plan.size),
                     std::to_string(plan.queue_pairs),
                     std::to_string(outcome.client.iterations),
                     number(outcome.client.seconds)};
    for (const Fields& more : {latency_fields(outcome), rate_fields(outcome)})
        fields.insert(fields.end(), more.begin(), more.end());
    fields.push_back(outcome.client.interrupted ? "yes" : "no");
    return fields;
}

}  // namespace

void write_csv(std::ostream& out, const PerfRun& run) {
    write_line(out, names());
    for (const PointOutcome& outcome : run.outcomes) write_line(out, fields_of(outcome));
}

}  // namespace nd
