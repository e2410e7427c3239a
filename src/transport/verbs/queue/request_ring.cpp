// SPDX-License-Identifier: MIT
// See request_ring.h.
#include "transport/verbs/queue/request_ring.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace opennd::verbs {

RequestRing::RequestRing(RequestOwner& queue_pair, void* context, std::uint32_t depth, std::uint32_t entries,
                         std::uint32_t copy_bytes)
    : queue_pair_(&queue_pair),
      context_(context),
      depth_(depth),
      max_entries_(std::max(entries, 1u)),
      copy_bytes_(copy_bytes),
      mask_(std::bit_ceil(std::max(depth, 1u)) - 1),
      slots_(lazily_committed<RequestSlot>(std::size_t{mask_} + 1)),
      entries_(lazily_committed<Sge>((std::size_t{mask_} + 1) * max_entries_)),
      copies_(lazily_committed<std::byte>((std::size_t{mask_} + 1) * copy_bytes)) {}

RequestRing::RequestRing(SlotOwner& shared, std::uint32_t slots, std::uint32_t entries)
    : queue_pair_(nullptr),
      shared_(&shared),
      context_(nullptr),
      depth_(slots),
      max_entries_(std::max(entries, 1u)),
      copy_bytes_(0),
      mask_(std::bit_ceil(std::max(slots, 1u)) - 1),
      slots_(lazily_committed<RequestSlot>(std::size_t{mask_} + 1)),
      entries_(lazily_committed<Sge>((std::size_t{mask_} + 1) * max_entries_)),
      results_(Results::shared) {}

// Requests that never completed let their subjects go.
RequestRing::~RequestRing() {
    for (std::uint32_t number = retired(); number != tail_; ++number)
        if (TransportRequestSubject* const subject = slots_[number & mask_].subject()) subject->drop_ref();
}

void RequestRing::keep_data(RequestSlot& slot, std::span<const Sge> sges, bool all, Token token) {
    std::byte* const copy = copy_of(slot);
    Sge* const kept = &entries_[std::size_t{slot.number & mask_} * max_entries_];
    std::uint32_t used = 0;
    std::uint32_t count = 0;
    for (const Sge& sge : sges) {
        if (sge.length == 0) continue;
        if (!all && sge.token != Token::none) {
            kept[count++] = sge;
            continue;
        }
        std::memcpy(copy + used, sge.buffer, sge.length);
        const bool continues = count != 0 && kept[count - 1].buffer + kept[count - 1].length == copy + used;
        if (continues)
            kept[count - 1].length += sge.length;
        else
            kept[count++] = {copy + used, sge.length, token};
        used += sge.length;
    }
    slot.entry_count = static_cast<std::uint16_t>(count);
    slot.holds_copy = true;
}

}  // namespace opennd::verbs
