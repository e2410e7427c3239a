// SPDX-License-Identifier: MIT
// The traffic of the channels of one interface and face: each channel counts for itself, and a reader adds up the counts, wire by wire. The
// counts of an ended channel stay (NDK-STAT-03).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "model/traffic.h"

namespace opennd::soft {

// Counts of one writer at a time, for any number of readers. Relaxed: the counts stand alone.
class TrafficCount {
public:
    void in(std::uint64_t octets, std::uint64_t frames = 1) {
        add(octets_in_, octets);
        add(frames_in_, frames);
    }
    void out(std::uint64_t octets, std::uint64_t frames = 1) {
        add(octets_out_, octets);
        add(frames_out_, frames);
    }
    // Sets the sums, for a writer that keeps them itself.
    void set_in(std::uint64_t octets, std::uint64_t frames) {
        octets_in_.store(octets, std::memory_order_relaxed);
        frames_in_.store(frames, std::memory_order_relaxed);
    }
    void set_out(std::uint64_t octets, std::uint64_t frames) {
        octets_out_.store(octets, std::memory_order_relaxed);
        frames_out_.store(frames, std::memory_order_relaxed);
    }
    Traffic read() const {
        return {octets_in_.load(std::memory_order_relaxed), octets_out_.load(std::memory_order_relaxed),
                frames_in_.load(std::memory_order_relaxed), frames_out_.load(std::memory_order_relaxed)};
    }

private:
    using Counter = std::atomic<std::uint64_t>;
    static void add(Counter& counter, std::uint64_t more) {
        counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    }
    Counter octets_in_{0}, octets_out_{0}, frames_in_{0}, frames_out_{0};
};

class TrafficMeter;

class TrafficLedger final : public RefCounted {
public:
    // Returns the traffic of each wire that had a channel, by its name.
    std::map<std::string_view, Traffic> read() const EXCLUDES(mutex_);

private:
    friend class TrafficMeter;  // adds itself, and removes itself with its counts
    void add(TrafficMeter& meter) EXCLUDES(mutex_);
    void remove(TrafficMeter& meter) EXCLUDES(mutex_);

    mutable Mutex mutex_;  // nothing is called under it
    std::vector<TrafficMeter*> meters_ GUARDED_BY(mutex_);
    // The traffic of ended channels, by wire. An entry is made with the first channel: the end of one asks for no
    // memory.
    std::map<std::string_view, Traffic> ended_ GUARDED_BY(mutex_);
};

// The counts of one channel. Two threads write to one of its cache lines only while a long copy is carried out without the queue pair's
// lock, and then once a copy.
class TrafficMeter {
public:
    // `wire`: its name, static text. Throws std::bad_alloc.
    TrafficMeter(Ref<TrafficLedger> ledger, std::string_view wire);
    ~TrafficMeter();
    TrafficMeter(const TrafficMeter&) = delete;
    TrafficMeter& operator=(const TrafficMeter&) = delete;

    TrafficCount started;  // by the thread in start()
    TrafficCount taken;    // by the thread in receive()

    Traffic read() const;
    std::string_view wire() const { return wire_; }

private:
    const Ref<TrafficLedger> ledger_;
    const std::string_view wire_;
};

}  // namespace opennd::soft
