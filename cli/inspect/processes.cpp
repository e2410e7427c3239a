// SPDX-License-Identifier: MIT
//
// Read processes.h first.
#include "inspect/processes.h"

#include "nd_error.h"

#include <opennd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <future>
#include <initializer_list>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace nd {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kUsualBytes = 64 * 1024;
constexpr std::size_t kMostBytes = 32 << 20;  // 100,000 connections; parsed it takes some times that
constexpr std::size_t kAskedAtOnce = 8;

std::vector<ULONG> listed() {
    std::vector<ULONG> processes(64);
    for (;;) {
        ULONG count = 0;
        const HRESULT status = opennd_process_list(processes.data(), static_cast<ULONG>(processes.size()), &count);
        processes.resize(count);
        if (status == ND_BUFFER_OVERFLOW) continue;
        check(status, "list the processes", "opennd_process_list");
        return processes;
    }
}

const char* reason_of(HRESULT status) {
    switch (status) {
        case ND_ACCESS_VIOLATION: return "it is another user's, or answers others";
        case ND_IO_TIMEOUT: return "it does not answer: it is stopped, or busy";
        case ND_CONNECTION_REFUSED:
            return "no such process tells what it does (it opens no adapter, or OPENND_INSPECTION=off)";
        default: return nullptr;
    }
}

bool has_texts(const ordered_json& object, std::initializer_list<const char*> members) {
    return std::ranges::all_of(members,
                               [&](const char* each) { return object.contains(each) && object[each].is_string(); });
}

bool has_numbers(const ordered_json& object, std::initializer_list<const char*> members) {
    return std::ranges::all_of(
        members, [&](const char* each) { return object.contains(each) && object[each].is_number_unsigned(); });
}

bool are_all(const ordered_json& object, const char* member, bool (*have_form)(const ordered_json&)) {
    return object.contains(member) && object[member].is_array() && std::ranges::all_of(object[member], have_form);
}

bool is_connection(const ordered_json& each) {
    return has_texts(each, {"local", "peer", "wire", "owner"}) && has_numbers(each, {"age_ms"});
}

bool is_endpoint(const ordered_json& each) {
    return has_texts(each, {"local", "owner"}) && each.contains("listens") && each["listens"].is_boolean();
}

bool is_traffic(const ordered_json& each) {
    return has_texts(each, {"wire"}) && has_numbers(each, {"bytes_in", "bytes_out", "frames_in", "frames_out"});
}

bool are_counts(const ordered_json& object) {
    return object.contains("counts") &&
           has_numbers(object["counts"], {"active", "connects", "accepts", "failures", "errors", "queue_errors"}) &&
           (!object.contains("traffic") || are_all(object, "traffic", is_traffic));
}

bool is_api(const ordered_json& each) { return has_texts(each, {"api"}) && are_counts(each); }

bool is_bucket(const ordered_json& each) {
    return each.is_array() && each.size() == 2 && (each[0].is_null() || each[0].is_number_unsigned()) &&
           each[1].is_number_unsigned();
}

bool is_latency(const ordered_json& each) {
    return has_texts(each, {"api", "wire", "operation"}) && has_numbers(each, {"count", "sum_ns", "longest_ns"}) &&
           are_all(each, "buckets", is_bucket);
}

bool is_interface(const ordered_json& each) {
    return has_texts(each, {"name"}) && has_numbers(each, {"index"}) && are_counts(each) &&
           (!each.contains("apis") || are_all(each, "apis", is_api)) &&
           (!each.contains("latencies") || are_all(each, "latencies", is_latency)) &&
           are_all(each, "connections", is_connection) && are_all(each, "endpoints", is_endpoint);
}

bool is_fault(const ordered_json& each) {
    return has_texts(each, {"rule"}) && has_numbers(each, {"events", "injected"});
}

// Another process wrote it, perhaps of another version.
bool has_form(const ordered_json& report) {
    return report.is_object() && has_texts(report, {"program"}) && has_numbers(report, {"user"}) &&
           (!report.contains("faults") || are_all(report, "faults", is_fault)) &&
           are_all(report, "interfaces", is_interface);
}

bool is_event(const ordered_json& each) {
    return has_numbers(each, {"at_us", "thread"}) && has_texts(each, {"level", "text"});
}

