// SPDX-License-Identifier: MIT
// The sending half of a lane: puts frames in, and counts those that the peer has consumed. A counter of the peer is taken only
// if it is possible.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "transport/local/arena/link_memory.h"
#include "transport/local/arena/segment.h"

namespace opennd::local {

class Producer {
public:
    Producer(Lane& lane, const LinkMemory& memory, std::uint32_t connection)
        : lane_(lane),
          holdings_(std::make_unique<Holdings>(memory, connection)),
          frame_(&slots().frame(0)),
          room_(slots().room()),
          following_(&slots().frame(1)) {}

    // The fields of a frame's header.
    struct Header {
        FrameKind kind;
        std::uint8_t flags;
        std::uint32_t length;
        std::uint32_t total = 0;
        std::uint32_t token = 0;
        std::uint64_t address = 0;
    };

    // Returns the place for the payload of the next frame; null: no room now. One thread at a time, then publish().
    std::byte* reserve(std::uint32_t length) {
        const std::uint32_t number = next_.load(std::memory_order_relaxed);
        if (number - acked_.load(std::memory_order_acquire) >= room_ && !make_room(number)) return nullptr;
        if (length <= sizeof(Frame::payload)) return frame_->payload;
        return reserve_chunk(length);
    }

    // Makes the reserved frame visible. Returns its number. `acknowledged`: frames of the other lane consumed by now.
    // Inline, so that a short message pays for no field that it does not have.
    [[gnu::always_inline]] std::uint32_t publish(const Header& header, std::uint32_t acknowledged) {
        const std::uint32_t number = next_.load(std::memory_order_relaxed);
        Frame& frame = *frame_;
        std::uint16_t chunk = 0;
        if (header.length > sizeof frame.payload) {
            chunk = holdings_->chunks->keep(number, header.kind == FrameKind::read_reply);
        }
        if (header.kind != FrameKind::send || header.total != header.length) {
            frame.total.store(header.total, std::memory_order_relaxed);
            frame.token.store(header.token, std::memory_order_relaxed);
            frame.address.store(header.address, std::memory_order_relaxed);
        }
        const FrameExtent extent{static_cast<std::uint16_t>(header.length), chunk, acknowledged};
        frame.extent.store(std::bit_cast<std::uint64_t>(extent), std::memory_order_relaxed);
        const std::uint16_t slot = slots().advance(number);
        frame_ = std::exchange(following_, &slots().at_slot(slot));
        const FrameMark mark{number + 1, header.kind, header.flags, slot};
        next_.store(number + 1, std::memory_order_relaxed);
        frame.mark.store(std::bit_cast<std::uint64_t>(mark), std::memory_order_release);
        return number;
    }

    // Returns true if the peer has consumed frame `number`, as far as this side knows.
    bool consumed(std::uint32_t number) const { return is_before(number, acked_.load(std::memory_order_acquire)); }
    bool all_known_consumed() const {
        return acked_.load(std::memory_order_acquire) == next_.load(std::memory_order_relaxed);
    }
    // Returns true if the peer has consumed all frames; reads the peer's counter if needed.
    bool all_consumed() {
        if (all_known_consumed()) return true;
        refresh();
        return all_known_consumed();
    }

    // Takes the peer's counter, from its own line or from a frame that it sent. Ignored if it is impossible.
    void acknowledge(std::uint32_t consumed) {
        const std::uint32_t acked = acked_.load(std::memory_order_acquire);
        const std::uint32_t outstanding = next_.load(std::memory_order_relaxed) - acked;
        if (consumed - acked <= outstanding) acked_.store(consumed, std::memory_order_release);
    }
    // Reads the peer's line.
    void refresh() {
        const auto& counters = lane_.counters;
        acknowledge(counters.consumed.load(std::memory_order_acquire));
        const std::uint32_t refused = counters.refused.load(std::memory_order_acquire);
        if (!can_be_refused(refused) || refused_.load(std::memory_order_relaxed) != 0) return;
        refusal_.store(counters.refusal.load(std::memory_order_relaxed), std::memory_order_relaxed);
        refused_.store(refused, std::memory_order_release);
    }

    // Takes the frames that the peer has not consumed out of its sight, and puts them back: requests as withdrawn, answers as
    // they were. In between, once the peer is in no frame, its count of consumed frames does not change.
    void hide_unconsumed() {
        for (std::uint32_t number = acked_.load(std::memory_order_acquire); number != next(); ++number)
            remark(number, [](FrameMark& mark) { mark.sequence -= kFrames; });
    }
    void show_unconsumed() {
        for (std::uint32_t number = acked_.load(std::memory_order_acquire); number != next(); ++number)
            remark(number, [](FrameMark& mark) {
                mark.sequence += kFrames;
                if (mark.kind != FrameKind::read_reply) mark.kind = FrameKind::withdrawn;
            });
        if (holdings_->chunks) holdings_->chunks->return_withdrawn();
    }

