// SPDX-License-Identifier: MIT
// The requests of one queue, initiators or receives, between their post and the retrieval of their results: a slot each, whose
// address is the wr_id of the hardware's request. OpenND counts the depth itself, because devices take more than they were asked for
// (ND2-AMB-45).
//
//   returned() <= retired() <= started() <= tail(), tail() - returned() <= depth
//   returned..retired: completed, results not all retrieved; started..tail: waiting in OpenND; between: in the hardware
//
// The poster's half (append, start) is guarded by the queue pair's lock, the other half (retire, give_back) by that of the completion
// queue; each reads the other's counters.
//
// A shared receive queue has a ring for its slots alone: any of its queue pairs completes any of them, so that it numbers and
// frees them itself (shared_receive_queue.h), and the counters stay 0 but for returned().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ref.h"
#include "base/status.h"
#include "model/sge.h"
#include "model/work_request.h"
#include "platform/memory/lazy_array.h"
#include "transport/completion/after_lock.h"
#include "transport/request_subject.h"
#include "transport/verbs/device/rdma_core.h"
#include "transport/verbs/memory/memory_request.h"

namespace opennd::verbs {

static_assert(sizeof(Sge) == sizeof(ibv_sge) && offsetof(Sge, buffer) == offsetof(ibv_sge, addr) &&
              offsetof(Sge, length) == offsetof(ibv_sge, length) && offsetof(Sge, token) == offsetof(ibv_sge, lkey));

class RequestRing;
struct RequestFailure;
struct RequestSlot;

// The queue pair of a ring, as the users of the ring's results see it.
class RequestOwner : public AwaitedQueuePair {
public:
    virtual void* context() const = 0;
    // Returns the status of a request that the hardware did not carry out. Under the lock of the completion queue, as
    // the next two.
    virtual Status outcome_of(const ibv_wc& result, const RequestSlot& slot) const = 0;
    // Notes that a message of the peer is in a receive of the shared queue.
    virtual void note_heard() = 0;
    // Ends the window with this token, which the peer has invalidated. Returns the program's context for a result about
    // it; null: it wants none, or no window was in force here.
    virtual void* take_window(Token token, AfterLock& after) = 0;

    // Fails the queue pair: a request failed, or the queue overran. No lock held.
    virtual void fail(const RequestFailure& failure) = 0;
    virtual void fail() = 0;
    // Starts requests that waited for one that has completed. No lock held.
    virtual void go_on() = 0;
    // A message has gone to the hardware, and nobody watches whether a receive comes for it. No lock held.
    virtual void watch_messages() = 0;

protected:
    ~RequestOwner() = default;
};

// The shared receive queue of a ring.
class SlotOwner {
public:
    // The slot's receive has completed. Under the lock of a completion queue.
    virtual void retire(const RequestSlot& slot, AfterLock& after) = 0;

protected:
    ~SlotOwner() = default;
};

struct RequestSlot {
    RequestRing* ring;
    void* context;
    RequestExtra extra;  // a subject: with a reference of this slot's, until it retires; null for most
    std::uint64_t remote_address;
    Token remote_token;
    std::uint32_t number;
    std::uint32_t length_bytes;
    std::uint16_t entry_count;
    Operation operation;
    RequestFlags flags;
    bool holds_copy;  // the data are in copy_of(), and the entry names them

    // Returns the subject, or null: the request has none.
    TransportRequestSubject* subject() const {
        return extra.any() && !has_immediate(operation) ? extra.subject() : nullptr;
    }
};

class RequestRing final : public RefCounted {
public:
    // Makes the slots of a queue pair. `entries`: the most of a request; `copy_bytes`: room for data that are copied
    // during the post. Throws std::bad_alloc.
    RequestRing(RequestOwner& queue_pair, void* context, std::uint32_t depth, std::uint32_t entries,
                std::uint32_t copy_bytes);
    // Makes the slots of a shared receive queue, `slots` of them.
    RequestRing(SlotOwner& shared, std::uint32_t slots, std::uint32_t entries);
    ~RequestRing() override;

    std::uint32_t depth() const { return depth_; }
    void* queue_pair_context() const { return context_; }
    // The queue pair of the slots; null: they are those of shared_queue().
    RequestOwner* queue_pair() const { return queue_pair_; }
    SlotOwner* shared_queue() const { return shared_; }

    // ---- The poster's half.

