// SPDX-License-Identifier: MIT
// The histograms of this process: by interface, face, wire and operation.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "model/face.h"
#include "model/work_request.h"
#include "transport/watch/latency/latency_histogram.h"

namespace opennd::watch {

// The histograms of one wire, by Operation.
class WireLatencies {
public:
    LatencyHistogram& of(Operation operation) { return histograms_[static_cast<std::size_t>(operation)]; }
    const LatencyHistogram& of(Operation operation) const { return histograms_[static_cast<std::size_t>(operation)]; }

private:
    std::array<LatencyHistogram, kOperations> histograms_;
};

// Thread-safe. The histograms live as long as it does.
class Latencies {
public:
    // `wire`: static text. Throws std::bad_alloc.
    WireLatencies& of(std::uint32_t interface_index, Face face, std::string_view wire) EXCLUDES(mutex_);

    struct Told {
        Face face;
        std::string_view wire;
        Operation operation;
        LatencyHistogram::Counts counts;
    };
    // The histograms of an interface that have counted. Throws std::bad_alloc.
    std::vector<Told> read(std::uint32_t interface_index) const EXCLUDES(mutex_);

private:
    struct Place {
        std::uint32_t interface_index;
        Face face;
        std::string_view wire;
        auto operator<=>(const Place&) const = default;
    };

    mutable Mutex mutex_;                                                       // nothing is called under it
    std::map<Place, std::unique_ptr<WireLatencies>> wires_ GUARDED_BY(mutex_);  // the histograms are of all threads
};

}  // namespace opennd::watch