bool is_request_event(const ordered_json& each) {
    return has_numbers(each, {"at_us", "thread", "bytes"}) && has_texts(each, {"event", "operation", "context"}) &&
           (!each.contains("status") || has_texts(each, {"status"})) &&
           (!each.contains("took_ns") || has_numbers(each, {"took_ns"}));
}

bool is_recorded_queue(const ordered_json& each) {
    return has_texts(each, {"queue"}) && has_numbers(each, {"number"}) && are_all(each, "events", is_request_event);
}

bool has_form_of_events(const ordered_json& report) {
    return report.is_object() && are_all(report, "events", is_event) &&
           (!report.contains("requests") || are_all(report, "requests", is_recorded_queue));
}

struct Questioning {
    HRESULT (*ask)(ULONG process, char* text, SIZE_T bytes, SIZE_T* needed);
    bool (*has_form)(const ordered_json& answer);
};

Questioning questioning(Ask what) {
    switch (what) {
        case Ask::objects: return {opennd_process_objects, has_form};
        case Ask::events: return {opennd_process_events, has_form_of_events};
        default: return {opennd_process_report, has_form};
    }
}

}  // namespace

ProcessAnswer ask_process(unsigned pid, Ask what) {
    const Questioning question = questioning(what);
    const auto refused = [pid](HRESULT status, std::string why) {
        return ProcessAnswer{pid, nullptr, std::move(why), status, std::chrono::steady_clock::now()};
    };
    std::string text(kUsualBytes, '\0');
    for (;;) {
        SIZE_T needed = 0;
        const HRESULT status = question.ask(pid, text.data(), text.size(), &needed);
        const auto when = std::chrono::steady_clock::now();
        if (status == ND_BUFFER_OVERFLOW) {
            if (needed > kMostBytes) return refused(ND_INVALID_PARAMETER, "its answer is longer than any should be");
            text.assign(2 * needed, '\0');  // it may grow until the next answer
            continue;
        }
        if (status != ND_SUCCESS) {
            const char* const reason = reason_of(status);
            return refused(status, reason ? reason : describe_status(status));
        }
        ordered_json report = ordered_json::parse(text.c_str(), nullptr, false);
        if (!question.has_form(report))
            return refused(ND_INVALID_PARAMETER, "its answer has another form than this nd knows");
        return {pid, std::move(report), {}, status, when};
    }
}

std::vector<ProcessAnswer> ask_processes(Ask what) {
    const std::vector<ULONG> processes = listed();
    std::vector<ProcessAnswer> answers(processes.size());
    std::atomic<std::size_t> next = 0;
    const auto ask_some = [&] {
        for (std::size_t i = next++; i < processes.size(); i = next++) answers[i] = ask_process(processes[i], what);
    };
    std::vector<std::future<void>> others;
    try {
        while (others.size() + 1 < std::min(processes.size(), kAskedAtOnce))
            others.push_back(std::async(std::launch::async, ask_some));
    } catch (const std::system_error&) {  // no more threads: this one and the others ask all the same
    }
    ask_some();
    for (std::future<void>& each : others) each.get();
    return answers;
}

std::vector<ProcessAnswer> ask_processes(unsigned pid, Ask what) {
    if (pid == 0) return ask_processes(what);
    std::vector<ProcessAnswer> answers = {ask_process(pid, what)};
    if (answers.front().report.is_null())
        throw std::runtime_error("process " + std::to_string(pid) + ": " + answers.front().refusal);
    return answers;
}

void print_refusals(const std::vector<ProcessAnswer>& answers) {
    for (const ProcessAnswer& answer : answers)
        if (answer.report.is_null()) std::printf("process %u: %s\n", answer.pid, answer.refusal.c_str());
    if (answers.empty()) std::printf("no process on this host has an open adapter\n");
}

void print_faults(const std::vector<ProcessAnswer>& answers) {
    for (const ProcessAnswer& answer : answers) {
        if (answer.report.is_null() || !answer.report.contains("faults")) continue;
        std::uint64_t injected = 0;
        for (const ordered_json& rule : answer.report["faults"]) injected += rule["injected"].get<std::uint64_t>();
        std::printf("process %u has faults on purpose, %llu so far: nd show faults %u\n", answer.pid,
                    static_cast<unsigned long long>(injected), answer.pid);
    }
}

}  // namespace nd
