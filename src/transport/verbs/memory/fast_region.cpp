// SPDX-License-Identifier: MIT
// See fast_region.h.
#include "transport/verbs/memory/fast_region.h"

#include <utility>

#include "base/explanation.h"
#include "transport/verbs/device/rdma_core.h"

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

// Makes the subject of a FastRegister. Core has refused Reach::peers.
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

// Notes the outcome of a change. A region with no changes on their way names the same at both times.
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

FastMemory::FastMemory(const PageList& pages, Access access)
    : base_(pages.base),
      bytes_(pages.length),
      writable_(any_of(access, Access::local_write | Access::remote_write | Access::read_sink)) {
    std::uint64_t first = 0;
    std::uint64_t next = 0;  // the address behind the page before
    for (const std::uint64_t page : pages.pages) {
        if (first >= bytes_) break;  // pages that are left over
        if (runs_.empty())
            runs_.push_back({0, page + pages.first_byte});
        else if (page != next)
            runs_.push_back({first, page});
        first += kPageBytes - (first == 0 ? pages.first_byte : 0);
        next = page + kPageBytes;
    }
}

bool FastMemory::grants(const Sge& entry, bool writes) const {
    const auto address = reinterpret_cast<std::uint64_t>(entry.buffer);
    return address >= base_ && entry.length <= bytes_ && address - base_ <= bytes_ - entry.length &&
           (writable_ || !writes);
}

// Returns the last run that begins there or before.
std::size_t FastMemory::run_of(std::uint64_t first) const {
    const auto behind = std::upper_bound(runs_.begin(), runs_.end(), first,
                                         [](std::uint64_t at, const Run& run) { return at < run.first; });
    return static_cast<std::size_t>(behind - runs_.begin()) - 1;
}

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
