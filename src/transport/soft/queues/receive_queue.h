// SPDX-License-Identifier: MIT
// Posted receives in order: those of one queue pair, or those that several share. Not thread-safe: the lock of the queue
// pair, or of the shared queue, guards it, but for freed(), which the retrieval of a completion moves.
//
// Its memory grows to the most receives that waited at once (docs/decisions/0055). What it held before stays: a message is copied
// without the lock, by the list as it lay.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/sge.h"
#include "platform/memory/lazy_array.h"
#include "transport/queue_pair.h"
#include "transport/soft/queues/send_queue.h"

namespace opennd::soft {

class ReceiveQueue {
public:
    // A queue of depth 0 is always full, and holds the one receive that its user takes from a shared queue, by append() alone.
    ReceiveQueue(std::uint32_t depth, std::uint32_t max_sges);

    bool empty() const { return head_ == tail_; }
    // The number of receives that are posted, and taken by no message.
    std::uint32_t waiting() const { return tail_ - head_; }
    // The number of receives that are posted, and their results not retrieved (ND2-QP-POST-06).
    std::uint32_t in_use() const { return tail_ - freed_.load(std::memory_order_relaxed); }

    // The number of receives that messages ever took; modulo 2^32.
    std::uint32_t consumed() const { return head_; }

    // Makes a place for the next append(). Returns false if as many are in use as the depth, or the system has no
    // memory, which is logged; nothing has changed then.
    [[nodiscard]] bool make_room() {
        if (in_use() < at_once_) [[likely]]
            return true;
        return make_more_room();
    }
    // Appends a receive. Only after make_room().
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
    // The entries of the receive that was consumed last, until the next append().
    std::span<const Sge> consumed_sges() const {
        const std::uint32_t index = (head_ - 1) & mask_;
        return {&sges_[std::size_t{index} * max_sges_], slots_[index].sge_count};
    }
    // Takes back the receives that are posted, oldest first. If it throws std::bad_alloc, nothing has changed.
    std::vector<PostedReceive> take_back();
    // Consumes the oldest receive; returns the number to set free when its completion is retrieved.
    std::uint32_t consume() { return ++head_; }
    std::atomic<std::uint32_t>& freed() { return freed_; }

    // Changes the depth; the receives stay, in order.
    void resize(std::uint32_t depth);

private:
    struct Slot {
        void* context;
        std::uint32_t sge_count;
    };

    struct Arrays {
        LazyArray<Slot> slots;
        LazyArray<Sge> sges;  // max_sges_ a slot
    };

    bool make_more_room();
    void use(std::uint32_t places);

    std::uint32_t depth_;
    const std::uint32_t max_sges_;
    std::uint32_t mask_ = ~0u;   // one less than the places
    std::uint32_t at_once_ = 0;  // the number in use up to which each has a place, waiting or not
    Slot* slots_ = nullptr;      // of the newest arrays
    Sge* sges_ = nullptr;
    std::uint32_t tail_ = 0, head_ = 0;
    std::atomic<std::uint32_t> freed_{0};  // moved as that of SendQueue
    std::vector<Arrays> arrays_;
};

}  // namespace opennd::soft
