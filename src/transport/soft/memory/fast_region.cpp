// SPDX-License-Identifier: MIT
// SoftFastRegion and FastRegions: see fast_region.h.
#include "transport/soft/memory/fast_region.h"

#include <thread>

namespace opennd::soft {

SoftFastRegion::SoftFastRegion(Ref<RefCounted> owner, TokenTable& table, FastRegions& regions,
                               TokenTable::Tokens tokens)
    : owner_(std::move(owner)), table_(table), regions_(regions), tokens_(tokens) {}

SoftFastRegion::~SoftFastRegion() = default;

Ref<TransportRequestSubject> SoftFastRegion::prepare(const PageList& pages, Access access, Reach reach) {
    // Memory for Reads needs no right of its own here (NDK-ADP-INFO-03).
    const Access granted = any_of(access, Access::local_write) ? access | Access::read_sink : access;
    return make_ref<SoftFastRegistration>(Ref<SoftFastRegion>(this),
                                          std::make_unique<const PagedMemory>(pages, granted, true), reach);
}

bool SoftFastRegion::enable(std::unique_ptr<const PagedMemory> memory, Reach reach) {
    if (!advance(State::free, State::changing)) return false;
    peers_may_end_.store(reach == Reach::peers, std::memory_order_relaxed);
    table_.set_pages(tokens_, std::move(memory));
    if (reach == Reach::peers)
        table_.enable(tokens_);
    else
        table_.enable_local(tokens_);
    state_.store(State::valid, std::memory_order_release);
    return true;
}

bool SoftFastRegion::begin_end(By by) {
    if (!advance(State::valid, State::changing)) return false;
    if (by == By::peer && !peers_may_end_.load(std::memory_order_relaxed)) {
        state_.store(State::valid, std::memory_order_release);
        return false;
    }
    table_.remove(tokens_.local);
    return true;
}

void SoftFastRegion::finish_end() {
    table_.drop_pages(tokens_.local);
    state_.store(State::free, std::memory_order_release);
}

void SoftFastRegion::close() {
    for (;;) {
        if (begin_end(By::program)) finish_end();
        if (advance(State::free, State::closed)) break;
        std::this_thread::yield();  // another thread is changing the state
    }
    regions_.remove(*this);
    table_.release(tokens_.local);
}

void FastRegions::add(Ref<SoftFastRegion> region) {
    const Held lock(mutex_);
    by_local_.emplace(value(region->local_token()), region);
    try {
        by_remote_.emplace(value(region->remote_token()), region);
    } catch (...) {
        by_local_.erase(value(region->local_token()));
        throw;
    }
}

void FastRegions::remove(const SoftFastRegion& region) {
    Ref<SoftFastRegion> last;  // released without the lock
    const Held lock(mutex_);
    last = find(by_local_, region.local_token());
    by_local_.erase(value(region.local_token()));
    by_remote_.erase(value(region.remote_token()));
}

Ref<SoftFastRegion> FastRegions::find(const Map& map, Token token) {
    const auto found = map.find(value(token));
    return found == map.end() ? nullptr : found->second;
}

Ref<SoftFastRegion> FastRegions::of_local(Token token) const {
    const Held lock(mutex_);
    return find(by_local_, token);
}

Ref<SoftFastRegion> FastRegions::of_remote(Token token) const {
    const Held lock(mutex_);
    return find(by_remote_, token);
}

}  // namespace opennd::soft
