// SPDX-License-Identifier: MIT
// Faults on purpose, as a line words them: `seed=7; connect:refused p=0.01; send:timeout nth=100; wire:reset after=1M`.
//
//   line     = item { ";" item }
//   item     = "seed=" NUMBER | PLACE ":" KIND { trigger }
//   trigger  = "p=" FRACTION | "nth=" NUMBER | "every=" NUMBER | "after=" NUMBER [ "K" | "M" | "G" ] | "times=" NUMBER
//
// docs/faults.md has the kinds with their statuses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace opennd::faults {

// The events of a rule.
enum class Place : std::uint8_t {
    connect,  // a Connect
    memory,   // a registration
    send,     // a Send that starts
    write,    // a Write that starts
    read,     // a Read that starts
    wire,     // any of these three
};

struct Kind {
    std::string_view name;  // "send:timeout"
    Place place;
    // Of the request, or of the call. wire:reset: of the connection.
    Status status;
    std::string_view meaning;
};

// All there are, in the order of the documentation.
inline constexpr std::size_t kKinds = 9;
const std::array<Kind, kKinds>& kinds();

struct Rule {
    const Kind* kind = nullptr;  // one of kinds()
    std::string text;            // as the line has it
    // Without a trigger each event counts. More than one: all must hold.
    std::optional<double> probability;
    std::optional<std::uint64_t> nth, every;   // of the rule's events, from 1
    std::optional<std::uint64_t> after_bytes;  // of the rule's events before this one
    std::optional<std::uint64_t> times;        // no more than these
};

struct Plan {
    std::uint64_t seed = 1;
    std::vector<Rule> rules;
};

// The place of the wrong word in a line, the word, and the expected ones.
struct LineFault {
    std::size_t position = 0;  // from 1
    std::string token, expected;
};
std::string describe(const LineFault& fault);

// Nothing: `fault` says why. An empty line is a plan without rules.
std::optional<Plan> parse_plan(std::string_view line, LineFault& fault);

}  // namespace opennd::faults
