// SPDX-License-Identifier: MIT
// RevisionCache: see revision_cache.h.
#include "transport/iwarp/handshake/revision_cache.h"

#include <algorithm>

namespace opennd::iwarp {

void RevisionCache::add(const Address& remote, SteadyTime at) {
    const Held lock(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) { return entry.remote == remote; });
    if (entries_.size() == kMost) entries_.erase(entries_.begin());
    entries_.push_back({remote, at});
}

void RevisionCache::remove(const Address& remote) {
    const Held lock(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) { return entry.remote == remote; });
}

bool RevisionCache::contains(const Address& remote, SteadyTime at) {
    const Held lock(mutex_);
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return entry.remote == remote && at - entry.since < kLifetime; });
}

}  // namespace opennd::iwarp
