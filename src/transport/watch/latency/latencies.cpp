// SPDX-License-Identifier: MIT
// See latencies.h.
#include "transport/watch/latency/latencies.h"

#include <utility>

namespace opennd::watch {

WireLatencies& Latencies::of(std::uint32_t interface_index, Face face, std::string_view wire) {
    const Held lock(mutex_);
    std::unique_ptr<WireLatencies>& place = wires_[{interface_index, face, wire}];
    if (!place) place = std::make_unique<WireLatencies>();
    return *place;
}

std::vector<Latencies::Told> Latencies::read(std::uint32_t interface_index) const {
    std::vector<Told> all;
    const Held lock(mutex_);
    for (const auto& [place, wire] : wires_) {
        if (!wire || place.interface_index != interface_index) continue;
        for (std::size_t number = 0; number < kOperations; ++number) {
            const auto operation = static_cast<Operation>(number);
            LatencyHistogram::Counts counts = wire->of(operation).read();
            if (counts.count != 0) all.push_back({place.face, place.wire, operation, std::move(counts)});
        }
    }
    return all;
}

}  // namespace opennd::watch
