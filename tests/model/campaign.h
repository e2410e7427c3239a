// SPDX-License-Identifier: MIT
//
// Campaign: programs of many seeds, one after the other, and what they found.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/play/crew.h"

namespace opennd::modeled {

// Faces x transports x one or two processes; loopback is within one.
std::vector<Setting> every_variant();
std::string name_of(const Setting& variant);

// This program's own file.
std::string own_program();

class Campaign {
public:
    explicit Campaign(std::chrono::seconds patience) : patience_(patience) {}

    // Plays one. False if it broke a rule: then report() tells, with a smaller program that does too.
    bool play(const Program& program);
    const std::string& report() const { return report_; }
    std::string totals() const;

private:
    Crew& crew_for(const Setting& setting);
    void shrink_and_tell(const Program& program, const Judgement& judgement);

    const std::chrono::seconds patience_;  // of shrinking
    std::map<std::string, std::unique_ptr<Crew>> crews_;
    std::uint64_t programs_ = 0, requests_ = 0, bytes_ = 0;
    std::string report_;
};

// As main.cpp says. True if nothing was found.
bool run_at_length(const std::map<std::string, std::string>& options);

}  // namespace opennd::modeled
