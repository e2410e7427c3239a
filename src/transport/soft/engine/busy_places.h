// SPDX-License-Identifier: MIT
// The few queue pairs of a crowd that had traffic over and over: a poll visits them before it asks which are ready. One that is named
// again while it is known is worth visits, each time more; one whose visits are in vain is left to be named.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "transport/soft/channel/ready_list.h"

namespace opennd::soft {

// Not thread-safe: the completion queue's list lock guards it.
class BusyPlaces {
public:
    // `place` was named, and had something.
    void note(Place place) {
        Entry* const known = find(place);
        Entry& entry = known ? *known : *std::min_element(entries_.begin(), entries_.end(), is_older);
        entry = {place, known ? std::clamp(2 * known->patience, kLeastPatience, kMostPatience) : 0, 0, ++notes_};
    }
    void forget(Place place) {
        if (Entry* const known = find(place)) *known = {};
    }

    // `visit`, given a place, is true if it had something.
    template <typename Visit>
    void visit_all(Visit visit) {
        for (Entry& entry : entries_) {
            if (entry.in_vain >= entry.patience) continue;
            entry.in_vain = visit(entry.place) ? 0 : entry.in_vain + 1;
        }
    }

private:
    static constexpr std::size_t kMost = 4;
    static constexpr std::uint32_t kLeastPatience = 16, kMostPatience = 4096;

    struct Entry {
        Place place{};
        std::uint32_t patience = 0;  // visits in a row that may be in vain
        std::uint32_t in_vain = 0;   // of them
        std::uint64_t noted = 0;     // when, counted in notes; 0: no entry
    };
    static bool is_older(const Entry& a, const Entry& b) { return a.noted < b.noted; }
    Entry* find(Place place) {
        const auto same = [place](const Entry& entry) { return entry.noted != 0 && entry.place == place; };
        const auto found = std::find_if(entries_.begin(), entries_.end(), same);
        return found == entries_.end() ? nullptr : &*found;
    }

    std::array<Entry, kMost> entries_{};
    std::uint64_t notes_ = 0;
};

}  // namespace opennd::soft
