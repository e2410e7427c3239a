// SPDX-License-Identifier: MIT
// Answers of a hostile process at the inspection socket, read as the library and `nd` read them: text of any kind, or an honest answer
// changed step by step. Checked: every command that asks all processes goes on, nothing is nested deeper than the bound, and process and
// user are the kernel's word.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <opennd.h>

#include "fuzz/answers/documents.h"
#include "fuzz/script.h"
#include "inspect/dump.h"
#include "inspect/object_kinds.h"
#include "inspect/processes.h"
#include "inspect/ps.h"
#include "inspect/show.h"
#include "inspect/stats.h"
#include "library/api/text_buffer.h"
#include "library/inspection/checked_answer.h"
#include "metrics/process_metrics.h"
#include "top/load_page.h"
#include "top/process_load.h"

namespace opennd::fuzz {
namespace {

using nlohmann::ordered_json;

constexpr unsigned kProcess = 7, kUser = 12345;  // as the kernel has them
constexpr int kMostSteps = 16;
constexpr const char* kDeep = "@deep@";  // where a nested value is to stand

std::string answer;  // of the only process there is

HRESULT give_answer(char* text, SIZE_T text_bytes, SIZE_T* needed) {
    const Result<std::string> told = checked_answer(answer, kProcess, kUser);
    return told.ok() ? give_text(told.value(), text, text_bytes, needed) : ND_INVALID_PARAMETER;
}

// --- an honest answer, changed

void collect(ordered_json& value, std::vector<ordered_json*>& all) {
    all.push_back(&value);
    if (value.is_structured())
        for (ordered_json& each : value) collect(each, all);
}

ordered_json any_value(Script& script) {
    switch (script.below(16)) {
        case 0: return nullptr;
        case 1: return true;
        case 2: return -1;
        case 3: return 1.5;
        case 4: return 1e300;
        case 5: return "text";
        case 6: return std::string(script.below(256) * 40, 'x');
        case 7: return std::string("\x1b[2J\n\0\r\x7f", 8);
        case 8: return ordered_json::array();
        case 9: return ordered_json::object();
        case 10: return ordered_json::array({ordered_json::array()});
        case 11: return ordered_json{{"number", 1}};
        case 12: return std::uint64_t{1} << 63;
        case 13: return ~std::uint64_t{0};
        case 14: return kDeep;
        default: return script.number();
    }
}

const char* any_name(Script& script) {
    constexpr std::array kNames = {
        "busy",    "moved",  "path",    "oldest",     "receives", "srq", "tcp",  "poller",    "latencies", "apis",
        "traffic", "faults", "version", "requests",   "status",   "api", "pid",  "user",      "took_ns",   "peer_pid",
        "buckets", "rights", "address", "queue_pair", "other",    "",    "name", "registered"};
    return kNames[script.below(kNames.size())];
}

void change(ordered_json& document, Script& script) {
    std::vector<ordered_json*> all;
    collect(document, all);
    ordered_json& place = *all[script.raw<std::uint16_t>() % all.size()];
    switch (script.below(5)) {
        case 0: place = any_value(script); return;
        case 1:  // one element or member less
            if (place.is_structured() && !place.empty())
                place.erase(std::next(place.begin(), static_cast<std::ptrdiff_t>(script.below(place.size()))));
            return;
        case 2:
            if (place.is_object()) place[any_name(script)] = any_value(script);
            return;
        case 3:  // the same many times
            if (place.is_array() && !place.empty())
                place.insert(place.end(), script.below(64), ordered_json(place.front()));
            return;
        default: {
            const ordered_json copy = *all[script.raw<std::uint16_t>() % all.size()];
            if (copy.dump().size() < 10'000) place = copy;
        }
    }
}

std::string nested(std::size_t depth, bool objects) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += objects ? "{\"a\":" : "[";
    text += "1";
    for (std::size_t i = 0; i < depth; ++i) text += objects ? '}' : ']';
    return text;
}

std::string changed_answer(const char* honest, Script& script) {
    const std::size_t depth = script.number() % 300'000;
    const bool objects = script.byte() % 2 != 0;
    ordered_json document = ordered_json::parse(honest);
    for (int step = 0; step < kMostSteps && !script.over(); ++step) change(document, script);
    std::string text = document.dump();
    const std::string mark = std::string("\"") + kDeep + "\"";
    if (const std::size_t at = text.find(mark); at != std::string::npos)
        text.replace(at, mark.size(), nested(depth, objects));
    return text;
}

// --- those who read it

std::size_t depth_of(const ordered_json& value) {
    std::size_t deepest = 0;
    if (value.is_structured())
        for (const ordered_json& each : value) deepest = std::max(deepest, depth_of(each));
    return deepest + 1;
}

void check_report(const nd::ProcessAnswer& told) {
    if (told.report.is_null()) return;
    require(depth_of(told.report) <= kMostDepth + 1, "no value is nested deeper than the bound");
    require(told.report.value("pid", ordered_json(kProcess)) == kProcess, "the process is the kernel's word");
    require(told.report.value("user", ordered_json(kUser)) == kUser, "the user is the kernel's word");
}

void ask_for_all() {
    for (const nd::Ask what : {nd::Ask::report, nd::Ask::objects, nd::Ask::events})
        check_report(nd::ask_process(kProcess, what));
    for (const bool json : {false, true}) {
        nd::PsOptions of_ps;
        nd::StatsOptions of_stats;
        of_ps.json = of_stats.json = json;
        (void)nd::run_ps(of_ps);
        (void)nd::run_stats(of_stats);
        for (const nd::ObjectKind& kind : nd::object_kinds()) {
            nd::ShowOptions of_show;
            of_show.json = json;
            of_show.objects = kind.word;
            of_show.over_seconds = 1e-9;
            (void)nd::run_show(of_show);
            of_show.stuck = of_show.objects == "conn" || of_show.objects == "qp";
            if (of_show.stuck) (void)nd::run_show(of_show);
        }
    }
    const std::vector<nd::ProcessAnswer> answers = nd::ask_processes();
    (void)nd::metrics_text(answers, 0.5);
    nd::CounterRates rates;
    for (int page = 0; page < 2; ++page)
        for (const nd::LoadOrder& order : nd::load_orders()) {
            std::vector<nd::ProcessLoad> loads = nd::loads_of(answers, rates);
            nd::sort_loads(loads, order);
            (void)nd::load_page(loads, 0, order, "now");
        }
    nd::DumpOptions of_dump;
    of_dump.pid = kProcess;
    if (!nd::ask_process(kProcess, nd::Ask::events).report.is_null()) (void)nd::run_dump(of_dump);
}

void check_honest_answers() {
    for (const auto& [text, what] : {std::pair(kReport, nd::Ask::objects), std::pair(kEvents, nd::Ask::events)}) {
        answer = text;
        require(!nd::ask_process(kProcess, what).report.is_null(), "an honest answer is taken");
    }
}

// While it lives, what the commands print goes nowhere.
class Quiet {
public:
    Quiet() {
        static const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        ::dup2(nowhere, STDOUT_FILENO);
    }
    ~Quiet() {
        std::fflush(stdout);
        ::dup2(kept_, STDOUT_FILENO);
        ::close(kept_);
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

private:
    const int kept_ = ::dup(STDOUT_FILENO);
};

}  // namespace
}  // namespace opennd::fuzz

using namespace opennd::fuzz;

// In place of the library's functions, which would ask the processes of this host.
HRESULT opennd_process_list(ULONG processes[], ULONG capacity, ULONG* count) {
    *count = 1;
    if (capacity == 0) return ND_BUFFER_OVERFLOW;
    processes[0] = kProcess;
    return ND_SUCCESS;
}
HRESULT opennd_process_report(ULONG, char* text, SIZE_T bytes, SIZE_T* needed) {
    return give_answer(text, bytes, needed);
}
HRESULT opennd_process_objects(ULONG, char* text, SIZE_T bytes, SIZE_T* needed) {
    return give_answer(text, bytes, needed);
}
HRESULT opennd_process_events(ULONG, char* text, SIZE_T bytes, SIZE_T* needed) {
    return give_answer(text, bytes, needed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bool honest = (check_honest_answers(), true);
    (void)honest;
    const Quiet quiet;
    Script script({data, size});
    switch (script.below(3)) {
        case 0: {
            const auto octets = script.octets(size);
            answer.assign(reinterpret_cast<const char*>(octets.data()), octets.size());
            break;
        }
        case 1: answer = changed_answer(kReport, script); break;
        default: answer = changed_answer(kEvents, script);
    }
    try {
        ask_for_all();
    } catch (const std::exception& thrown) {
        std::fprintf(stderr, "fuzz: %s\n", thrown.what());
        require(false, "no answer of one process ends a command that asks all");
    }
    return 0;
}
