// SPDX-License-Identifier: MIT
// See fast_region.h.
#include "transport/verbs/fast_region.h"

#include <utility>

#include "transport/verbs/fast_region_map.h"
#include "transport/verbs/remote_key.h"

namespace opennd::verbs {

VerbsFastRegion::VerbsFastRegion(Ref<RefCounted> open, FastRegionMap& regions, Token token, Ref<TransportMemory> all)
    : open_(std::move(open)), regions_(regions), token_(token), all_(std::move(all)) {}

VerbsFastRegion::~VerbsFastRegion() = default;

Token VerbsFastRegion::remote_token() const { return kNamesNothing; }

bool VerbsFastRegion::valid() const {
    const Held lock(mutex_);
    return executed_.get() != nullptr;
}

Ref<const FastMemory> VerbsFastRegion::named() const {
    const Held lock(mutex_);
    return named_;
}

// Core has refused Reach::peers.
Ref<TransportRequestSubject> VerbsFastRegion::prepare(const PageList& pages, Access access, Reach) {
    return make_ref<VerbsFastRegistration>(Ref<VerbsFastRegion>(this), make_ref<FastMemory>(pages, access));
}

bool VerbsFastRegion::begin(const FastChange& change, Ref<const FastMemory>& before) {
    Ref<const FastMemory> next = change.memory();
    const Held lock(mutex_);
    const bool registers = next.get() != nullptr;
    if (closed_ || registers == (named_.get() != nullptr)) return false;
    before = std::exchange(named_, std::move(next));
    ++outstanding_;
    return true;
}

void VerbsFastRegion::take_back(Ref<const FastMemory> before) {
    const Held lock(mutex_);
    if (!closed_) std::swap(named_, before);
    --outstanding_;
}

// Without changes on their way both times are the same.
void VerbsFastRegion::completed(const FastChange& change, bool succeeded) {
    Ref<const FastMemory> memory = change.memory();
    Ref<const FastMemory> dropped;  // without the lock
    const Held lock(mutex_);
    --outstanding_;
    if (closed_) return;
    if (succeeded) std::swap(executed_, memory);
    if (outstanding_ != 0) return;
    dropped = std::exchange(named_, executed_);
}

void VerbsFastRegion::close() {
    Ref<const FastMemory> named, executed;
    {
        const Held lock(mutex_);
        closed_ = true;
        std::swap(named, named_);
        std::swap(executed, executed_);
    }
    regions_.remove(*this);
    all_->deregister();
}

}  // namespace opennd::verbs
