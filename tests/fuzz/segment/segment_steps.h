// SPDX-License-Identifier: MIT
// The steps of a script for segment_fuzzer.cpp, each one byte. Corpora depend on the order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd::fuzz {

enum class SegmentStep : std::uint8_t {
    // The honest side.
    receive,
    send,
    read,
    write,
    bind,
    invalidate,
    poll,
    arm,
    serve,
    deregister,
    flush,
    // The hostile one.
    say,
    offer,
    rewrite,
    acknowledge,
    refuse,
    wish,
    scribble,
    grant,
    give_segment,
    misname,
};
inline constexpr std::size_t kSegmentSteps = 21;

}  // namespace opennd::fuzz
