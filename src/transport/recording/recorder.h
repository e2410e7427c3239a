// SPDX-License-Identifier: MIT
// What the recording layer of a process keeps: the histograms, and the records that `nd dump` tells.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "transport/recording/latencies.h"
#include "transport/recording/options.h"
#include "transport/recording/request_record.h"

namespace opennd::recording {

// Thread-safe. Lives as long as the library.
class Recorder {
public:
    // The number of closed queues with events: a program that fails closes its queues at once.
    static constexpr std::size_t kMostEnded = 16;

    explicit Recorder(const Options& options) : options_(options) {}
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    // `kind`: static text. Throws std::bad_alloc.
    Ref<RequestRecord> make(std::string_view kind, void* context) EXCLUDES(mutex_);
    void end(RequestRecord& record) noexcept EXCLUDES(mutex_);
    // Ends of records so far. A record that had ended by then has a smaller or the same number.
    std::uint64_t ends() const { return ends_.load(std::memory_order_acquire); }

    // Where requests at the interface over this wire count; null: they do not. Throws std::bad_alloc.
    WireLatencies* latencies_of(std::uint32_t interface_index, Face face, std::string_view wire) {
        return options_.latencies ? &latencies_.of(interface_index, face, wire) : nullptr;
    }
    bool counts_latencies() const { return options_.latencies; }
    const Latencies& latencies() const { return latencies_; }

    struct QueueEvents {
        std::string_view kind;  // "queue pair"
        std::uint32_t number = 0;
        bool ended = false;
        RequestRecord::Events events;
    };
    // Of the living queues and those that ended last, in no order. Throws std::bad_alloc.
    std::vector<QueueEvents> events() const EXCLUDES(mutex_);

private:
    using Records = std::map<const RequestRecord*, Ref<RequestRecord>>;

    const Options options_;
    Latencies latencies_;
    std::atomic<std::uint64_t> ends_{0};

    mutable Mutex mutex_;  // nothing is called under it; no record goes with it
    Records living_ GUARDED_BY(mutex_);
    std::deque<Records::node_type> ended_ GUARDED_BY(mutex_);  // the oldest first
};

}  // namespace opennd::recording
