// SPDX-License-Identifier: MIT
//
// Read process_metrics.h first.
#include "metrics/process_metrics.h"

#include "inspect/interface_counters.h"
#include "inspect/request_latencies.h"
#include "inspect/text_table.h"
#include "metrics/histogram_family.h"
#include "metrics/metric_family.h"

#include <chrono>
#include <map>
#include <utility>

namespace nd {
namespace {

using nlohmann::ordered_json;
using Labels = MetricLabels;

constexpr std::size_t kMostOfText = 64;      // bytes of a label
constexpr std::size_t kMostInterfaces = 64;  // of a process; further ones are one
constexpr const char* kOther = "other";

std::string known_wire(const std::string& wire) {
    for (const char* each : {"loopback", "shm", "iwarp", "verbs"})
        if (wire == each) return wire;
    return kOther;
}

std::string known_api(const std::string& api) {
    for (const char* each : {"nd1", "nd2", "ndk"})
        if (api == each) return api;
    return kOther;
}

// The label of a connection or listener. A version before this one has none.
std::string api_label(const ordered_json& object) { return known_api(object.value("api", kOther)); }

std::string known_operation(const std::string& operation) {
    for (const char* each : {"Receive", "Send", "Bind", "Invalidate", "Read", "Write", "SendAndInvalidate",
                             "FastRegister", "SendWithImmediate", "WriteWithImmediate"})
        if (operation == each) return operation;
    return kOther;
}

const char* answer_name(HRESULT status) {
    switch (status) {
        case ND_SUCCESS: return "report";
        case ND_ACCESS_VIOLATION: return "refused";
        case ND_IO_TIMEOUT: return "timeout";
        default: return "invalid";
    }
}

Labels operator+(Labels labels, std::pair<const char*, std::string> more) {
    labels.push_back(std::move(more));
    return labels;
}

class ProcessMetrics {
public:
    ProcessMetrics() {
        for (const char* each : {"report", "refused", "timeout", "invalid"}) processes_.add({{"answer", each}}, 0);
    }

    void add(const ProcessAnswer& answer) {
        if (answer.status == ND_CONNECTION_REFUSED) return;  // it has ended since it was listed
        processes_.add({{"answer", answer_name(answer.status)}}, 1);
        if (answer.status == ND_ACCESS_VIOLATION) return;
        up_.add({{"pid", std::to_string(answer.pid)}}, answer.report.is_null() ? 0 : 1);
        if (answer.report.is_null()) return;
        const ordered_json& report = answer.report;
        const Labels process = {{"pid", std::to_string(answer.pid)},
                                {"program", printable(report["program"], kMostOfText)}};
        info_.add(process + std::pair("version", printable(report.value("version", ""), kMostOfText)) +
                      std::pair("user", report["user"].dump()),
                  1);
        std::size_t interfaces = 0;
        for (const ordered_json& each : report["interfaces"])
            add_interface(process, each, ++interfaces > kMostInterfaces);
    }

    std::string text(double seconds) {
        duration_.add({}, seconds);
        std::string text;
        for (const MetricFamily* each :
             {&processes_, &up_, &info_, &connects_, &accepts_, &failures_, &errors_, &queue_errors_, &connections_,
              &listeners_, &bytes_in_, &bytes_out_, &frames_in_, &frames_out_})
            each->append_to(text);
        requests_.append_to(text);
        duration_.append_to(text);
        return text;
    }

private:
    void add_interface(const Labels& process, const ordered_json& interface, bool surplus) {
        const InterfaceCounters all = counters_of(interface);
        const Labels labels = process + std::pair("interface", surplus ? kOther : printable(all.name, kMostOfText));
        if (interface.contains("apis"))
            for (ordered_json each : interface["apis"]) {
                const std::string api = known_api(each["api"]);
                each["index"] = interface["index"];
                each["name"] = interface["name"];
                add_counters(labels + std::pair("api", api), counters_of(each));
            }
        else
            add_counters(labels + std::pair("api", std::string(kOther)), all);
        for (const ordered_json& each : interface["connections"])
            connections_.add(labels + std::pair("api", api_label(each)) + std::pair("wire", known_wire(each["wire"])),
                             1);
        for (const ordered_json& each : interface["endpoints"])
            if (each["listens"].get<bool>()) listeners_.add(labels + std::pair("api", api_label(each)), 1);
        for (const RequestLatency& each : latencies_of(interface))
            requests_.add(labels + std::pair("api", known_api(each.api)) + std::pair("wire", known_wire(each.wire)) +
                              std::pair("operation", known_operation(each.operation)),
                          each);
    }

