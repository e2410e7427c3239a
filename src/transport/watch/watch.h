// SPDX-License-Identifier: MIT
// The things that all objects of the watching layer share: the books of a process, its histograms, and the parts of the checking layer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "transport/watch/latency/latencies.h"
#include "transport/watch/misuse/checked_request.h"
#include "transport/watch/options.h"
#include "transport/watch/request_book.h"

namespace opennd::watch {

// Thread-safe. Lives as long as the library.
class Watch {
public:
    // The number of closed queues with events: a program that fails closes its queues at once.
    static constexpr std::size_t kMostEnded = 16;

    // `diagnostics`: null if requests are not checked; outlives the watch.
    Watch(const Options& options, Diagnostics* diagnostics) : options_(options) {
        if (diagnostics) checked_.emplace(*diagnostics);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // `kind`: static text. Throws std::bad_alloc.
    Ref<RequestBook> make_book(std::string_view kind, void* context, Face face) EXCLUDES(mutex_);
    void end(RequestBook& book) noexcept EXCLUDES(mutex_);
    // Ends of books so far. A book that had ended by then has a smaller or the same number.
    std::uint64_t ends() const { return ends_.load(std::memory_order_acquire); }

    // Ages and pollers are told. False: the watch only checks.
    bool records() const { return options_.wanted(); }
    // The parts of the checking layer; null: requests are not checked.
    CheckedParts* checked() { return checked_ ? &*checked_ : nullptr; }

    // The histograms that requests at the interface over this wire count in; null: they count nowhere. Throws std::bad_alloc.
    WireLatencies* latencies_of(std::uint32_t interface_index, Face face, std::string_view wire) {
        return options_.latencies ? &latencies_.of(interface_index, face, wire) : nullptr;
    }
    bool counts_latencies() const { return options_.latencies; }
    const Latencies& latencies() const { return latencies_; }

    struct QueueEvents {
        std::string_view kind;  // "queue pair"
        std::uint32_t number = 0;
        bool ended = false;
        RequestBook::Events events;
    };
    // The events of the living queues and of those that ended last, in no order. Throws std::bad_alloc.
    std::vector<QueueEvents> events() const EXCLUDES(mutex_);

private:
    using Books = std::map<const RequestBook*, Ref<RequestBook>>;

    const Options options_;
    std::optional<CheckedParts> checked_;  // constant after construction
    Latencies latencies_;
    std::atomic<std::uint64_t> ends_{0};

    mutable Mutex mutex_;  // nothing is called under it; no book goes with it
    Books living_ GUARDED_BY(mutex_);
    std::deque<Books::node_type> ended_ GUARDED_BY(mutex_);  // the oldest first
};

}  // namespace opennd::watch
