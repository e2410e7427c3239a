// SPDX-License-Identifier: MIT
// ReceiveQueue: see receive_queue.h.
#include "transport/soft/receive_queue.h"

#include <algorithm>
#include <bit>

namespace opennd::soft {

ReceiveQueue::ReceiveQueue(std::uint32_t depth, std::uint32_t max_sges)
    : depth_(depth),
      max_sges_(std::max(max_sges, 1u)),
      mask_(std::bit_ceil(std::max(depth, 1u)) - 1),
      slots_(lazily_committed<Slot>(std::size_t{mask_} + 1)),
      sges_(lazily_committed<Sge>((std::size_t{mask_} + 1) * max_sges_)) {}

}  // namespace opennd::soft
