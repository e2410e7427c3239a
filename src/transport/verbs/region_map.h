// SPDX-License-Identifier: MIT
// The memory that the local keys of one open name, to tell what was wrong with a request: soft devices report a wrong key, a right
// that is missing and a receive that is too small by one number. Nothing of the data path asks it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "base/lock.h"
#include "base/status.h"
#include "model/sge.h"
#include "model/work_request.h"

namespace opennd::verbs {

// Thread-safe.
class RegionMap {
public:
    struct Region {
        std::uint64_t address;
        std::uint64_t bytes;
        bool writable;  // by this side's receives and Reads
    };
    void add(Token local, const Region& region) EXCLUDES(mutex_);
    void remove(Token local) EXCLUDES(mutex_);

    // Why the hardware did not carry a request out. access_violation: an entry lies outside of its region, or has no such right;
    // receive_too_small: a receive with good entries; internal_error: nothing is wrong with the entries.
    Status blame(Operation operation, std::span<const Sge> entries) const EXCLUDES(mutex_);

private:
    mutable Mutex mutex_;  // taken under the lock of a completion queue; nothing is called under it
    std::unordered_map<std::uint32_t, Region> regions_ GUARDED_BY(mutex_);  // by local key
};

}  // namespace opennd::verbs
