// SPDX-License-Identifier: MIT
// ReceiveQueue: see receive_queue.h.
#include "transport/soft/queues/receive_queue.h"

#include <algorithm>
#include <utility>

#include "transport/soft/queues/queue_growth.h"

namespace opennd::soft {

ReceiveQueue::ReceiveQueue(std::uint32_t depth, std::uint32_t max_sges)
    : depth_(depth), max_sges_(std::max(max_sges, 1u)) {
    if (depth == 0) use(1);
}

[[gnu::cold]] bool ReceiveQueue::make_more_room() {
    if (in_use() >= depth_) return false;
    const bool room = waiting() < mask_ + 1;
    if (room && mask_ + 1 >= kPlacesToStayWith) return true;
    return grew("receive queue", depth_, [this] { use(more_places(mask_ + 1, depth_)); }) || room;
}

// Uses new arrays with `places` slots. If it throws std::bad_alloc, nothing has changed.
void ReceiveQueue::use(std::uint32_t places) {
    Arrays arrays{lazily_committed<Slot>(places), lazily_committed<Sge>(std::size_t{places} * max_sges_)};
    const std::uint32_t mask = places - 1;
    for (std::uint32_t number = head_; number != tail_; ++number) {
        const Slot& slot = arrays.slots[number & mask] = slots_[number & mask_];
        std::copy_n(&sges_[std::size_t{number & mask_} * max_sges_], slot.sge_count,
                    &arrays.sges[std::size_t{number & mask} * max_sges_]);
    }
    const Arrays& newest = arrays_.emplace_back(std::move(arrays));
    slots_ = newest.slots.get();
    sges_ = newest.sges.get();
    mask_ = mask;
    at_once_ = std::min(depth_, places);
}

std::vector<PostedReceive> ReceiveQueue::take_back() {
    std::vector<PostedReceive> taken;
    taken.reserve(waiting());
    for (std::uint32_t number = head_; number != tail_; ++number) {
        const std::uint32_t index = number & mask_;
        const Sge* const first = &sges_[std::size_t{index} * max_sges_];
        taken.push_back({slots_[index].context, {first, first + slots_[index].sge_count}});
    }
    tail_ = head_;
    return taken;
}

void ReceiveQueue::resize(std::uint32_t depth) {
    depth_ = depth;
    at_once_ = std::min(depth_, mask_ + 1);
}

}  // namespace opennd::soft
