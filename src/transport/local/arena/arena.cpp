// SPDX-License-Identifier: MIT
// Arena: see arena.h.
#include "transport/local/arena/arena.h"

#include <utility>

#include "base/explanation.h"

namespace opennd::local {

Result<Ref<Arena>> Arena::create() {
    auto memory = SharedMemory::create("opennd-link", sizeof(ArenaLayout));
    if (!memory.ok()) return memory.status();
    const Ref<Arena> arena = make_ref<Arena>(memory.take());
    arena->layout().magic = ArenaLayout::kMagic;
    return arena;
}

Result<Ref<Arena>> Arena::map(ForeignDescriptor descriptor) {
    auto memory = SharedMemory::map(std::move(descriptor), sizeof(ArenaLayout), SharedMemory::Access::read_write);
    if (!memory.ok()) return memory.status();
    const Ref<Arena> arena = make_ref<Arena>(memory.take());
    arena->close_descriptor();
    if (arena->layout().magic == ArenaLayout::kMagic) return arena;
    return report(Status::access_violation, {.object = "link",
                                             .operation = "handshake",
                                             .asked = "shared memory that is not laid out as an arena",
                                             .limit = "an arena of this version of OpenND",
                                             .remedy = "use the same version of OpenND in both programs",
                                             .requirement = "ND2-CON-CONN-05",
                                             .cause = LogCause::peer});
}

void Arena::reset(std::uint32_t connection) const {
    for (Lane& lane : segment(connection).lanes) {
        lane.counters.consumed.store(0, std::memory_order_relaxed);
        lane.counters.refused.store(0, std::memory_order_relaxed);
        lane.counters.refusal.store(0, std::memory_order_relaxed);
        lane.wishes.attention.store(0, std::memory_order_relaxed);
        lane.wishes.closed.store(0, std::memory_order_relaxed);
        lane.wishes.receives_closed.store(0, std::memory_order_relaxed);
        lane.access.token.store(0, std::memory_order_relaxed);
        lane.access.fetching.store(0, std::memory_order_relaxed);
        lane.access.taking.store(0, std::memory_order_relaxed);
        lane.access.placing.store(0, std::memory_order_relaxed);
    }
    for (const std::uint32_t side : {0u, 1u})
        for (std::uint32_t slot = 0; slot < kHomeSlots; ++slot)
            frames(side).at(Frames::home(connection) + slot).mark.store(0, std::memory_order_relaxed);
}

void Arena::give_back(const std::byte* begin, std::size_t bytes) const {
    (void)memory_.give_back(static_cast<std::size_t>(begin - memory_.data()), bytes);
}

}  // namespace opennd::local
