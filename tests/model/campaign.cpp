// SPDX-License-Identifier: MIT
//
// See campaign.h.
#include "model/campaign.h"

#include <unistd.h>
#include <climits>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

#include "conformance/vocabulary/variant.h"
#include "model/listing/listing.h"
#include "model/program/generator.h"
#include "model/program/shrink.h"

namespace opennd::modeled {
namespace {

using Clock = std::chrono::steady_clock;
using Options = std::map<std::string, std::string>;

std::string option(const Options& options, const char* name, const std::string& otherwise) {
    const auto at = options.find(name);
    return at == options.end() ? otherwise : at->second;
}

std::vector<Setting> chosen(const Options& options) {
    std::vector<Setting> variants = every_variant();
    std::erase_if(variants, [&](const Setting& variant) {
        return option(options, "--face", variant.face) != variant.face ||
               option(options, "--transport", variant.transport) != variant.transport ||
               option(options, "--processes", std::to_string(variant.processes)) != std::to_string(variant.processes);
    });
    if (variants.empty()) throw std::runtime_error("no variant is like that");
    return variants;
}

Program program_in(const std::string& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return parse(text.str());
}

void keep(const std::string& folder, std::uint64_t seed, const std::string& report) {
    if (folder.empty()) return;
    std::ofstream(folder + "/finding-" + std::to_string(seed) + ".txt") << report;
}

}  // namespace

std::vector<Setting> every_variant() {
    std::vector<Setting> variants;
    for (const conformance::Variant& variant : conformance::every_variant())
        for (unsigned processes = 1; processes <= 2; ++processes) {
            if (processes == 2 && std::string(variant.transport) == "loopback") continue;
            Setting setting;
            setting.face = variant.face;
            setting.transport = variant.transport;
            setting.processes = processes;
            variants.push_back(setting);
        }
    return variants;
}

std::string name_of(const Setting& variant) {
    std::string transport = variant.transport;
    transport[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(transport[0])));
    return variant.face + "On" + transport + (variant.processes == 2 ? "InTwoProcesses" : "");
}

std::string own_program() {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return std::string(path, length > 0 ? static_cast<std::size_t>(length) : 0);
}

bool Campaign::play(const Program& program) {
    const Judgement judgement = crew_for(program.setting).run(program);
    ++programs_;
    requests_ += judgement.requests;
    bytes_ += judgement.bytes;
    if (judgement.findings.empty()) return true;
    shrink_and_tell(program, judgement);
    return false;
}

Crew& Campaign::crew_for(const Setting& setting) {
    const std::string name =
        setting.transport + std::to_string(setting.processes) + std::to_string(static_cast<int>(setting.world));
    auto& crew = crews_[name];
    if (!crew) crew = std::make_unique<Crew>(own_program(), setting);
    return *crew;
}

void Campaign::shrink_and_tell(const Program& program, const Judgement& judgement) {
    const std::string rule = judgement.findings.front().rule;
    Judgement last = judgement;
    std::string seen = crew_for(program.setting).last_story(program);
    const auto fails = [&](const Program& candidate) {
        Judgement found = crew_for(candidate.setting).run(candidate);
        const bool same = std::any_of(found.findings.begin(), found.findings.end(),
                                      [&](const Finding& finding) { return finding.rule == rule; });
        if (same) {
            seen = crew_for(candidate.setting).last_story(candidate);
            last = std::move(found);
        }
        return same;
    };
    const Program small = patience_.count() == 0 ? program : shrink(program, fails, patience_);
    std::ostringstream text;
    text << "seed " << program.seed << " on " << name_of(program.setting) << ", " << program.operations.size()
         << " operations: " << judgement.findings.front().told << "\n\nWhat breaks the rule too:\n\n"
         << text_of(small) << '\n';
    for (const Finding& finding : last.findings) text << finding.told << '\n';
    text << "\nWhat the sides saw:\n" << seen << "\nThe same in C++, with version 2:\n\n" << listing(small);
    report_ = text.str();
}

std::string Campaign::totals() const {
    return std::to_string(programs_) + " programs, " + std::to_string(requests_) + " requests, " +
           std::to_string(bytes_) + " bytes compared";
}

bool run_at_length(const Options& options) {
    Campaign campaign(std::chrono::seconds(std::stoul(option(options, "--shrink", "120"))));
    const auto begun = Clock::now();
    const auto seconds = std::chrono::seconds(std::stoul(option(options, "--seconds", "0")));
    const std::uint64_t programs = std::stoull(option(options, "--programs", seconds.count() == 0 ? "1" : "0"));
    const std::string file = option(options, "--replay", "");
    const std::uint64_t first = std::stoull(option(options, "--seed", std::to_string(std::random_device{}())));
    const std::vector<Setting> variants = chosen(options);
    std::uint64_t findings = 0;
    if (options.contains("--list")) {
        std::ofstream(options.at("--list"))
            << listing(file.empty() ? generate(first, variants.front()) : program_in(file));
        return true;
    }
    if (file.empty()) std::cout << "seed " << first << std::endl;
    for (std::uint64_t i = 0; (programs != 0 && i < programs) || Clock::now() - begun < seconds; ++i) {
        const Program program =
            file.empty() ? generate(first + i, variants[(first + i) % variants.size()]) : program_in(file);
        if (options.contains("--show")) std::cout << text_of(program) << std::flush;
        if (campaign.play(program)) continue;
        ++findings;
        const auto after = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun);
        std::cout << "after " << after.count() << " ms, " << campaign.totals() << ":\n"
                  << campaign.report() << std::endl;
        keep(option(options, "--keep", ""), program.seed, campaign.report());
        if (findings == std::stoull(option(options, "--findings", "1"))) break;
    }
    std::cout << campaign.totals() << ", " << findings << " findings" << std::endl;
    return findings == 0;
}

}  // namespace opennd::modeled
