// SPDX-License-Identifier: MIT
// LinkCrowds: see link_crowds.h.
#include "transport/local/link/link_crowds.h"

#include <bit>
#include <utility>

#include "platform/process/clock.h"

namespace opennd::local {

LinkCrowds::LinkCrowds(EventLoop& loop, LinkSocket& socket, Names& names, Names& peers, NameWriter::History history)
    : loop_(loop), socket_(socket), names_(names), peers_(peers), name_writer_(peers, std::move(history)) {
    for (Names::Crowd& crowd : names_.crowds)
        crowd.attention.store(static_cast<std::uint32_t>(soft::Attention::asleep), std::memory_order_relaxed);
}

// The packet for a crowd that sleeps needs no mark: its attention says that it was rung.
void LinkCrowds::name(std::uint32_t number, std::uint32_t crowds) {
    for (; crowds != 0; crowds &= crowds - 1) {
        const auto crowd = static_cast<std::uint32_t>(std::countr_zero(crowds));
        if (!name_writer_.name(number, crowd)) continue;
        const Status status = socket_.ring();
        if (!ok(status) && status != Status::would_block) name_writer_.could_not_ring(crowd);
    }
}

bool LinkCrowds::polls_any(std::uint32_t crowds) const {
    for (; crowds != 0; crowds &= crowds - 1)
        if (name_writer_.is_polled(static_cast<std::uint32_t>(std::countr_zero(crowds)))) return true;
    return false;
}

// Nudges the peer. One that is asleep was rung for all that it was not told.
void LinkCrowds::nudge() {
    if (!name_writer_.is_polled()) return;
    peers_.nudged.store(1);  // sequentially consistent, as NewsMarks
    (void)socket_.ring_again();
}

void LinkCrowds::later(std::chrono::milliseconds delay, std::function<void()> work) {
    loop_.schedule(now() + delay, std::move(work));
}

void LinkCrowds::count_polled(std::uint32_t number, bool polled) {
    if (polled) had_pollers_.set(number);
    names_.polled.fetch_add(polled ? 1 : UINT32_MAX, std::memory_order_release);
}

Ref<LinkSource> LinkCrowds::add_source(soft::Crowd& crowd) {
    const Held lock(sources_mutex_);
    for (std::uint32_t number = 0; number < kCrowds; ++number) {
        Source& free = sources_[number];
        if (free.source) continue;
        free.source = make_ref<LinkSource>(*this, number, free.taken, crowd);
        return free.source;
    }
    return nullptr;
}

void LinkCrowds::remove_source(std::uint32_t number) {
    const Held lock(sources_mutex_);
    Source& ended = sources_[number];  // its crowd has another reference
    ended.taken = ended.source->taken();
    ended.source = nullptr;
}

// Returns true if the peer nudged.
bool LinkCrowds::serve_sources() {
    const bool nudged = names_.nudged.load(std::memory_order_relaxed) != 0 && names_.nudged.exchange(0) != 0;
    std::array<Ref<LinkSource>, kCrowds> sources;
    {
        const Held lock(sources_mutex_);
        for (std::uint32_t number = 0; number < kCrowds; ++number) sources[number] = sources_[number].source;
    }
    for (const Ref<LinkSource>& each : sources)
        if (each) each->hear(nudged);
    return nudged;
}

}  // namespace opennd::local
