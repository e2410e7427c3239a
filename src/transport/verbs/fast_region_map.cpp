// SPDX-License-Identifier: MIT
// See fast_region_map.h.
#include "transport/verbs/fast_region_map.h"

#include <utility>

#include "base/explanation.h"

namespace opennd::verbs {

Result<Ref<VerbsFastRegion>> FastRegionMap::create(Ref<RefCounted> open, Ref<TransportMemory> all) {
    {
        const Held lock(mutex_);
        if (take_token()) {
            auto made = make_ref<VerbsFastRegion>(std::move(open), *this, Token{newest_}, std::move(all));
            regions_[newest_] = made;
            return made;
        }
    }
    all->deregister();
    return explain(Status::insufficient_resources, {.object = "fast memory region",
                                                    .operation = "InitializeFastRegister",
                                                    .asked = "one more region",
                                                    .limit = "the tokens of one open are all in use",
                                                    .remedy = "close regions, or use them again",
                                                    .requirement = "NDK-MR-FRMR-01"});
}

bool FastRegionMap::take_token() {
    for (std::uint32_t tried = kFirst; tried <= kLast; ++tried) {
        newest_ = newest_ == kLast ? kFirst : newest_ + 1;
        if ((newest_ & 0xFF) != 0 && regions_.find(newest_) == regions_.end()) return true;
    }
    return false;
}

void FastRegionMap::remove(const VerbsFastRegion& region) {
    Ref<VerbsFastRegion> last;  // released without the lock
    const Held lock(mutex_);
    const auto found = regions_.find(value(region.local_token()));
    if (found == regions_.end()) return;
    last = std::move(found->second);
    regions_.erase(found);
}

Ref<VerbsFastRegion> FastRegionMap::find_made_up(Token token) const {
    const Held lock(mutex_);
    const auto found = regions_.find(value(token));
    return found == regions_.end() ? nullptr : found->second;
}

}  // namespace opennd::verbs
