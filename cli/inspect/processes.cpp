// SPDX-License-Identifier: MIT
//
// Read processes.h first.
#include "inspect/processes.h"

#include "nd_error.h"

#include <opennd.h>

#include <algorithm>
#include <initializer_list>

namespace nd {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kUsualBytes = 64 * 1024;

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
        members, [&](const char* each) { return object.contains(each) && object[each].is_number_integer(); });
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

bool is_interface(const ordered_json& each) {
    return has_texts(each, {"name"}) && each.contains("counts") &&
           has_numbers(each["counts"], {"active", "connects", "accepts", "failures", "errors"}) &&
           are_all(each, "connections", is_connection) && are_all(each, "endpoints", is_endpoint);
}

// Another process wrote it, perhaps of another version.
bool has_form(const ordered_json& report) {
    return report.is_object() && has_texts(report, {"program"}) && has_numbers(report, {"user"}) &&
           are_all(report, "interfaces", is_interface);
}

bool is_event(const ordered_json& each) {
    return has_numbers(each, {"at_us", "thread"}) && has_texts(each, {"level", "text"});
}

bool has_form_of_events(const ordered_json& report) {
    return report.is_object() && are_all(report, "events", is_event);
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
    std::string text(kUsualBytes, '\0');
    for (;;) {
        SIZE_T needed = 0;
        const HRESULT status = question.ask(pid, text.data(), text.size(), &needed);
        if (status == ND_BUFFER_OVERFLOW) {
            text.assign(2 * needed, '\0');  // it may grow until the next answer
            continue;
        }
        if (status != ND_SUCCESS) {
            const char* const reason = reason_of(status);
            return {pid, nullptr, reason ? reason : describe_status(status)};
        }
        ordered_json report = ordered_json::parse(text.c_str(), nullptr, false);
        if (!question.has_form(report)) return {pid, nullptr, "its answer has another form than this nd knows"};
        return {pid, std::move(report), {}};
    }
}

std::vector<ProcessAnswer> ask_processes(Ask what) {
    std::vector<ProcessAnswer> answers;
    for (const ULONG pid : listed()) answers.push_back(ask_process(pid, what));
    return answers;
}

}  // namespace nd
