// SPDX-License-Identifier: MIT
// The names by which the producers of one side of a link tell the crowds of the other side, its consumers, of
// connections: a ring of names for each crowd, in memory that both share. A lane says which crowds of its consumer want
// its connection named (LaneWish). The consumer's end is link_source.h, the producer's name_writer.h;
// tests/protocols/names.pml has the order of their loads and stores.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "transport/local/arena/segment.h"
#include "transport/soft/channel/channel.h"

namespace opennd::local {

// The number of crowds of one side that get names at a time, as many as LaneWish has bits for; the queue pairs of further ones
// have turns.
inline constexpr std::uint32_t kCrowds = 24;

// Lane::Wishes::attention: the low byte is a soft::Attention or kAsleepRung; above it is a bit for each crowd of the consumer's
// that wants this connection named.
struct LaneWish {
    static constexpr std::uint32_t kCrowdsShift = 8;

    static constexpr std::uint32_t attention(std::uint32_t word) { return word & ((1u << kCrowdsShift) - 1); }
    static constexpr std::uint32_t crowds(std::uint32_t word) { return word >> kCrowdsShift & ((1u << kCrowds) - 1); }
    static constexpr std::uint32_t with(std::uint32_t attention, std::uint32_t crowds) {
        return attention | crowds << kCrowdsShift;
    }
};

// The names for the crowds of one side, the consumer's.
struct Names {
    struct Crowd {
        // The word of attention, as that of a lane, for all connections that are named to the crowd. The producer reads
        // it after every name. Release, for a nudge: the thread that is nudged sees which crowds are polled (acquire in
        // NameWriter::is_polled).
        alignas(kLine) std::atomic<std::uint32_t> attention;
        // The number of names that the consumer has taken: stored before it looks at their lanes, with a full barrier
        // in between. A producer leaves a connection unnamed while its last name is not taken.
        alignas(kLine) std::atomic<std::uint64_t> taken;
    };
    Crowd crowds[kCrowds];
    // 1: pollers of the consumer may have stopped silently. Written by the producer, before a packet; the consumer exchanges it.
    alignas(kLine) std::atomic<std::uint32_t> nudged;
    // The number of connections outside crowds with attention awake or polling. Counted by the consumer, released
    // behind its list of them; the producer nudges nobody for 0.
    alignas(kLine) std::atomic<std::uint32_t> polled;

    // The ring of names, written by the producer. A name is the number of a connection, and above it the position in
    // the ring + 1, so that a place tells whether it has the next name (release, acquire: the frame comes before its
    // name). Each connection is there once at most: the ring has room.
    struct Ring {
        alignas(kLine) std::atomic<std::uint64_t> names[kConnections];
    };
    Ring rings[kCrowds];

    static constexpr std::uint64_t name(std::uint32_t number, std::uint64_t position) {
        return (position + 1) << 32 | number;
    }
    static constexpr bool is_at(std::uint64_t name, std::uint64_t position) {
        return static_cast<std::uint32_t>(name >> 32) == static_cast<std::uint32_t>(position + 1);
    }
};

}  // namespace opennd::local
