// SPDX-License-Identifier: MIT
// See faults.h.
#include "transport/faults/faults.h"

#include <new>
#include <utility>

#include "transport/faults/faulty_channel.h"

namespace opennd::faults {
namespace {

// SplitMix64: a sequence for each seed, the same on every machine.
constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;
std::uint64_t draw(std::uint64_t& state) {
    std::uint64_t value = state += kStep;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
    value = (value ^ value >> 27) * 0x94D049BB133111EB;
    return value ^ value >> 31;
}

// From 0 up to 1, of 53 bits.
double fraction(std::uint64_t& state) { return static_cast<double>(draw(state) >> 11) * 0x1.0p-53; }

bool is_of(Place rule, Place event) {
    const bool by_channel = event == Place::send || event == Place::write || event == Place::read;
    return rule == event || (rule == Place::wire && by_channel);
}

}  // namespace

void Faults::set(const Plan& plan) {
    std::vector<RunningRule> rules;
    std::uint64_t seeds = plan.seed;
    for (const Rule& rule : plan.rules) rules.push_back({rule, draw(seeds)});
    const Held lock(mutex_);
    rules_ = std::move(rules);
    if (!plan.rules.empty()) wanted_.store(true, std::memory_order_relaxed);
}

// A probability is drawn for each event: other triggers do not move the draws.
bool Faults::strikes(RunningRule& running, std::uint64_t bytes) {
    const Rule& rule = running.rule;
    const std::uint64_t number = ++running.events, before = running.bytes;
    running.bytes += bytes;
    const bool drawn = !rule.probability || fraction(running.generator) < *rule.probability;
    const bool due = drawn && (!rule.nth || number == *rule.nth) && (!rule.every || number % *rule.every == 0) &&
                     (!rule.after_bytes || before + bytes > *rule.after_bytes) &&
                     (!rule.times || running.injected < *rule.times);
    if (due) ++running.injected;
    return due;
}

const Kind* Faults::strike(Place place, std::uint64_t bytes) {
    const Held lock(mutex_);
    const Kind* first = nullptr;
    for (RunningRule& rule : rules_) {
        if (!is_of(rule.rule.kind->place, place)) continue;
        if (first != nullptr) {  // the event ends at the first fault, and counts for the others
            ++rule.events;
            rule.bytes += bytes;
            if (rule.rule.probability) (void)fraction(rule.generator);
        } else if (strikes(rule, bytes)) {
            first = rule.rule.kind;
        }
    }
    return first;
}

std::vector<RuleCount> Faults::counts() const {
    const Held lock(mutex_);
    std::vector<RuleCount> all;
    for (const RunningRule& rule : rules_) all.push_back({rule.rule.text, rule.events, rule.injected});
    return all;
}

Ref<soft::Channel> Faults::wrap(Ref<soft::Channel> channel, const soft::ConnectionFacts& facts) {
    if (!is_wanted() || facts.under_way) return channel;
    try {
        return Ref<soft::Channel>(new FaultyChannel(channel, *this));
    } catch (const std::bad_alloc&) {
        return channel;
    }
}

}  // namespace opennd::faults
