// SPDX-License-Identifier: MIT
//
// Program: what two sides of some connections do, as a value: drawn from a seed (generator.h), run (side.h), judged (oracle.h),
// shrunk (shrink.h), written as text and read again, or written as C++ (listing.h). Side 0 connects, side 1 listens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/vocabulary/driver.h"
#include "support/buffer.h"

namespace opennd::modeled {

using conformance::RequestKind;
using support::MemoryKind;

// ---- the memory of a side -------------------------------------------------------------------------------------------
//
// Two registered regions, each with slots for the side's own requests, an area for a window, and at its end an area that the peer reads
// and writes by the region's token. Areas 0 and 1 belong to the regions' tokens, areas 2 and 3 to windows 0 and 1.

inline constexpr unsigned kSides = 2, kMostPairs = 2, kRegions = 2, kWindows = 2, kAreas = kRegions + kWindows;
inline constexpr std::size_t kLongest = 60'000;        // of a request
inline constexpr std::size_t kGap = 16;                // around the pieces of a request: must stay as it is
inline constexpr std::size_t kSlotBytes = 64 * 1024;   // a request of several pieces with its gaps
inline constexpr std::size_t kSlots = 8;               // of a region
inline constexpr std::size_t kAreaBytes = 128 * 1024;  // in the second half lie only Writes that go beyond it
inline constexpr std::size_t kRegionBytes = kSlots * kSlotBytes + 2 * kAreaBytes;
inline constexpr std::size_t kMemoryBytes = kRegions * kRegionBytes;

inline constexpr std::size_t slot_at(unsigned region, std::size_t slot) {
    return region * kRegionBytes + slot * kSlotBytes;
}
inline constexpr std::size_t area_at(unsigned area) {
    return slot_at(area % kRegions, kSlots) + (1 - area / kRegions) * kAreaBytes;
}

inline constexpr std::byte kPrepared{0xC3};  // around a request's bytes, and in place of those that it will bring
inline constexpr std::byte kReturned{0x77};  // memory that its program has back

// ---- operations -----------------------------------------------------------------------------------------------------

enum class Kind {
    receive,
    send,
    write,
    read,
    bind,
    invalidate,
    poll,       // takes up to `length` results
    drain,      // takes results until nothing of this side's initiators is outstanding, or nothing more comes
    arm,        // the received queue; `object` is the type
    cancel,     // all pending arms
    resize,     // both queues, to `length`
    modify,     // the shared receive queue, to `length`
    await_end,  // asks to be told when the peer ends the connection
    flush,      // from here on `pair` is over
    disconnect,
    release_queue_pair,
    release_connector,
    withdraw,        // region `object`
    enroll,          // region `object`, again
    release_window,  // window `object`; another takes its place
    kill,            // the process of the other side
};

enum class Spoil {
    none,
    stale,    // the token of an entry is that of a registration that is over
    outside,  // an entry goes beyond its region
    token,    // the peer's token is none
    beyond,   // the peer's range goes an octet beyond its area
    foreign,  // the window was bound on another connection
    absent,   // an entry lies in registered memory of which pages were taken away
};

struct Operation {
    Kind kind = Kind::poll;
    unsigned id = 0;  // where it stood when it was drawn: names its bytes, however much is shrunk away around it
    unsigned side = 0;
    bool waits = false;  // until everything before it in the list has returned
    unsigned pair = 0;
    unsigned object = 0;  // region of its buffers, window, region or type of notification
    unsigned area = 0;    // of the peer
    std::uint32_t offset = 0, length = 0, pieces = 0;
    unsigned flags = 0;  // conformance::Flags
    Spoil spoil = Spoil::none;

    bool operator==(const Operation&) const = default;
    bool is_request() const { return kind <= Kind::invalidate; }
    bool is_initiator() const { return is_request() && kind != Kind::receive; }
    bool has(conformance::Flags flag) const { return (flags & flag) != 0; }
    bool is_silent() const { return has(conformance::kSilent); }
    // It fails unless an earlier one does. A request of no bytes never does: its memory is not checked.
    bool is_spoiled() const { return spoil != Spoil::none && length != 0; }
    // Where it reads or writes the area.
    std::size_t place() const { return spoil == Spoil::beyond ? kAreaBytes - length + 1 : offset; }
    bool is_spoiled_here() const {
        return is_spoiled() && (spoil == Spoil::stale || spoil == Spoil::outside || spoil == Spoil::absent);
    }
};

// The environment of a program's processes.
enum class World {
    plain,
    frames,     // the kernel lets nobody copy from process to process: private memory travels in frames
    impatient,  // a message waits for its receive for a moment only
};
inline constexpr std::int64_t kImpatience_ms = 20;

struct Setting {
    std::string face = "Nd2", transport = "shm";
    World world = World::plain;
    unsigned processes = 1, pairs = 1;
    bool wire_may_break = false;  // at any time once all are connected, by nobody's doing
    std::uint32_t initiator_depth = 16, receive_depth = 16;
    std::uint32_t completion_depth = 64;
    unsigned teardown = 0;              // draws the order of the last releases
    std::array<bool, kSides> abrupt{};  // everything is released while requests are outstanding
    std::array<bool, kSides> shared_receives{};
    std::array<bool, kSides> polled{};  // a second thread takes the results all the time
    std::array<MemoryKind, kSides> memory{};
    std::array<unsigned, kSides> rights{conformance::kAllRights,
                                        conformance::kAllRights};  // of region 1; region 0 has all

    bool operator==(const Setting&) const = default;
};

struct Program {
    std::uint64_t seed = 0;
    Setting setting;
    std::vector<Operation> operations;

    bool operator==(const Program&) const = default;
};

// ---- derived from a program -----------------------------------------------------------------------------------------

RequestKind request_kind(Kind kind);
const char* name_of(Kind kind);

// As many entries as a request has: 32 with NDK, else 16.
std::uint32_t most_pieces(const Setting& setting);

// The pieces of an operation's bytes in its slot, and where the slot is free again.
struct Piece {
    std::size_t at, length;
};
std::vector<Piece> pieces_of(const Program& program, const Operation& operation);
std::size_t extent_of(const std::vector<Piece>& pieces);

// Seeds of patterns: of the bytes that an operation sends or writes, and of an area's content at its n-th grant.
std::uint64_t bytes_seed(const Program& program, const Operation& operation);
std::uint64_t area_seed(const Program& program, unsigned side, unsigned area, std::uint32_t grant);

// The rights of a region, which its area grants the peer without a window.
unsigned rights_of(const Program& program, unsigned side, unsigned region);

// ---- text -----------------------------------------------------------------------------------------------------------

// A line for the setting, and one for each operation. parse() throws std::runtime_error.
std::string text_of(const Program& program);
std::string text_of(const Operation& operation);
Program parse(const std::string& text);

}  // namespace opennd::modeled