    bool full() const { return tail_ - returned() >= depth_; }
    std::uint32_t tail() const { return tail_; }
    std::uint32_t started() const { return started_; }
    RequestSlot& operator[](std::uint32_t number) { return slots_[number & mask_]; }
    // Appends a request, with copies of its entries but those of length 0, which are never validated (ND2-QP-POST-10)
    // and mean 2 GiB to some devices. Not full().
    RequestSlot& append(const WorkRequest& request) { return fill(tail_++, request); }
    // Puts a request into the slot `number`, which is free.
    RequestSlot& fill(std::uint32_t number, const WorkRequest& request);
    // The slot of a request of OpenND's own, of which the success retires all that was started before it. One at a time.
    RequestSlot& teller() { return teller_; }
    bool is_teller(const RequestSlot& slot) const { return &slot == &teller_; }
    // Takes the newest request back.
    void unappend();
    // Notes that the oldest request that waits goes to the hardware.
    void start() { started_ = started_ + 1; }
    // Skips requests that were canceled while they waited: they go to the hardware no more.
    void skip_canceled() {
        if (static_cast<std::int32_t>(retired() - started_) > 0) started_ = retired();
    }
    std::span<Sge> entries_of(const RequestSlot& slot) {
        return {&entries_[std::size_t{slot.number & mask_} * max_entries_], slot.entry_count};
    }
    // Returns them as the device takes them, which is as the program gave them.
    ibv_sge* device_entries_of(const RequestSlot& slot) { return reinterpret_cast<ibv_sge*>(entries_of(slot).data()); }
    std::byte* copy_of(const RequestSlot& slot) { return &copies_[std::size_t{slot.number & mask_} * copy_bytes_]; }
    // The memory of all copies.
    std::span<std::byte> copies() { return {copies_.get(), (std::size_t{mask_} + 1) * copy_bytes_}; }
    // Copies the data of entries, those without a token or all of them, and names the copies by one entry with `token`.
    void keep_data(RequestSlot& slot, std::span<const Sge> sges, bool all, Token token);

    // ---- The completion queue's half.

    // The number before which requests have completed. Acquire: their slots are reusable.
    std::uint32_t retired() const { return retired_.load(std::memory_order_acquire); }
    // Retires `number`, which the hardware has completed, and with it, silently, all before. Returns how many that are.
    std::uint32_t retire(std::uint32_t number) {
        const std::uint32_t first = retired_.load(std::memory_order_relaxed);
        retired_.store(number + 1, std::memory_order_release);
        return number + 1 - first;
    }
    // Makes room for `count` requests, by results and silent successes whose slots have been read. The results of
    // shared receives are in several completion queues, with a lock each.
    void give_back(std::uint32_t count) {
        if (results_ == Results::shared) [[unlikely]]
            returned_.fetch_add(count, std::memory_order_release);
        else
            returned_.store(returned_.load(std::memory_order_relaxed) + count, std::memory_order_release);
    }
    // The number before which requests have given their room back. Acquire: the poster may write to their slots.
    std::uint32_t returned() const { return returned_.load(std::memory_order_acquire); }
    // The use of the hardware's results. delivered: the program gets them. counted: no more than that, because the requests will be
    // posted again. ignored: OpenND has canceled the requests. shared: the program gets them from the queue pair that the result
    // names.
    enum class Results : std::uint8_t { delivered, counted, ignored, shared };
    void set_results(Results results) { results_ = results; }
    Results results() const { return results_; }

    // The outcome of the oldest request when requests are flushed; the others get `canceled`. Guarded as retired() is.
    Status oldest_outcome = Status::canceled;
    // True once a receive has completed with success. Relaxed: a hint for TransportQueuePair::heard.
    std::atomic<bool> heard{false};
    // True if the queue pair has requests that wait for one of these to complete. Set under the queue pair's lock,
    // which then asks VerbsCompletionQueue::count_owed() under the lock of the other half: one of both sees the other.
    // Relaxed.
    std::atomic<bool> awaited{false};
    // True while the hardware has teller(). Set under the queue pair's lock, cleared by the completion queue's half, both of
    // which see the other's change by the lock of the completion queue. Relaxed.
    std::atomic<bool> teller_posted{false};

private:
    RequestOwner* const queue_pair_;
    SlotOwner* const shared_ = nullptr;
    void* const context_;
    const std::uint32_t depth_, max_entries_, copy_bytes_, mask_;
    const LazyArray<RequestSlot> slots_;
    const LazyArray<Sge> entries_;  // max_entries_ a slot
    const LazyArray<std::byte> copies_;
    std::uint32_t tail_ = 0, started_ = 0;
    std::atomic<std::uint32_t> retired_{0};
    std::atomic<std::uint32_t> returned_{0};
    Results results_ = Results::delivered;
    RequestSlot teller_{};
};

inline RequestSlot& RequestRing::fill(std::uint32_t number, const WorkRequest& request) {
    RequestSlot& slot = slots_[number & mask_];
    slot.ring = this;
    slot.context = request.context;
    slot.operation = request.operation;
    slot.extra = request.extra;
    if (TransportRequestSubject* const subject = slot.subject()) [[unlikely]]
        subject->add_ref();
    slot.remote_address = request.remote_address;
    slot.remote_token = request.remote_token;
    slot.number = number;
    slot.flags = request.flags;
    slot.holds_copy = false;
    Sge* const kept = &entries_[std::size_t{number & mask_} * max_entries_];
    std::uint32_t count = 0;
    std::uint32_t length = 0;
    // Inline requests may have any number of entries; their data are copied by keep_data.
    for (const Sge& sge : request.sges) {
        length += sge.length;
        if (sge.length != 0 && count < max_entries_) [[likely]]
            kept[count++] = sge;
    }
    slot.entry_count = static_cast<std::uint16_t>(count);
    slot.length_bytes = length;
    return slot;
}

inline void RequestRing::unappend() {
    RequestSlot& slot = slots_[--tail_ & mask_];
    if (TransportRequestSubject* const subject = slot.subject()) subject->drop_ref();
}

}  // namespace opennd::verbs
