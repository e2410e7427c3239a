// SPDX-License-Identifier: MIT
// Link, the crowds of both sides: names, nudges and sources. See link.h.
#include <array>
#include <utility>

#include "platform/process/clock.h"
#include "transport/local/link/link.h"

namespace opennd::local {

// The packet for a crowd that sleeps needs no mark: its attention says that it was rung.
void Link::name(std::uint32_t number, std::uint32_t crowds) {
    for (std::uint32_t crowd = 0; crowd < kCrowds; ++crowd) {
        if ((crowds >> crowd & 1) == 0 || !namer_.name(number, crowd)) continue;
        const Status status = socket_.ring();
        if (!ok(status) && status != Status::would_block) namer_.could_not_ring(crowd);
    }
}

bool Link::polls_any(std::uint32_t crowds) const {
    for (std::uint32_t crowd = 0; crowd < kCrowds; ++crowd)
        if ((crowds >> crowd & 1) != 0 && namer_.is_polled(crowd)) return true;
    return false;
}

// Nudges the peer. One that is asleep was rung for all that it was not told.
void Link::nudge() {
    if (!namer_.is_polled()) return;
    arena_->names(peer()).nudged.store(1);  // sequentially consistent, as NewsMarks
    (void)socket_.ring_again();
}

void Link::later(std::chrono::milliseconds delay, std::function<void()> work) {
    loop_.schedule(now() + delay, std::move(work));
}

void Link::count_polled(std::uint32_t number, bool polled) {
    if (polled) had_pollers_.set(number);
    names().polled.fetch_add(polled ? 1 : UINT32_MAX, std::memory_order_release);
}

Ref<LinkSource> Link::add_source(soft::Crowd& crowd) {
    const Held lock(sources_mutex_);
    for (std::uint32_t number = 0; number < kCrowds; ++number) {
        Source& free = sources_[number];
        if (free.source) continue;
        free.source = make_ref<LinkSource>(*this, number, free.taken, crowd);
        return free.source;
    }
    return nullptr;
}

void Link::remove_source(std::uint32_t number) {
    const Held lock(sources_mutex_);
    Source& ended = sources_[number];  // its crowd has another reference
    ended.taken = ended.source->taken();
    ended.source = nullptr;
}

// A crowd that was rung is served. After a nudge the service thread takes over from all pollers of this side.
void Link::deliver_names() {
    const bool nudged = names().nudged.load(std::memory_order_relaxed) != 0 && names().nudged.exchange(0) != 0;
    std::array<Ref<LinkSource>, kCrowds> sources;
    {
        const Held lock(sources_mutex_);
        for (std::uint32_t number = 0; number < kCrowds; ++number) sources[number] = sources_[number].source;
    }
    for (const Ref<LinkSource>& each : sources)
        if (each) each->hear(nudged);
    if (nudged) had_pollers_.take([&](std::uint32_t number) { wake_user(number); });
}

}  // namespace opennd::local
