// SPDX-License-Identifier: MIT
// ReceiveQueue: see receive_queue.h.
#include "transport/soft/queues/receive_queue.h"

#include <algorithm>
#include <bit>

namespace opennd::soft {

ReceiveQueue::ReceiveQueue(std::uint32_t depth, std::uint32_t max_sges)
    : depth_(depth),
      max_sges_(std::max(max_sges, 1u)),
      mask_(std::bit_ceil(std::max(depth, 1u)) - 1),
      slots_(lazily_committed<Slot>(std::size_t{mask_} + 1)),
      sges_(lazily_committed<Sge>((std::size_t{mask_} + 1) * max_sges_)) {}

void ReceiveQueue::resize(std::uint32_t depth) {
    const std::uint32_t mask = std::bit_ceil(std::max(depth, 1u)) - 1;
    if (mask > mask_) {
        auto slots = lazily_committed<Slot>(std::size_t{mask} + 1);
        auto sges = lazily_committed<Sge>((std::size_t{mask} + 1) * max_sges_);
        for (std::uint32_t number = head_; number != tail_; ++number) {
            const Slot& slot = slots[number & mask] = slots_[number & mask_];
            std::copy_n(&sges_[std::size_t{number & mask_} * max_sges_], slot.sge_count,
                        &sges[std::size_t{number & mask} * max_sges_]);
        }
        slots_ = std::move(slots);
        sges_ = std::move(sges);
        mask_ = mask;
    }
    depth_ = depth;
}

}  // namespace opennd::soft