    // Returns true if this side has more memory than a connection keeps without frames on their way, where many have
    // some. Any thread; a hint.
    bool can_give_back() const {
        return holds_more_.load(std::memory_order_relaxed) && holdings_->is_short() && all_known_consumed();
    }
    // Gives that memory back. One thread at a time, as with reserve().
    void give_back() {
        if (!all_known_consumed()) return;
        if (holdings_->chunks) {
            holdings_->chunks->return_consumed(next());
            holdings_->chunks->return_unused();
        }
        slots().shrink();
        room_ = slots().room();
        holds_more_.store(false, std::memory_order_relaxed);
    }
    // Hands the memory over at the end: the peer may still read frames that are on their way.
    std::unique_ptr<Holdings> take_holdings() {
        if (holdings_ && holdings_->chunks) holdings_->chunks->return_unused();
        return std::move(holdings_);
    }

    // The number of the next frame.
    std::uint32_t next() const { return next_.load(std::memory_order_relaxed); }

    // Returns true if the peer's line has news that refresh() will take. An impossible count is no news, now or ever.
    bool has_news() const {
        const std::uint32_t acked = acked_.load(std::memory_order_acquire);
        const std::uint32_t more = lane_.counters.consumed.load(std::memory_order_relaxed) - acked;
        if (more != 0 && more <= next_.load(std::memory_order_relaxed) - acked) return true;
        return refused_.load(std::memory_order_relaxed) == 0 &&
               can_be_refused(lane_.counters.refused.load(std::memory_order_relaxed));
    }
    // Fills in the frame that the peer refused, and its reason. Returns false if none is known.
    bool refusal(std::uint32_t& number, std::uint32_t& reason) const {
        const std::uint32_t refused = refused_.load(std::memory_order_acquire);
        if (refused == 0) return false;
        number = refused - 1;
        reason = refusal_.load(std::memory_order_relaxed);
        return true;
    }

    static bool is_before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

private:
    template <typename Change>
    void remark(std::uint32_t number, Change change) {
        std::atomic<std::uint64_t>& word = slots().frame(number).mark;
        auto mark = std::bit_cast<FrameMark>(word.load(std::memory_order_relaxed));
        change(mark);
        word.store(std::bit_cast<std::uint64_t>(mark), std::memory_order_release);
    }
    // Returns true for the number + 1 of a frame that was sent; it may be consumed, if it asks to read.
    bool can_be_refused(std::uint32_t refused) const {
        return refused != 0 && is_before(refused - 1, next_.load(std::memory_order_relaxed));
    }
    FrameSlots& slots() { return holdings_->slots; }
    [[gnu::noinline]] bool make_room(std::uint32_t number) {
        refresh();
        if (number - acked_.load(std::memory_order_acquire) < room_) return true;
        if (!slots().grow()) return false;
        room_ = slots().room();
        holds_more_.store(true, std::memory_order_relaxed);
        return true;
    }
    [[gnu::noinline]] std::byte* reserve_chunk(std::uint32_t length) {
        ChunksInFlight* const chunks = holdings_->some_chunks();
        if (!chunks) return nullptr;
        holds_more_.store(true, std::memory_order_relaxed);
        chunks->return_many(acked_.load(std::memory_order_acquire));
        if (std::byte* const memory = chunks->reserve(length)) return memory;
        refresh();
        chunks->return_consumed(acked_.load(std::memory_order_acquire));
        return chunks->reserve(length);
    }

    Lane& lane_;
    // The number of the next frame. Relaxed: written by the producing thread, one at a time.
    std::atomic<std::uint32_t> next_{0};
    // The number of frames that the peer is known to have consumed. Written by any thread that reads the peer's count,
    // maybe another than the one that then overwrites the frame: release and acquire hand on that the peer is done with
    // it. A stale value only means less room than there is.
    std::atomic<std::uint32_t> acked_{0};
    // The first refusal seen; the number + 1, stored after the reason (release).
    std::atomic<std::uint32_t> refused_{0}, refusal_{0};

    std::unique_ptr<Holdings> holdings_;  // until take_holdings()
    // The next frame, how many can be on their way, and the one after the next. Used by the producing thread alone.
    Frame* frame_;
    std::uint32_t room_;
    std::atomic<bool> holds_more_{false};  // relaxed: a hint
    Frame* following_;
};

}  // namespace opennd::local
