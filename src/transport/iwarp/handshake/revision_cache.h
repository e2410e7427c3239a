// SPDX-License-Identifier: MIT
// The destinations that were found to speak revision 1 of MPA only, so that the next connection to one of them need not
// try revision 2 first (IW-CM-19).
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "base/lock.h"
#include "model/address.h"
#include "platform/process/clock.h"

namespace opennd::iwarp {

// Any thread.
class RevisionCache {
public:
    static constexpr std::chrono::minutes kLifetime{10};
    // More destinations than that push out the oldest.
    static constexpr std::size_t kMost = 256;

    // `remote` has answered in revision 1.
    void add(const Address& remote, SteadyTime at) EXCLUDES(mutex_);
    // It has not, though it was asked in revision 1.
    void remove(const Address& remote) EXCLUDES(mutex_);
    bool contains(const Address& remote, SteadyTime at) EXCLUDES(mutex_);

private:
    struct Entry {
        Address remote;
        SteadyTime since;
    };

    Mutex mutex_;                                    // nothing is called under it
    std::vector<Entry> entries_ GUARDED_BY(mutex_);  // the oldest first
};

}  // namespace opennd::iwarp
