// SPDX-License-Identifier: MIT
// The receiving half of a lane: takes frames out and publishes its count. One thread at a time.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "transport/local/arena/link_memory.h"
#include "transport/local/arena/segment.h"

namespace opennd::local {

class Consumer {
public:
    // Makes the consumer of `lane`; `memory` is that of the consumer's side.
    Consumer(Lane& lane, const LinkMemory& memory, std::uint32_t connection)
        : lane_(lane),
          frames_(memory.peer_frames()),
          chunks_(memory.peer_chunks()),
          frame_(&frames_.at(Frames::home(connection))),
          following_(&frames_.at(Frames::home(connection) + 1)) {}

    // One copy of a frame's header, taken from memory that the peer can change at any time. No two neighbours are of one size, so
    // that the compiler has each in a register of its own and packs none.
    struct Header {
        const Frame* frame;
        std::uint32_t length;
        FrameKind kind;
        std::uint8_t flags;
        // `length` bytes inside the frame, or the chunk that it names; null: there is no such chunk of that size.
        const std::byte* payload;
        std::uint32_t acknowledged;
        const Frame* after_next;
        std::uint32_t number;

        // Fields that only some kinds need. Each call makes a fresh copy: one call for each.
        std::uint32_t total() const { return frame->total.load(std::memory_order_relaxed); }
        std::uint32_t token() const { return frame->token.load(std::memory_order_relaxed); }
        std::uint64_t address() const { return frame->address.load(std::memory_order_relaxed); }
    };

    // Fills in the header of the next frame, if it is there.
    bool peek(Header& header) const {
        const std::uint32_t number = next();
        const Frame& frame = *frame_;
        const auto mark = std::bit_cast<FrameMark>(frame.mark.load(std::memory_order_acquire));
        if (mark.sequence != number + 1) return false;
        header.after_next = &frames_.at(mark.slot);
        __builtin_prefetch(header.after_next);
        const auto extent = std::bit_cast<FrameExtent>(frame.extent.load(std::memory_order_relaxed));
        header.kind = mark.kind;
        header.flags = mark.flags;
        header.length = extent.length;
        header.acknowledged = extent.acknowledged;
        header.number = number;
        header.frame = &frame;
        if (header.length <= sizeof frame.payload) [[likely]]
            header.payload = frame.payload;
        else
            header.payload = chunks_.find(extent.chunk, extent.length);
        return true;
    }
    bool has_next() const {
        const auto mark = std::bit_cast<FrameMark>(frame_->mark.load(std::memory_order_acquire));
        return mark.sequence == next() + 1;
    }
    // Returns true if the producer has not taken the frame back since peek(). The caller orders its reads of the
    // message before.
    bool stands(const Header& header) const {
        const auto mark = std::bit_cast<FrameMark>(header.frame->mark.load(std::memory_order_acquire));
        return mark.sequence == header.number + 1 && mark.kind == header.kind;
    }
    void advance(const Header& header) {
        frame_ = following_;
        following_ = header.after_next;
        next_.store(header.number + 1, std::memory_order_release);
    }

    // The number of frames consumed. Also for the thread that produces on the other lane and sends the count to the
    // peer: the reads of these frames happened before (acquire, with the release in advance()).
    std::uint32_t next() const { return next_.load(std::memory_order_acquire); }
    std::uint32_t unpublished() const { return next() - published_; }
    // Tells the producer the count. All consumed frames are placed before (release).
    void publish() {
        published_ = next();
        lane_.counters.consumed.store(published_, std::memory_order_release);
    }
    // Ends the connection at this frame: the next, or the request of an earlier Read. Once.
    void refuse(std::uint32_t number, std::uint32_t reason) {
        lane_.counters.refusal.store(reason, std::memory_order_relaxed);
        lane_.counters.refused.store(number + 1, std::memory_order_release);
    }

    // The word that shows the next frame by its lower half, the sequence number.
    const std::atomic<std::uint64_t>* arrival() const { return &frame_->mark; }

private:
    Lane& lane_;
    Frames& frames_;
    Chunks& chunks_;
    const Frame* frame_;  // the next
    std::atomic<std::uint32_t> next_{0};
    std::uint32_t published_ = 0;
    const Frame* following_;  // the one after `frame_`
};

}  // namespace opennd::local
