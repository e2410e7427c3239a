// SPDX-License-Identifier: MIT
// One thread's run of the data path: the array that it offers for results, and the work that is left for after all locks.
#pragma once

#include <cstddef>
#include <span>

#include "model/completion.h"
#include "transport/completion/after_lock.h"

namespace opennd::soft {

class ResultRing;

class Progress {
public:
    Progress() = default;
    // A caller polls `results` into `completions`.
    Progress(const ResultRing& results, std::span<Completion> completions) : polled(&results), room(completions) {}

    // The ring of the polled queue; null if the thread does not poll.
    const ResultRing* const polled = nullptr;
    const std::span<Completion> room;
    std::size_t used = 0;
    AfterLock after;

    bool full() const { return polled != nullptr && used == room.size(); }
};

}  // namespace opennd::soft
