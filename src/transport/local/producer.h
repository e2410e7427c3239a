// SPDX-License-Identifier: MIT
// The sending half of a lane: puts frames in, and counts those that the peer has consumed. A counter of the peer is taken only
// if it is possible.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "transport/local/link/segment.h"

namespace opennd::local {

class Producer {
public:
    explicit Producer(Lane& lane) : lane_(lane) {}

    // The fields of a frame's header.
    struct Header {
        FrameKind kind;
        std::uint8_t flags;
        std::uint32_t length;
        std::uint32_t total = 0;
        std::uint32_t token = 0;
        std::uint64_t address = 0;
    };

    // Where to write the payload of the next frame; null: no room now. One thread at a time, then publish().
    std::byte* reserve(std::uint32_t length) {
        const std::uint32_t number = next_.load(std::memory_order_relaxed);
        if (number - acked_.load(std::memory_order_acquire) >= kFrames) {
            refresh();
            if (number - acked_.load(std::memory_order_acquire) >= kFrames) return nullptr;
        }
        Frame& frame = lane_.frames[number % kFrames];
        if (length <= sizeof frame.payload) {
            staging_end_[number % kFrames] = staging_;
            return frame.payload;
        }
        const StagingPlace place = staging_place(staging_, length);
        if (place.end - staging_freed() > kStagingBytes) {
            refresh();
            if (place.end - staging_freed() > kStagingBytes) return nullptr;
        }
        staging_end_[number % kFrames] = place.end;
        return lane_.staging + place.position % kStagingBytes;
    }

    // Makes the reserved frame visible. Returns its number. `acknowledged`: frames of the other lane consumed by now.
    std::uint32_t publish(const Header& header, std::uint32_t acknowledged) {
        const std::uint32_t number = next_.load(std::memory_order_relaxed);
        Frame& frame = lane_.frames[number % kFrames];
        staging_ = staging_end_[number % kFrames];
        if (header.kind != FrameKind::send || header.total != header.length) {
            frame.total.store(header.total, std::memory_order_relaxed);
            frame.token.store(header.token, std::memory_order_relaxed);
            frame.address.store(header.address, std::memory_order_relaxed);
        }
        const FrameExtent extent{header.length, acknowledged};
        frame.extent.store(std::bit_cast<std::uint64_t>(extent), std::memory_order_relaxed);
        const FrameMark mark{number + 1, header.kind, header.flags, 0};
        next_.store(number + 1, std::memory_order_relaxed);
        frame.mark.store(std::bit_cast<std::uint64_t>(mark), std::memory_order_release);
        return number;
    }

    // Has the peer consumed frame `number`, as far as this side knows?
    bool consumed(std::uint32_t number) const { return is_before(number, acked_.load(std::memory_order_acquire)); }
    bool all_known_consumed() const {
        return acked_.load(std::memory_order_acquire) == next_.load(std::memory_order_relaxed);
    }
    // The same; reads the peer's counter if needed.
    bool all_consumed() {
        if (all_known_consumed()) return true;
        refresh();
        return all_known_consumed();
    }

    // The peer's counter, from its own line or from a frame that it sent. Ignored if it is impossible.
    void acknowledge(std::uint32_t consumed) {
        const std::uint32_t acked = acked_.load(std::memory_order_acquire);
        const std::uint32_t outstanding = next_.load(std::memory_order_relaxed) - acked;
        if (consumed - acked <= outstanding) acked_.store(consumed, std::memory_order_release);
    }
    // Reads the peer's line.
    void refresh() {
        acknowledge(lane_.counters.consumed.load(std::memory_order_acquire));
        const std::uint32_t refused = lane_.counters.refused.load(std::memory_order_acquire);
        if (!can_be_refused(refused) || refused_.load(std::memory_order_relaxed) != 0) return;
        refusal_.store(lane_.counters.refusal.load(std::memory_order_relaxed), std::memory_order_relaxed);
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
    }

    // Number of the next frame.
    std::uint32_t next() const { return next_.load(std::memory_order_relaxed); }

    // The peer's line has news that refresh() will take. An impossible count is no news, now or ever.
    bool has_news() const {
        const std::uint32_t acked = acked_.load(std::memory_order_acquire);
        const std::uint32_t more = lane_.counters.consumed.load(std::memory_order_relaxed) - acked;
        if (more != 0 && more <= next_.load(std::memory_order_relaxed) - acked) return true;
        return refused_.load(std::memory_order_relaxed) == 0 &&
               can_be_refused(lane_.counters.refused.load(std::memory_order_relaxed));
    }
    // The frame that the peer refused, and its reason; false if none is known.
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
        std::atomic<std::uint64_t>& word = lane_.frames[number % kFrames].mark;
        auto mark = std::bit_cast<FrameMark>(word.load(std::memory_order_relaxed));
        change(mark);
        word.store(std::bit_cast<std::uint64_t>(mark), std::memory_order_release);
    }
    // The number + 1 of a frame that is on its way.
    bool can_be_refused(std::uint32_t refused) const {
        const std::uint32_t acked = acked_.load(std::memory_order_acquire);
        return refused != 0 && refused - 1 - acked < next_.load(std::memory_order_relaxed) - acked;
    }
    std::uint64_t staging_freed() const {
        const std::uint32_t acked = acked_.load(std::memory_order_acquire);
        return acked == next_.load(std::memory_order_relaxed) ? staging_ : staging_end_[(acked - 1) % kFrames];
    }

    Lane& lane_;
    // Relaxed: written by the producing thread, one at a time.
    std::atomic<std::uint32_t> next_{0};
    // Written by any thread that reads the peer's count, maybe another than the one that then overwrites the frame: release
    // and acquire hand on that the peer is done with it. A stale value only means less room than there is.
    std::atomic<std::uint32_t> acked_{0};
    // The first refusal seen; the number + 1, stored after the reason (release).
    std::atomic<std::uint32_t> refused_{0}, refusal_{0};
    std::uint64_t staging_ = 0;                         // used up to here
    std::array<std::uint64_t, kFrames> staging_end_{};  // staging_ after each frame in flight
};

}  // namespace opennd::local
