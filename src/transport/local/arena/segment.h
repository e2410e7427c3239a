// SPDX-License-Identifier: MIT
// The memory that two ends of one connection on one host share: two lanes, one for each direction. Numbers and lengths
// only, never pointers; a side copies the other's fields out once, then checks the copy.
//
// A lane has a producer and a consumer. Frames lie in slots of the producer's (Frames) and start with their sequence number, so that a
// small message and the word that announces it travel in one cache line. Longer payload lies in a chunk of the producer's (chunks.h),
// which the frame names.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "transport/soft/channel/channel.h"

namespace opennd::local {

// The most slots of a lane, two of which have no frame: a power of two; both lanes fit into a first-level cache.
inline constexpr std::uint32_t kFrames = 64;
inline constexpr std::uint32_t kFrameBytes = 128;  // processors fetch lines in pairs
inline constexpr std::size_t kLine = 64;

enum class FrameKind : std::uint8_t {
    send,               // payload of a Send, whole or a part, in order
    pull,               // a Send; the consumer fetches its payload: PullPieces
    write,              // payload of an RDMA Write that the consumer places, where the producer cannot
    read_request,       // an RDMA Read that the consumer answers, where the producer cannot
    read_reply,         // payload of such an answer, whole or a part
    send_invalidating,  // as send; the message ends a binding of the consumer's before it completes
    withdrawn,          // a request that the producer took back; the consumer passes over it
    receive_shown,      // a receive of the producer's, which waits for the consumer's next message: a ShownReceive
    placed,             // a Send whose payload the producer has put into the shown receive
    send_immediate,     // as send; the result of the receive gets immediate data
    written,            // a Write is placed, of `total` bytes; it takes a receive, whose result gets immediate data
};

enum FrameFlag : std::uint8_t {
    kFirst = 1,  // the message begins
    kLast = 2,   // the message ends
    kSolicited = 4,
};

// The header that every frame has, in two words: with its payload, a short message is three stores. Each further store is a
// further chance that a polling consumer takes the line away in between.
struct FrameMark {
    std::uint32_t sequence;  // number of the frame + 1
    FrameKind kind;
    std::uint8_t flags;  // FrameFlag
    std::uint16_t slot;  // of the frame after the next
};
struct FrameExtent {
    std::uint16_t length;        // bytes of payload of this frame
    std::uint16_t chunk;         // the number of the chunk that it lies in, if it is longer than Frame::payload
    std::uint32_t acknowledged;  // frames of the other lane that the producer has consumed
};

// Every field is written before `mark` (release) and read after it (acquire). Relaxed atomics, because a hostile producer
// may change them at any time: a consumer takes one copy.
struct alignas(kFrameBytes) Frame {
    std::atomic<std::uint64_t> mark;    // FrameMark
    std::atomic<std::uint64_t> extent;  // FrameExtent
    std::atomic<std::uint32_t> total;   // bytes of the whole message; with kFirst, but not with both that and kLast
    // write, read_request, send_invalidating: remote token; send_immediate, written: the immediate data
    std::atomic<std::uint32_t> token;
    std::atomic<std::uint64_t> address;  // write, read_request: where the payload goes or comes from
    std::byte payload[96];
};
static_assert(sizeof(Frame) == kFrameBytes && offsetof(Frame, payload) == 32);
inline constexpr std::uint32_t kFrameHeaderBytes = offsetof(Frame, payload);
static_assert(sizeof(FrameMark) == 8 && offsetof(FrameMark, sequence) == 0 && sizeof(FrameExtent) == 8);

// One stretch of the producer's memory; the payload of a pull frame is an array of these. The consumer looks the token up
// as for an RDMA Read, so that memory withdrawn meanwhile is not touched.
struct PullPiece {
    std::uint64_t address;  // in the producer's address space
    std::uint32_t length;   // bytes
    std::uint32_t token;    // the region's remote token
};
static_assert(sizeof(PullPiece) == 16);
// A posted receive, for a long message out of memory that its owner cannot map.
struct ShownReceive {
    std::uint64_t address;  // in the owner's address space
    std::uint32_t length;   // bytes
    std::uint32_t token;    // the region's remote token
    // The message that it waits for: the frames of the other lane before that message, but for those that show receives.
    std::uint32_t message;
    std::uint32_t unused;
};
static_assert(sizeof(ShownReceive) == 24);

// The most pieces of a message: one for each entry of a request.
inline constexpr std::uint32_t kMaxPullPieces = soft::kMaxSges;

// The word of attention in shared memory: soft::Attention, and asleep but rung already. A consumer that was rung is served:
// it says asleep anew, and then looks once more.
inline constexpr auto kPolling = static_cast<std::uint32_t>(soft::Attention::polling);
inline constexpr auto kAsleep = static_cast<std::uint32_t>(soft::Attention::asleep);
inline constexpr std::uint32_t kAsleepRung = 3;
static_assert(kPolling < kAsleep && kAsleep < kAsleepRung);

struct Lane {
    // The counters that the consumer writes. One line, since a waiting producer reads all of it.
    struct alignas(kLine) Counters {
        std::atomic<std::uint32_t> consumed;  // frames
        std::atomic<std::uint32_t> refused;   // number + 1 of the frame that ended the connection, else 0
        std::atomic<std::uint32_t> refusal;   // a Status (LaneState::is_refused checks it); stored before `refused`
    } counters;
    // The wishes of the consumer, which it writes seldom; the producer reads them after every frame. A consumer that is
    // asleep while a frame waits has been rung (tests/protocols/attention.pml).
    struct alignas(kLine) Wishes {
        // soft::Attention or kAsleepRung (which the producer writes), and the consumer's crowds: LaneWish (names.h).
        std::atomic<std::uint32_t> attention;
        // 1: the producer begins no access to the consumer's memory. The consumer writes it when its queue pair is closed, the
        // producer when the socket reports the end.
        std::atomic<std::uint32_t> closed;
        // 1: the producer begins to place no message into a shown receive. Written by the consumer.
        std::atomic<std::uint32_t> receives_closed;
    } wishes;
    // The marks of the producer's accesses, which it writes. `token` and `fetching`: the tokens through which it
    // accesses the consumer's memory at the moment, for Reads and Writes and for messages that it fetches, else 0.
    // `taking`: 1 while it takes frames out of the other lane, else 0. `placing`: 1 while it puts a message into a
    // shown receive, through `token`, else 0. No access is in progress once its token was killed, its lane closed, or
    // its frame hidden, a heavy barrier passed and the mark was seen at 0 (tests/protocols/deregistration.pml,
    // taking_back.pml).
    struct alignas(kLine) Access {
        std::atomic<std::uint32_t> token;
        std::atomic<std::uint32_t> fetching;
        std::atomic<std::uint32_t> taking;
        std::atomic<std::uint32_t> placing;
    } access;
};

// Connections of a link, by numbers, of which each side gives every second one (link.h). Each takes 46 KB of
// the address space of each side (docs/decisions/0082).
inline constexpr std::uint32_t kConnections = 512;
// The place of a connection's memory among those of its link: one side's connections lie together.
constexpr std::uint32_t berth_of(std::uint32_t connection) {
    return connection % 2 * (kConnections / 2) + connection / 2;
}

// A connection's part of the arena (arena.h); zeroed memory is a valid new one. Lane 0 is produced by the active side.
struct Segment {
    Lane lanes[2];
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);

// The memory of a link for frames: slots of one side, the producer's. Each frame names the slot of the frame after the next, so that a lane has no more slots
// than it has frames on their way. The producer's end is frame_slots.h.
//
// Slots that each connection has for itself; the first two have its first frames.
inline constexpr std::uint32_t kHomeSlots = 4;
// Slots beyond those, which connections have while they need them.
inline constexpr std::uint32_t kSharedSlots = 8192;
inline constexpr std::uint32_t kFirstShared = kConnections * kHomeSlots;
inline constexpr std::uint32_t kSlots = 16384;  // a power of two
static_assert(kFirstShared + kSharedSlots <= kSlots);

struct Frames {
    alignas(4096) Frame slots[kSlots];

    // Returns the slot of any number.
    Frame& at(std::uint32_t slot) { return slots[slot % kSlots]; }
    static constexpr std::uint32_t home(std::uint32_t connection) { return berth_of(connection) * kHomeSlots; }
};

}  // namespace opennd::local
