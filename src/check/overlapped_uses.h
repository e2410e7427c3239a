// SPDX-License-Identifier: MIT
// The OVERLAPPED structures of the program that calls are pending with, and the objects that the calls were made on.
#pragma once

#include <cstddef>
#include <deque>
#include <unordered_map>

#include "base/lock.h"
#include "check/diagnostics.h"

namespace opennd {

// Any thread. Throws std::bad_alloc.
class OverlappedUses {
public:
    explicit OverlappedUses(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    void began(const void* overlapped, const void* object) EXCLUDES(mutex_);
    void ends(const void* overlapped) EXCLUDES(mutex_);
    void asked(const void* overlapped, const void* object) EXCLUDES(mutex_);

private:
    // Programs make structures without end, and ask for the result of a few: the oldest idle ones are forgotten.
    static constexpr std::size_t kMostFinished = 4096;

    struct Use {
        const void* object = nullptr;  // of the newest call
        std::size_t pending = 0;
        CallStack at;
    };

    Diagnostics& diagnostics_;

    Mutex mutex_;  // nothing is called under it
    std::unordered_map<const void*, Use> uses_ GUARDED_BY(mutex_);
    std::deque<const void*> idle_ GUARDED_BY(mutex_);  // the oldest first; some are in use again
};

}  // namespace opennd
