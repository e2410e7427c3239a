// SPDX-License-Identifier: MIT
// SendQueue: see send_queue.h.
#include "transport/soft/queues/send_queue.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "transport/soft/memory/ordered_copy.h"

namespace opennd::soft {

std::uint32_t SendQueue::ring_size(std::uint32_t depth) { return std::bit_ceil(std::max(depth, 1u)); }

void SendQueue::store(std::uint32_t number, const WorkRequest& request) {
    SendSlot& slot = (*this)[number];
    Sge* const entries = &sges_[std::size_t{number & mask_} * (max_sges_ + 1)];
    if (has(request.flags, RequestFlags::inline_data)) {
        std::byte* const data = &inline_data_[std::size_t{number & mask_} * inline_bytes_];
        SgeCursor from(request.sges);
        gather(from, data, slot.length_bytes);
        entries[0] = {data, slot.length_bytes, Token::none};
        slot.sge_count = 1;
        return;
    }
    std::copy(request.sges.begin(), request.sges.end(), entries);
    if (has(request.flags, RequestFlags::inline_entries)) [[unlikely]]
        keep_inline_entries(number, {entries, request.sges.size()});
    slot.sge_count = static_cast<std::uint32_t>(request.sges.size());
}

// Their sum is within the inline limit (the poster has checked).
[[gnu::cold]] void SendQueue::keep_inline_entries(std::uint32_t number, std::span<Sge> entries) {
    std::byte* data = &inline_data_[std::size_t{number & mask_} * inline_bytes_];
    for (Sge& entry : entries) {
        if (entry.token != Token::none || entry.length == 0) continue;
        std::memcpy(data, entry.buffer, entry.length);
        entry.buffer = data;
        data += entry.length;
    }
}

std::span<const Sge> SendQueue::stored(std::uint32_t number) {
    return {&sges_[std::size_t{number & mask_} * (max_sges_ + 1)], (*this)[number].sge_count};
}

}  // namespace opennd::soft
