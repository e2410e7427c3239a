// SPDX-License-Identifier: MIT
// The fast regions of one open by their local tokens, which OpenND makes up.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/lock.h"
#include "base/result.h"
#include "transport/verbs/fast_region.h"

namespace opennd::verbs {

// Thread-safe.
class FastRegionMap {
public:
    // The index of a key, its upper 24 bits, counts from the first on most devices; siw begins anywhere, with 0 in the lower 8 bits. So
    // no device has a key from here on whose lower bits are not 0. The last two numbers have other uses (named_pages.h).
    static constexpr std::uint32_t kFirst = 0xFFFF0001;
    static constexpr std::uint32_t kLast = 0xFFFFFFFD;

    // A region with a token that no other has now. `open` has this map. `all`: see VerbsFastRegion. insufficient_resources, explained: all tokens are in
    // use; `all` is deregistered then.
    Result<Ref<VerbsFastRegion>> create(Ref<RefCounted> open, Ref<TransportMemory> all) EXCLUDES(mutex_);
    // It closes.
    void remove(const VerbsFastRegion& region) EXCLUDES(mutex_);

    // Null: no region has this token.
    Ref<VerbsFastRegion> find(Token token) const { return value(token) < kFirst ? nullptr : find_made_up(token); }

private:
    Ref<VerbsFastRegion> find_made_up(Token token) const EXCLUDES(mutex_);
    bool take_token() REQUIRES(mutex_);

    mutable Mutex mutex_;  // nothing is called under it
    std::unordered_map<std::uint32_t, Ref<VerbsFastRegion>> regions_ GUARDED_BY(mutex_);
    std::uint32_t newest_ GUARDED_BY(mutex_) = kLast;  // tokens are used again as late as possible
};

}  // namespace opennd::verbs
