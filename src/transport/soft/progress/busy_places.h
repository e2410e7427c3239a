// SPDX-License-Identifier: MIT
// The few queue pairs of a crowd that had traffic over and over: a poll visits them before it asks which are ready. One that is named
// again while it is known is worth visits, each time more; one whose visits are in vain is left to be named. One that is worth many visits
// is followed, if its wire allows that: it is visited at every poll, and is not named.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "transport/soft/channel/ready_list.h"

namespace opennd::soft {

// Not thread-safe: the completion queue's list lock guards it.
class BusyPlaces {
public:
    bool knows(Place place) const {
        return std::any_of(entries_.begin(), entries_.end(),
                           [place](const Entry& each) { return each.noted != 0 && each.place == place; });
    }
    // Notes that `place` was named, and had something. Returns true if it is worth being followed.
    bool note(Place place) {
        Entry* const known = find(place);
        Entry& entry = known ? *known : *std::min_element(entries_.begin(), entries_.end(), is_older);
        if (entry.followed) return false;
        entry = {place, known ? std::clamp(2 * known->patience, kLeastPatience, kMostPatience) : 0, 0, ++notes_};
        return entry.patience >= kFollowedPatience;
    }
    // Follows a place, after note() was true for it.
    void follow(Place place) {
        Entry* const known = find(place);
        known->followed = true;
        known->patience = kMostPatience;
    }
    void forget(Place place) {
        if (Entry* const known = find(place)) *known = {};
    }

    // Visits all. `visit`, given a place and whether it is followed, is true if it had something. `lose` is told of a
    // place that was followed and is to be named again: its visits were in vain.
    template <typename Visit, typename Lose>
    void visit_all(Visit visit, Lose lose) {
        for (Entry& entry : entries_) {
            if (entry.in_vain >= entry.patience) continue;
            entry.in_vain = visit(entry.place, entry.followed) ? 0 : entry.in_vain + 1;
            if (entry.in_vain >= entry.patience && entry.followed) lose(std::exchange(entry, {}).place);
        }
    }
    template <typename Visit>
    void visit_followed(Visit visit) {
        for (const Entry& entry : entries_)
            if (entry.followed) visit(entry.place);
    }
    // Visits the followed places, and follows none from here on.
    template <typename Visit>
    void let_go(Visit visit) {
        for (Entry& entry : entries_)
            if (std::exchange(entry.followed, false)) visit(entry.place);
    }

private:
    static constexpr std::size_t kMost = 4;
    static constexpr std::uint32_t kLeastPatience = 16, kFollowedPatience = 64, kMostPatience = 4096;

    struct Entry {
        Place place{};
        std::uint32_t patience = 0;  // visits in a row that may be in vain
        std::uint32_t in_vain = 0;   // visits in a row that were in vain
        std::uint64_t noted = 0;     // when, counted in notes; 0: no entry
        bool followed = false;
    };
    static bool is_older(const Entry& a, const Entry& b) {
        return a.followed != b.followed ? b.followed : a.noted < b.noted;
    }
    Entry* find(Place place) {
        const auto same = [place](const Entry& entry) { return entry.noted != 0 && entry.place == place; };
        const auto found = std::find_if(entries_.begin(), entries_.end(), same);
        return found == entries_.end() ? nullptr : &*found;
    }

    std::array<Entry, kMost> entries_{};
    std::uint64_t notes_ = 0;
};

}  // namespace opennd::soft
