// SPDX-License-Identifier: MIT
// The faults of a process: the plan in force, and which of its rules strikes at an event. As a layer it puts itself around the channels
// of connections that are made while there is a plan.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/lock.h"
#include "transport/faults/plan.h"
#include "transport/soft/channel/channel_layer.h"

namespace opennd::faults {

// A rule with its counts.
struct RuleCount {
    std::string text;
    std::uint64_t events = 0, injected = 0;
};

// Any thread.
class Faults final : public soft::ChannelLayer {
public:
    // Replaces the plan, and its counts. Adapters and connections that were made before the first plan have no faults.
    void set(const Plan& plan) EXCLUDES(mutex_);

    // An event of `place`, with these bytes: the kind of the first rule that strikes. Each rule draws for itself, by the order of its
    // own events: the same events give the same faults.
    const Kind* strike(Place place, std::uint64_t bytes = 0) EXCLUDES(mutex_);
    std::vector<RuleCount> counts() const EXCLUDES(mutex_);

    // There has been a plan.
    bool is_wanted() const override { return wanted_.load(std::memory_order_relaxed); }
    Ref<soft::Channel> wrap(Ref<soft::Channel> channel, const soft::ConnectionFacts& facts) override;

private:
    struct RunningRule {
        Rule rule;
        std::uint64_t generator = 0;  // its state
        std::uint64_t events = 0, bytes = 0, injected = 0;
    };
    static bool strikes(RunningRule& rule, std::uint64_t bytes);

    std::atomic<bool> wanted_{false};  // relaxed: a hint
    mutable Mutex mutex_;              // nothing is called under it
    std::vector<RunningRule> rules_ GUARDED_BY(mutex_);
};

}  // namespace opennd::faults
