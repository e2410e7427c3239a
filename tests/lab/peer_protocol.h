// SPDX-License-Identifier: MIT
//
// A test's commands to the peer in the guest: a command in a Send, and an answer in one when it is done. Both sides
// have the same byte order. Only tokens go in Network Direct's form: their octets are those of the key on the wire.
#pragma once

#include <cstdint>

namespace opennd::lab {

enum class Verb : std::uint32_t {
    hello,            // answers with where its memory is
    fill,             // its memory [offset, +length) with the pattern of seed
    check,            // that it has this pattern
    receive,          // answers, then receives one message there and answers again
    send,             // from there, then answers
    send_invalidate,  // likewise, and `token` is to become invalid here
    write,            // from there to `address`, `token`; the answer follows its success
    read,             // from `address`, `token` into there; likewise
    write_and_wait,   // without an answer: the connection is to end
    read_and_wait,
    send_and_wait,
    traffic,  // `count` times, kOutstanding at once, a Write to `address` and a Read from kPart behind it, in pieces of kPiece
    leave,  // disconnects
    die,    // ends at once, like one that was killed
};

struct Command {
    Verb verb = Verb::hello;
    std::uint32_t token = 0;
    std::uint64_t offset = 0, length = 0;
    std::uint64_t address = 0;
    std::uint64_t seed = 0;
    std::uint32_t inlined = 0, count = 0;
};

struct Answer {
    std::uint32_t failure = 0;  // or the status of a work request (ibv_wc_status), or kOtherPattern
    std::uint32_t token = 0;
    std::uint64_t address = 0, length = 0;
};

inline constexpr std::uint64_t kMemory = 2 * 1024 * 1024;
// Of traffic in both directions: a quarter of each side's memory for each kind.
inline constexpr std::uint64_t kPart = kMemory / 4;
inline constexpr std::uint32_t kPiece = 4096, kOutstanding = 16;
inline constexpr std::uint64_t kPieces = kPart / kPiece;
inline constexpr std::uint32_t kOtherPattern = 1000;

inline unsigned char pattern_octet(std::uint64_t seed, std::uint64_t index) {
    return static_cast<unsigned char>((seed + 1) * 151 + index * 7 + (index >> 8) * 13);
}

}  // namespace opennd::lab
