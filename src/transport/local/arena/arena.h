// SPDX-License-Identifier: MIT
// Memory that the two processes of a link share: the segments of its connections, the frames and chunks of both sides, marks that say which
// connections have news, and a word of each side's listeners. Its pages become real as they are used.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/ref.h"
#include "platform/memory/shared_memory.h"
#include "transport/local/arena/chunks.h"
#include "transport/local/arena/names.h"
#include "transport/local/arena/segment.h"

namespace opennd::local {

// One bit for each connection with news for a side that sleeps. The peer sets bits, in any order and as often as it likes: each
// costs its reader one look at a connection between these two processes.
class NewsMarks {
public:
    static constexpr std::uint32_t kBits = kConnections;

    // Marks news of a connection, before the packet that wakes (sequentially consistent, as the word that says
    // "asleep").
    void set(std::uint32_t number) {
        words_[number / 64].fetch_or(std::uint64_t{1} << number % 64);
        summary_.fetch_or(std::uint64_t{1} << number / 64);
    }
    bool any() const { return summary_.load() != 0; }
    // Clears all bits, and calls `visit` with the number of each that was set. A bit is cleared before its visit.
    template <typename Visit>
    void take(Visit visit) {
        if (summary_.load(std::memory_order_relaxed) == 0) return;
        for (std::uint64_t words = summary_.exchange(0); words != 0; words &= words - 1) {
            const auto word = static_cast<std::uint32_t>(__builtin_ctzll(words));
            for (std::uint64_t bits = words_[word].exchange(0); bits != 0; bits &= bits - 1)
                visit(word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits)));
        }
    }

private:
    alignas(kLine) std::atomic<std::uint64_t> summary_;  // a bit for each word with a bit
    alignas(kLine) std::atomic<std::uint64_t> words_[kBits / 64];
};

// The words by which one side is told of news and of packets, in the link's arena: one cache line. Sequentially
// consistent. The other side's words are hints: wrong ones cost it news of its own, or this side a look.
struct Bell {
    // 1: a thread looks at `rung` and at the marks, and needs no packet. Written by the side that is told.
    alignas(kLine) std::atomic<std::uint32_t> looks;
    std::atomic<std::uint32_t> rung;  // set by the other side, and taken before the news is looked at
    // Packets that the other side has sent or is about to send: never fewer than have come.
    std::atomic<std::uint32_t> packets;
};

// Zeroed memory with the magic is a valid new one.
struct ArenaLayout {
    static constexpr std::uint64_t kMagic = 0x4f4e444172653034;  // "ONDAre04"

    alignas(kLine) std::uint64_t magic;
    // The marks for the link's maker and for its taker. All pairs here are in that order, but the segments' lanes.
    NewsMarks news[2];
    Bell bells[2];
    // The number of listeners of a side that were closed: the other side may ask on the link while none was since it
    // last found one. Written by its side; relaxed: a hint.
    alignas(kLine) std::atomic<std::uint32_t> closings[2];
    Names names[2];
    alignas(4096) Segment segments[kConnections];  // by berth_of()
    Frames frames[2];
    Chunks chunks[2];
};

class Arena final : public RefCounted {
public:
    // Makes an arena. Statuses of SharedMemory::create.
    static Result<Ref<Arena>> create();
    // Maps the arena of a peer. access_violation: it is none (logged); no_memory.
    static Result<Ref<Arena>> map(ForeignDescriptor descriptor);

    NewsMarks& news(std::size_t side) const { return layout().news[side]; }
    Bell& bell(std::size_t side) const { return layout().bells[side]; }
    std::atomic<std::uint32_t>& closings(std::size_t side) const { return layout().closings[side]; }
    Names& names(std::size_t side) const { return layout().names[side]; }
    Frames& frames(std::size_t side) const { return layout().frames[side]; }
    Chunks& chunks(std::size_t side) const { return layout().chunks[side]; }
    Segment& segment(std::uint32_t connection) const { return layout().segments[berth_of(connection)]; }
    // Resets the segment and its first frames, which nobody uses, to new ones.
    void reset(std::uint32_t connection) const;
    // Gives these bytes, which are not in use any more, back to the system, as far as they are whole pages.
    void give_back(const std::byte* begin, std::size_t bytes) const;

    int descriptor() const { return memory_.descriptor(); }
    void close_descriptor() { memory_.close_descriptor(); }

    explicit Arena(SharedMemory memory) : memory_(std::move(memory)) {}

private:
    ArenaLayout& layout() const { return *reinterpret_cast<ArenaLayout*>(memory_.data()); }

    SharedMemory memory_;
};

}  // namespace opennd::local
