// SPDX-License-Identifier: MIT
// Faults on purpose, as a line words them: `seed=7; connect:refused p=0.01; send:timeout nth=100; wire:reset after=1M`.
//
//   line     = item { ";" item }
//   item     = "seed=" NUMBER | PLACE ":" KIND [ "=" TIME ] { trigger }
//   trigger  = "p=" FRACTION | "nth=" NUMBER | "every=" NUMBER | "after=" ( BYTES | TIME ) | "times=" NUMBER
//   BYTES    = NUMBER [ "K" | "M" | "G" ]
//   TIME     = NUMBER ( "ns" | "us" | "ms" | "s" )
//
// docs/faults.md has the kinds with their statuses.
#pragma once

#include <array>
#include <chrono>
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
    cq,       // a result that is added to a completion queue, unless it is canceled
    peer,     // as wire; by the clock (Rule::is_by_clock) a connection that is up at that moment
};

// The effect of a kind's time on a request, which then goes on.
enum class Lateness : std::uint8_t {
    none,     // the kind has no time
    message,  // leaves later by it
    result,   // the result comes later by it
};

struct Kind {
    std::string_view name;  // "send:timeout"
    Place place;
    // The status of the request or the call; or of the connection or the completion queue that is lost. success: it is
    // no failure.
    Status status;
    std::string_view meaning;
    Lateness lateness = Lateness::none;

    bool takes_time() const { return lateness != Lateness::none; }  // "wire:delay=2ms"
};

// All there are, in the order of the documentation.
inline constexpr std::size_t kKinds = 14;
const std::array<Kind, kKinds>& kinds();

struct Rule {
    const Kind* kind = nullptr;       // one of kinds()
    std::string text;                 // as the line has it
    std::chrono::nanoseconds time{};  // of a kind that takes one
    // The triggers. With none of them each event counts; with more than one, all must hold.
    std::optional<double> probability;
    std::optional<std::uint64_t> nth, every;             // of the rule's events, from 1
    std::optional<std::uint64_t> after_bytes;            // of the rule's events before this one
    std::optional<std::chrono::nanoseconds> after_time;  // since the plan is in force
    std::optional<std::uint64_t> times;                  // no more than these

    // Returns true if the rule's moment makes its events, and no request does.
    bool is_by_clock() const { return kind->place == Place::peer && after_time; }
};

struct Plan {
    std::uint64_t seed = 1;
    std::vector<Rule> rules;
};

// The names of the triggers.
inline constexpr std::array<std::string_view, 5> kTriggers{"p", "nth", "every", "after", "times"};

// The place of the wrong word in a line, the word, and the expected ones.
struct LineFault {
    std::size_t position = 0;  // from 1
    std::string token, expected;
};
std::string describe(const LineFault& fault);

// Parses `line`. Returns nothing if a word is wrong, and `fault` says why. An empty line is a plan without rules.
std::optional<Plan> parse_plan(std::string_view line, LineFault& fault);

}  // namespace opennd::faults
