// SPDX-License-Identifier: MIT
// The faults of a process: the plan in force, and which of its rules strikes at an event. As a layer it puts itself around the channels
// of connections, and takes room from the completion queues, that are made while there is a plan.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "platform/process/clock.h"
#include "platform/thread/event_loop.h"
#include "transport/completion/room_judge.h"
#include "transport/faults/plan.h"
#include "transport/soft/channel/channel_layer.h"

namespace opennd::faults {

class FaultyChannel;

// A rule with its counts.
struct RuleCount {
    std::string text;
    std::uint64_t events = 0, injected = 0;
};

// The faults of an event.
struct Blow {
    const Kind* kind = nullptr;        // its end; null: it goes on
    std::chrono::nanoseconds delay{};  // before either
    std::chrono::nanoseconds late{};   // of its result
    std::uint64_t plan = 0;            // Faults::plan() then: with another plan nothing is delayed or late any more
};

// Any thread.
class Faults final : public soft::ChannelLayer, public RoomJudge {
public:
    // Rules of the clock have their moments in `loop`, which calls this as long as it runs.
    explicit Faults(EventLoop& loop) : loop_(loop) {}

    // Replaces the plan, and its counts; its clock begins `at`. Adapters, connections and completion queues that were made before the
    // first plan have no faults.
    void set(const Plan& plan, SteadyTime at = now()) EXCLUDES(mutex_);

    // Takes an event of `place` with these bytes, and returns its faults. Each rule draws for itself, by the order of
    // its own events: the same events give the same faults.
    Blow strike(Place place, std::uint64_t bytes = 0, SteadyTime at = now()) EXCLUDES(mutex_);
    std::vector<RuleCount> counts() const EXCLUDES(mutex_);

    // The number of the plan in force, which changes with each plan.
    std::uint64_t plan() const { return plan_.load(std::memory_order_relaxed); }
    // Returns true once there has been a plan.
    bool is_wanted() const override { return wanted_.load(std::memory_order_relaxed); }
    Ref<soft::Channel> wrap(Ref<soft::Channel> channel, const soft::ConnectionFacts& facts) override;
    RoomJudge* room_judge() override { return is_wanted() ? this : nullptr; }
    std::string_view take_room() override;

private:
    friend class FaultyChannel;

    struct RunningRule {
        Rule rule;
        std::uint64_t generator = 0;  // its state
        std::uint64_t events = 0, bytes = 0, injected = 0;
    };
    static bool count_and_draw(RunningRule& rule, std::uint64_t bytes);
    bool strikes(RunningRule& rule, std::uint64_t bytes, SteadyTime at) REQUIRES(mutex_);
    bool strikes_peer(std::uint64_t plan, std::size_t rule) EXCLUDES(mutex_);
    void end_peers(std::uint64_t plan, std::size_t rule) EXCLUDES(mutex_, channels_mutex_);

    // Every channel is listed from its construction to its destruction.
    void enter(FaultyChannel& channel) EXCLUDES(channels_mutex_);
    void leave(FaultyChannel& channel) EXCLUDES(channels_mutex_);

    EventLoop& loop_;
    std::atomic<bool> wanted_{false};  // relaxed: a hint

    // The channels that exist, in the order of their making. Their mutex is taken before mutex_.
    Mutex channels_mutex_;
    std::vector<FaultyChannel*> channels_ GUARDED_BY(channels_mutex_);

    mutable Mutex mutex_;  // nothing is called under it
    std::vector<RunningRule> rules_ GUARDED_BY(mutex_);
    SteadyTime began_ GUARDED_BY(mutex_);
    std::atomic<std::uint64_t> plan_{0};               // its number. Written under mutex_; relaxed: elsewhere a hint
    std::vector<TimerId> moments_ GUARDED_BY(mutex_);  // of the rules of the clock
};

}  // namespace opennd::faults
