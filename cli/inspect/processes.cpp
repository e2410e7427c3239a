// SPDX-License-Identifier: MIT
//
// Read processes.h first.
#include "inspect/processes.h"

#include "inspect/answer_form.h"
#include "nd_error.h"
#include "text/wrapped_text.h"

#include <opennd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <future>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace nd {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kUsualBytes = 64 * 1024;
constexpr std::size_t kAskedAtOnce = 256;     // one that does not answer takes three seconds
constexpr std::size_t kMostOfAll = 64 << 20;  // bytes of all long answers; as values they take some times that
constexpr std::chrono::seconds kPatience{3};  // in which all have been asked

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

struct Questioning {
    HRESULT (*ask)(ULONG process, char* text, SIZE_T bytes, SIZE_T* needed);
    bool (*has_form)(const ordered_json& answer);
};

Questioning questioning(Ask what) {
    switch (what) {
        case Ask::objects: return {opennd_process_objects, is_report_with_objects};
        case Ask::events: return {opennd_process_events, is_list_of_events};
        default: return {opennd_process_report, is_report};
    }
}

ProcessAnswer refusal(unsigned pid, HRESULT status, std::string why) {
    return {pid, nullptr, std::move(why), status, std::chrono::steady_clock::now()};
}

// Takes `bytes` of the room; false if there is not so much left.
bool take(std::atomic<std::size_t>& room, std::size_t bytes) {
    std::size_t left = room;
    while (left >= bytes)
        if (room.compare_exchange_weak(left, left - bytes)) return true;
    return false;
}

// `room`: bytes that answers may still have.
ProcessAnswer ask(unsigned pid, Ask what, std::atomic<std::size_t>& room) {
    const Questioning question = questioning(what);
    std::string text(kUsualBytes, '\0');
    SIZE_T needed = 0;
    HRESULT status = question.ask(pid, text.data(), text.size(), &needed);
    if (status == ND_BUFFER_OVERFLOW) {
        if (!take(room, needed)) return refusal(pid, ND_INVALID_PARAMETER, "the answers of all are too long together");
        text.assign(needed + needed / 2, '\0');  // it may grow until the next answer, but not without end
        status = question.ask(pid, text.data(), text.size(), &needed);
    }
    if (status != ND_SUCCESS) {
        const char* const reason = reason_of_silence(status);
        return refusal(pid, status, reason ? reason : describe_status(status));
    }
    ordered_json report = ordered_json::parse(text.c_str(), nullptr, false);
    if (!question.has_form(report))
        return refusal(pid, ND_INVALID_PARAMETER, "its answer has another form than this nd knows");
    return {pid, std::move(report), {}, status, std::chrono::steady_clock::now()};
}

}  // namespace

const char* reason_of_silence(HRESULT status) {
    switch (status) {
        case ND_ACCESS_VIOLATION:
            return "this user may not trace it (another user's, or with rights of its own), or it answers others";
        case ND_INVALID_PARAMETER: return "its answer is no report, or longer or deeper than any";
        case ND_BUFFER_OVERFLOW: return "its answer grows while it is read";
        case ND_IO_TIMEOUT: return "it does not answer: it is stopped, or busy";
        case ND_CONNECTION_REFUSED:
            return "no such process tells what it does (it opens no adapter, or OPENND_INSPECTION=off)";
        default: return nullptr;
    }
}

ProcessAnswer ask_process(unsigned pid, Ask what) {
    std::atomic<std::size_t> room = kMostOfAll;
    return ask(pid, what, room);
}

std::vector<ProcessAnswer> ask_processes(Ask what) {
    const std::vector<ULONG> processes = listed();
    std::vector<ProcessAnswer> answers(processes.size());
    std::atomic<std::size_t> next = 0, room = kMostOfAll;
    const auto until = std::chrono::steady_clock::now() + kPatience;
    const auto ask_some = [&] {
        for (std::size_t i = next++; i < processes.size(); i = next++)
            answers[i] = std::chrono::steady_clock::now() < until
                             ? ask(processes[i], what, room)
                             : refusal(processes[i], ND_IO_TIMEOUT, "it was not asked: others do not answer");
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
    std::vector<ProcessAnswer> answers;
    answers.push_back(ask_process(pid, what));
    if (answers.front().report.is_null())
        throw std::runtime_error("process " + std::to_string(pid) + ": " + answers.front().refusal);
    return answers;
}

void print_refusals(const std::vector<ProcessAnswer>& answers) {
    for (const ProcessAnswer& answer : answers)
        if (answer.report.is_null()) print_wrapped("process " + std::to_string(answer.pid) + ": ", answer.refusal);
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
