// SPDX-License-Identifier: MIT
//
// Read faults.h first.
#include "faults.h"

#include "nd_error.h"
#include "text/wrapped_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <opennd.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace nd {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kFaultsBytes = 256 * 1024;

constexpr const char* kGrammar =
    "  line     seed=NUMBER, and rules, with ; between them; without a seed 1\n"
    "  rule     KIND, with =TIME where the kind takes one, and triggers; without a\n"
    "           trigger each event is a fault, and with several all must hold\n"
    "  trigger  p=FRACTION     of the events, drawn by the seed\n"
    "           nth=NUMBER     that event of the rule alone, from 1\n"
    "           every=NUMBER   each event whose number it divides\n"
    "           after=BYTES    events behind these bytes of the rule,\n"
    "                          as 65536, 64K, 1M or 1G\n"
    "           after=TIME     events from this time after the beginning,\n"
    "                          as 500us, 2ms or 10s\n"
    "           times=NUMBER   no more faults than these\n";

ordered_json checked(const std::string& line) {
    std::string text(kFaultsBytes, '\0');
    SIZE_T needed = 0;
    check(opennd_faults_check(line.c_str(), text.data(), text.size(), &needed), "check the line",
          "opennd_faults_check");
    return ordered_json::parse(text.c_str());
}

// "wire:delay=TIME"
std::string name_of(const ordered_json& kind) {
    const std::string argument = kind.contains("argument") ? "=" + kind["argument"].get<std::string>() : "";
    return kind["kind"].get<std::string>() + argument;
}

void explain_grammar(const ordered_json& report) {
    std::printf("OPENND_FAULTS=\"seed=7; send:timeout nth=100; connect:refused p=0.01\"\n\n%s\n", kGrammar);
    for (const ordered_json& each : report["kinds"]) {
        char label[64] = "";
        std::snprintf(label, sizeof label, "  %-20s %-22s ", name_of(each).c_str(),
                      each["status"].get_ref<const std::string&>().c_str());
        print_wrapped(label, each["meaning"].get_ref<const std::string&>());
    }
}

}  // namespace

void define_faults_options(CLI::App& command, FaultsOptions& options) {
    command.description(
        "Explain the lines of OPENND_FAULTS: kinds of faults with their statuses, and triggers. With LINE: check it; a "
        "wrong one is told with the place, and exit code 1.");
    command.add_option("LINE", options.line, "A line to check");
}

int run_faults(const FaultsOptions& options) {
    const ordered_json report = checked(options.line);
    if (options.line.empty()) {
        explain_grammar(report);
        return 0;
    }
    if (report.contains("fault")) {
        const ordered_json& fault = report["fault"];
        const std::string meant =
            fault.contains("meant") ? "; did you mean " + fault["meant"].get<std::string>() + "?" : "";
        throw std::runtime_error("at character " + fault["position"].dump() + ": \"" +
                                 fault["token"].get<std::string>() + "\": expected " +
                                 fault["expected"].get<std::string>() + meant);
    }
    std::printf("seed %s\n", report["seed"].dump().c_str());
    for (const ordered_json& each : report["rules"]) std::printf("%s\n", each.get_ref<const std::string&>().c_str());
    return 0;
}

}  // namespace nd
