// SPDX-License-Identifier: MIT
// The initiator queue of a queue pair: a ring of requests between posting and retrieval. Not thread-safe: the queue pair's
// lock guards it, but for freed(), which the retrieval of a completion moves.
//
//   freed() <= head() <= started() <= tail(), tail() - freed() <= depth
//   freed..head: completed, not retrieved    head..started: started, maybe finished    started..tail: waiting
//
// Its memory grows to the most requests that waited at once (docs/decisions/0055). What it held before stays: a request is carried
// out without the lock too, by the list as it lay.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/limits.h"
#include "platform/memory/lazy_array.h"
#include "transport/request_subject.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/queues/queue_growth.h"

namespace opennd::soft {

struct SendSlot {
    enum class State : std::uint8_t { waiting, in_flight, done };

    void* context;
    RequestExtra extra;  // a subject: with a reference of this slot's, until it completes; null for most
    std::uint64_t remote_address;
    Ticket ticket;  // while in flight
    Token remote_token;
    std::uint32_t length_bytes;
    std::uint32_t sge_count;  // entries that store() kept, 1 for inline data; of no meaning without store()
    Operation operation;
    RequestFlags flags;
    State state;
    Status status;  // when done
};

class SendQueue {
public:
    SendQueue(std::uint32_t depth, std::uint32_t max_sges, std::uint32_t inline_bytes)
        : depth_(depth), max_sges_(max_sges), inline_bytes_(inline_bytes) {}

    bool full() {
        if (in_use() < depth_) return false;
        free_silent();
        return in_use() >= depth_;
    }
    bool idle() const { return head_ == tail_; }
    // Makes a place for the next append(). Returns false if full(), or if the system has no memory, which is logged;
    // nothing has changed then.
    [[nodiscard]] bool make_room() {
        if (in_use() < at_once_) [[likely]]
            return true;
        return make_more_room();
    }

    std::uint32_t head() const { return head_; }
    std::uint32_t started() const { return started_; }
    std::uint32_t tail() const { return tail_; }
    std::atomic<std::uint32_t>& freed() { return freed_; }

    // Returns the slot of a request. It stays valid, but does not stay the slot of this number: append() may move it.
    SendSlot& operator[](std::uint32_t number) { return slots_[number & mask_]; }

    // Appends a request, not yet its data. Only after make_room().
    SendSlot& append(const WorkRequest& request, std::uint32_t length_bytes) {
        SendSlot& slot = slots_[tail_++ & mask_];
        slot.context = request.context;
        slot.remote_address = request.remote_address;
        slot.remote_token = request.remote_token;
        slot.length_bytes = length_bytes;
        slot.operation = request.operation;
        slot.flags = request.flags;
        slot.state = SendSlot::State::waiting;
        slot.extra = request.extra;
        if (slot.extra.any() && !has_immediate(slot.operation)) [[unlikely]]
            slot.extra.subject()->add_ref();
        return slot;
    }
    // Gives a number to a request that completed without a slot. Only while idle().
    void pass(bool reported) {
        head_ = started_ = ++tail_;
        if (reported) reported_ = head_;
    }
    // Keeps the data of request `number`, or their list, beyond the post call.
    void store(std::uint32_t number, const WorkRequest& request);
    // Returns the list of store().
    std::span<const Sge> stored(std::uint32_t number);

    void advance_started() { ++started_; }
    // Notes that the oldest request completed; `reported`: a completion was made of it.
    void advance_head(bool reported) {
        const SendSlot& slot = slots_[head_ & mask_];
        if (slot.extra.any() && !has_immediate(slot.operation)) [[unlikely]]
            slot.extra.subject()->drop_ref();
        ++head_;
        if (reported) reported_ = head_;
    }

private:
    struct Arrays {
        LazyArray<SendSlot> slots;
        LazyArray<Sge> sges;               // max_sges_ + 1 a slot: inline data take one
        LazyArray<std::byte> inline_data;  // inline_bytes_ a slot
    };

    std::uint32_t in_use() const { return tail_ - freed_.load(std::memory_order_relaxed); }
    // Silent requests complete without a completion to retrieve: they are free once every completion before them was retrieved,
    // after which only this queue moves the counter.
    void free_silent() {
        if (static_cast<std::int32_t>(freed_.load(std::memory_order_relaxed) - reported_) >= 0)
            freed_.store(head_, std::memory_order_relaxed);
    }
    bool make_more_room();
    void use(std::uint32_t places);
    void keep_inline_entries(std::uint32_t number, std::span<Sge> entries);

    const std::uint32_t depth_, max_sges_, inline_bytes_;
    std::uint32_t mask_ = ~0u;   // one less than the places
    std::uint32_t at_once_ = 0;  // the number in use up to which each has a place, waiting or not
    SendSlot* slots_ = nullptr;  // of the newest arrays
    Sge* sges_ = nullptr;
    std::byte* inline_data_ = nullptr;
    std::uint32_t tail_ = 0, started_ = 0, head_ = 0;
    std::uint32_t reported_ = 0;           // head_ after the newest completion that was made
    std::atomic<std::uint32_t> freed_{0};  // moved by Credit (soft/engine/result_ring.h) at a retrieval
    std::vector<Arrays> arrays_;
};

}  // namespace opennd::soft
