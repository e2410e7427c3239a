// SPDX-License-Identifier: MIT
// The slots of a shared receive queue, all of them in use.
#include "transport/verbs/queue/request_ring.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace opennd::verbs {
namespace {

struct NoOwner final : SlotOwner {
    void retire(const RequestSlot&, AfterLock&) override {}
};

TEST(RequestRing, HasRoomForTheEntriesOfEachSlot) {
    constexpr std::uint32_t kSlots = 2048, kEntries = 256;
    NoOwner owner;
    const auto ring = make_ref<RequestRing>(owner, kSlots, kEntries);
    std::vector<Sge> entries(kEntries);
    const auto fill = [&](std::uint32_t number) {
        for (std::uint32_t i = 0; i < kEntries; ++i) entries[i] = {nullptr, number * kEntries + i + 1, Token{number}};
        ring->fill(number, {Operation::receive, RequestFlags::none, &owner, entries});
    };
    for (const std::uint32_t number : {0u, kSlots - 2, kSlots - 1}) fill(number);
    for (const std::uint32_t number : {0u, kSlots - 2, kSlots - 1}) {
        const RequestSlot& slot = (*ring)[number];
        EXPECT_EQ(slot.ring, ring.get());
        EXPECT_EQ(slot.number, number);
        EXPECT_EQ(slot.context, &owner);
        const std::span<const Sge> kept = ring->entries_of(slot);
        ASSERT_EQ(kept.size(), kEntries);
        for (std::uint32_t i = 0; i < kEntries; ++i) ASSERT_EQ(kept[i].length, number * kEntries + i + 1);
    }
}

}  // namespace
}  // namespace opennd::verbs
