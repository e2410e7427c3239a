// SPDX-License-Identifier: MIT
// Posted receives in order: those of one queue pair, or those that several share. Not thread-safe: the lock of the queue
// pair, or of the shared queue, guards it, but for freed(), which the retrieval of a completion moves.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "model/sge.h"
#include "platform/memory/lazy_array.h"
#include "transport/soft/queues/send_queue.h"

namespace opennd::soft {

class ReceiveQueue {
public:
    ReceiveQueue(std::uint32_t depth, std::uint32_t max_sges);

    bool full() const { return tail_ - freed_.load(std::memory_order_relaxed) >= depth_; }
    bool empty() const { return head_ == tail_; }
    // Posted, and taken by no message.
    std::uint32_t waiting() const { return tail_ - head_; }
    // Posted, and their results not retrieved (ND2-QP-POST-06).
    std::uint32_t in_use() const { return tail_ - freed_.load(std::memory_order_relaxed); }

    void append(void* context, std::span<const Sge> sges) {
        const std::uint32_t index = tail_++ & mask_;
        slots_[index] = {context, static_cast<std::uint32_t>(sges.size())};
        Sge* const to = &sges_[std::size_t{index} * max_sges_];
        if (sges.size() == 1) [[likely]]
            *to = sges[0];
        else
            std::copy(sges.begin(), sges.end(), to);
    }

    // The oldest posted receive. Only if not empty().
    void* context() const { return slots_[head_ & mask_].context; }
    std::span<const Sge> sges() const {
        return {&sges_[std::size_t{head_ & mask_} * max_sges_], slots_[head_ & mask_].sge_count};
    }
    // Consumes it; the number to set free when its completion is retrieved.
    std::uint32_t consume() { return ++head_; }
    std::atomic<std::uint32_t>& freed() { return freed_; }

    // Its receives stay, in order. Throws std::bad_alloc; nothing has changed then.
    void resize(std::uint32_t depth);

private:
    struct Slot {
        void* context;
        std::uint32_t sge_count;
    };

    std::uint32_t depth_;
    const std::uint32_t max_sges_;
    std::uint32_t mask_;
    LazyArray<Slot> slots_;
    LazyArray<Sge> sges_;
    std::uint32_t tail_ = 0, head_ = 0;
    std::atomic<std::uint32_t> freed_{0};  // see Credit
};

}  // namespace opennd::soft