    void add_counters(const Labels& labels, const InterfaceCounters& counters) {
        connects_.add(labels, static_cast<double>(counters.connects));
        accepts_.add(labels, static_cast<double>(counters.accepts));
        failures_.add(labels, static_cast<double>(counters.failures));
        errors_.add(labels, static_cast<double>(counters.errors));
        queue_errors_.add(labels, static_cast<double>(counters.queue_errors));
        listeners_.add(labels, 0);
        for (const WireCounters& each : counters.wires) add_wire(labels, each);
    }

    // A wire without a connection at present has 0 of them, so that a graph has no gaps.
    void add_wire(const Labels& interface, const WireCounters& counters) {
        const Labels labels = interface + std::pair("wire", known_wire(counters.wire));
        bytes_in_.add(labels, static_cast<double>(counters.bytes_in));
        bytes_out_.add(labels, static_cast<double>(counters.bytes_out));
        frames_in_.add(labels, static_cast<double>(counters.frames_in));
        frames_out_.add(labels, static_cast<double>(counters.frames_out));
        connections_.add(labels, 0);
    }

    MetricFamily processes_{
        "opennd_processes", MetricType::gauge,
        "Processes with an open adapter, by their answer; refused: another user's, or busy with others."};
    MetricFamily up_{"opennd_process_up", MetricType::gauge,
                     "1: the process gave its report; 0: it gave none in time."};
    MetricFamily info_{"opennd_process_info", MetricType::gauge, "The program, its user, and its version of OpenND."};
    MetricFamily connects_{"opennd_connects_total", MetricType::counter,
                           "Connections that the process made (RDMA Initiated Connections)."};
    MetricFamily accepts_{"opennd_accepts_total", MetricType::counter,
                          "Connections that peers made (RDMA Accepted Connections)."};
    MetricFamily failures_{"opennd_connect_failures_total", MetricType::counter,
                           "Attempts that led to no connection (RDMA Failed Connection Attempts)."};
    MetricFamily errors_{"opennd_connection_errors_total", MetricType::counter,
                         "Connections that were lost before either side ended them (RDMA Connection Errors)."};
    MetricFamily queue_errors_{"opennd_completion_queue_errors_total", MetricType::counter,
                               "Completion queues that failed (RDMA Completion Queue Errors)."};
    MetricFamily connections_{"opennd_connections", MetricType::gauge, "Live connections (RDMA Active Connections)."};
    MetricFamily listeners_{"opennd_listeners", MetricType::gauge, "Listeners that take connections."};
    MetricFamily bytes_in_{"opennd_receive_bytes_total", MetricType::counter,
                           "Bytes that came, with the wire's framing (RDMA Inbound Bytes)."};
    MetricFamily bytes_out_{"opennd_transmit_bytes_total", MetricType::counter,
                            "Bytes that went, with the wire's framing (RDMA Outbound Bytes)."};
    MetricFamily frames_in_{"opennd_receive_frames_total", MetricType::counter,
                            "Frames that came, as each wire counts them (RDMA Inbound Frames)."};
    MetricFamily frames_out_{"opennd_transmit_frames_total", MetricType::counter,
                             "Frames that went, as each wire counts them (RDMA Outbound Frames)."};
    HistogramFamily requests_{"opennd_request_duration_seconds",
                              "How long requests took that succeeded, from the post to the result (OPENND_LATENCY)."};
    MetricFamily duration_{"opennd_scrape_duration_seconds", MetricType::gauge,
                           "How long the processes took to answer."};
};

}  // namespace

std::string metrics_text(const std::vector<ProcessAnswer>& answers, double seconds) {
    ProcessMetrics metrics;
    for (const ProcessAnswer& each : answers) metrics.add(each);
    return metrics.text(seconds);
}

std::string process_metrics() {
    const auto begun = std::chrono::steady_clock::now();
    const std::vector<ProcessAnswer> answers = ask_processes();
    return metrics_text(answers, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
}

}  // namespace nd
