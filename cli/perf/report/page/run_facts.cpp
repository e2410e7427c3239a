// SPDX-License-Identifier: MIT
//
// Read run_facts.h first.
#include "perf/report/page/run_facts.h"

#include "inspect/utc_time.h"
#include "perf/report/outcome_text.h"

#include <opennd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <string_view>

namespace nd {
namespace {

bool is_plain(char letter) {
    constexpr std::string_view kPlain = "-_./:,=@%+^";
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || kPlain.find(letter) != std::string_view::npos;
}

// A shell makes the same word of it.
std::string shell_word(const std::string& word) {
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
    std::string quoted = "'";
    for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return quoted + "'";
}

// The program of this process stands without its folder.
std::string command_line() {
    std::ifstream file("/proc/self/cmdline");
    std::string text, word;
    while (std::getline(file, word, '\0'))
        text += text.empty() ? word.substr(word.rfind('/') + 1) : " " + shell_word(word);
    return text;
}

std::string processors() {
    std::ifstream file("/proc/cpuinfo");
    std::string line, model;
    while (model.empty() && std::getline(file, line))
        if (line.starts_with("model name")) model = line.substr(std::min(line.find(':') + 2, line.size()));
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return std::to_string(count) + (model.empty() ? "" : " of " + model);
}

std::string memory() {
    constexpr double kGibibyte = 1 << 30;
    char text[32] = "";
    std::snprintf(
        text, sizeof text, "%.1f GiB",
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) / kGibibyte);
    return text;
}

}  // namespace

std::vector<RunFact> facts_of(const PerfRun& run) {
    utsname system = {};
    (void)uname(&system);
    std::vector<RunFact> facts = {
        {"command line", command_line()},
        {"OpenND", opennd_version()},
        {"ended", utc_time("%F %T UTC")},
        {"host", system.nodename},
        {"processors", processors()},
        {"memory", memory()},
        {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
    };
    if (!run.outcomes.empty()) facts.push_back({"link", link_text(run.outcomes.front().interface)});
    if (!run.complete)
        facts.push_back({"not complete",
                         "an interruption or a failure ended the run; the last row may be of fewer iterations than "
                         "the others"});
    return facts;
}

}  // namespace nd
