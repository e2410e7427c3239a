// SPDX-License-Identifier: MIT
// SendQueue: see send_queue.h.
#include "transport/soft/queues/send_queue.h"

#include <algorithm>
#include <utility>

#include "transport/soft/memory/ordered_copy.h"

namespace opennd::soft {

[[gnu::cold]] bool SendQueue::make_more_room() {
    free_silent();
    if (in_use() >= depth_) return false;
    const bool room = tail_ - head_ < mask_ + 1;
    if (room && mask_ + 1 >= kPlacesToStayWith) return true;
    return grew("initiator queue", depth_, [this] { use(more_places(mask_ + 1, depth_)); }) || room;
}

// Uses new arrays with `places` slots. If it throws std::bad_alloc, nothing has changed.
void SendQueue::use(std::uint32_t places) {
    Arrays arrays{lazily_committed<SendSlot>(places), lazily_committed<Sge>(std::size_t{places} * (max_sges_ + 1)),
                  lazily_committed<std::byte>(std::size_t{places} * inline_bytes_)};
    const std::uint32_t mask = places - 1;
    for (std::uint32_t number = head_; number != tail_; ++number) {
        const SendSlot& slot = arrays.slots[number & mask] = slots_[number & mask_];
        std::copy_n(&sges_[std::size_t{number & mask_} * (max_sges_ + 1)], slot.sge_count,
                    &arrays.sges[std::size_t{number & mask} * (max_sges_ + 1)]);
    }
    const Arrays& newest = arrays_.emplace_back(std::move(arrays));
    slots_ = newest.slots.get();
    sges_ = newest.sges.get();
    inline_data_ = newest.inline_data.get();
    mask_ = mask;
    at_once_ = std::min(depth_, places);
}

void SendQueue::store(std::uint32_t number, const WorkRequest& request) {
    SendSlot& slot = (*this)[number];
    Sge* const entries = &sges_[std::size_t{number & mask_} * (max_sges_ + 1)];
    if (has(request.flags, RequestFlags::inline_data)) {
        std::byte* const data = &inline_data_[std::size_t{number & mask_} * inline_bytes_];
        SgeCursor from(request.sges);
        if (gather(from, data, slot.length_bytes)) [[likely]] {
            entries[0] = {data, slot.length_bytes, Token::none};
            slot.sge_count = 1;
            return;
        }  // the memory is gone: the start meets it again, and fails the request
    }
    std::copy(request.sges.begin(), request.sges.end(), entries);
    if (has(request.flags, RequestFlags::inline_entries)) [[unlikely]]
        keep_inline_entries(number, {entries, request.sges.size()});
    slot.sge_count = static_cast<std::uint32_t>(request.sges.size());
}

// Copies the data of entries without a token. Their sum is within the inline limit (the poster has checked).
[[gnu::cold]] void SendQueue::keep_inline_entries(std::uint32_t number, std::span<Sge> entries) {
    std::byte* data = &inline_data_[std::size_t{number & mask_} * inline_bytes_];
    for (Sge& entry : entries) {
        if (entry.token != Token::none || entry.length == 0) continue;
        if (copy_guarded(data, entry.buffer, entry.length)) entry.buffer = data;  // else as in store()
        data += entry.length;
    }
}

std::span<const Sge> SendQueue::stored(std::uint32_t number) {
    return {&sges_[std::size_t{number & mask_} * (max_sges_ + 1)], (*this)[number].sge_count};
}

}  // namespace opennd::soft
