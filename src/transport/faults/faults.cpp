// SPDX-License-Identifier: MIT
// See faults.h.
#include "transport/faults/faults.h"

#include <new>
#include <utility>

#include "transport/faults/faulty_channel.h"

namespace opennd::faults {
namespace {

constexpr std::string_view kCauseOfOverrun = "a fault on purpose: cq:overrun";

// SplitMix64: a sequence for each seed, the same on every machine.
constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;
std::uint64_t draw(std::uint64_t& state) {
    std::uint64_t value = state += kStep;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
    value = (value ^ value >> 27) * 0x94D049BB133111EB;
    return value ^ value >> 31;
}

// Draws a number from 0 up to 1, of 53 bits.
double fraction(std::uint64_t& state) { return static_cast<double>(draw(state) >> 11) * 0x1.0p-53; }

bool is_of(const Rule& rule, Place event) {
    if (rule.is_by_clock()) return false;
    const Place place = rule.kind->place;
    const bool by_channel = event == Place::send || event == Place::write || event == Place::read;
    return place == event || (by_channel && (place == Place::wire || place == Place::peer));
}

void take(const Rule& rule, Blow& blow) {
    switch (rule.kind->lateness) {
        case Lateness::none: blow.kind = rule.kind; break;
        case Lateness::message: blow.delay += rule.time; break;
        case Lateness::result: blow.late += rule.time; break;
    }
}

}  // namespace

void Faults::set(const Plan& plan, SteadyTime at) {
    std::vector<RunningRule> rules;
    std::uint64_t seeds = plan.seed;
    for (const Rule& rule : plan.rules) rules.push_back({rule, draw(seeds)});
    std::vector<TimerId> moments;
    std::uint64_t number = 0;
    {
        const Held lock(mutex_);
        rules_ = std::move(rules);
        began_ = at;
        number = this->plan() + 1;
        plan_.store(number, std::memory_order_relaxed);
        std::swap(moments, moments_);
        if (!plan.rules.empty()) wanted_.store(true, std::memory_order_relaxed);
    }
    for (const TimerId moment : std::exchange(moments, {})) loop_.cancel(moment);
    for (std::size_t rule = 0; rule < plan.rules.size(); ++rule)
        if (plan.rules[rule].is_by_clock())
            moments.push_back(
                loop_.schedule(at + *plan.rules[rule].after_time, [this, number, rule] { end_peers(number, rule); }));
    const Held lock(mutex_);
    if (this->plan() == number) moments_ = std::move(moments);
}

// Counts the event, and draws. A probability is drawn for each event, so that other triggers do not move the draws.
bool Faults::count_and_draw(RunningRule& running, std::uint64_t bytes) {
    ++running.events;
    running.bytes += bytes;
    return !running.rule.probability || fraction(running.generator) < *running.rule.probability;
}

bool Faults::strikes(RunningRule& running, std::uint64_t bytes, SteadyTime at) {
    const Rule& rule = running.rule;
    const bool drawn = count_and_draw(running, bytes);
    const std::uint64_t number = running.events;
    const bool due = drawn && (!rule.nth || number == *rule.nth) && (!rule.every || number % *rule.every == 0) &&
                     (!rule.after_bytes || running.bytes > *rule.after_bytes) &&
                     (!rule.after_time || at - began_ >= *rule.after_time) &&
                     (!rule.times || running.injected < *rule.times);
    if (due) ++running.injected;
    return due;
}

// A late event goes on to the other rules; the first of these that strikes is the event's end, and the event counts for those behind.
Blow Faults::strike(Place place, std::uint64_t bytes, SteadyTime at) {
    const Held lock(mutex_);
    Blow blow;
    blow.plan = plan();
    for (RunningRule& running : rules_) {
        if (!is_of(running.rule, place)) continue;
        if (blow.kind != nullptr)
            (void)count_and_draw(running, bytes);
        else if (strikes(running, bytes, at))
            take(running.rule, blow);
    }
    return blow;
}

std::string_view Faults::take_room() {
    const Kind* const kind = strike(Place::cq).kind;
    return kind == nullptr ? std::string_view{} : kCauseOfOverrun;
}

bool Faults::strikes_peer(std::uint64_t plan, std::size_t rule) {
    const Held lock(mutex_);
    return plan == this->plan() && strikes(rules_[rule], 0, now());
}

// Strikes connections at the moment of a rule, unless its plan is over: each connection that is up is an event.
void Faults::end_peers(std::uint64_t plan, std::size_t rule) {
    std::vector<Ref<soft::ConnectionEnd>> lost;  // told without the mutex: a channel may end with one
    {
        const Held lock(channels_mutex_);
        for (FaultyChannel* const channel : channels_) {
            if (!channel->is_up() || !strikes_peer(plan, rule)) continue;
            if (Ref<soft::ConnectionEnd> end = channel->lose_peer()) lost.push_back(std::move(end));
        }
    }
    for (const Ref<soft::ConnectionEnd>& end : lost) end->lose_peer();
}

void Faults::enter(FaultyChannel& channel) {
    const Held lock(channels_mutex_);
    channels_.push_back(&channel);
}

void Faults::leave(FaultyChannel& channel) {
    const Held lock(channels_mutex_);
    std::erase(channels_, &channel);
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
        return Ref<soft::Channel>(new FaultyChannel(channel, Ref<soft::ConnectionEnd>(facts.end), *this));
    } catch (const std::bad_alloc&) {
        return channel;
    }
}

}  // namespace opennd::faults
