// SPDX-License-Identifier: MIT
// The other end of the segment, which keeps no rule: frames of any content, impossible counts, answers without a
// question, changes to frames already read, false tokens.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "fuzz/script.h"
#include "fuzz/segment/honest_side.h"
#include "transport/local/arena/segment.h"
#include "transport/local/consumer.h"

namespace opennd::fuzz {

class HostilePeer {
public:
    // `reach`: the honest side's belief about this peer's memory.
    explicit HostilePeer(local::PeerMemory::Reach reach);
    ~HostilePeer();
    HostilePeer(const HostilePeer&) = delete;
    HostilePeer& operator=(const HostilePeer&) = delete;

    // The honest end; once.
    Ref<local::RingChannel> channel();

    // The next frame in order: well placed, of any content.
    void say(Script& script, const HonestSide& honest);
    // A list of memory to fetch, in the next frame.
    void offer(Script& script);
    // Changes a frame that was said before, or says it differently once it was read.
    void rewrite(Script& script, const HonestSide& honest);
    // Acknowledges a few frames of the honest side; or any count.
    void acknowledge(Script& script);
    // Names any chunk in the newest frame.
    void misname(Script& script);
    void refuse(Script& script);
    void wish(Script& script);
    // Any bytes anywhere in the segment.
    void scribble(Script& script);
    // Something of the above at random, by single stores of atomics: from another thread, while the honest side runs.
    void interfere(std::minstd_rand& random);
    // Likewise any word of the segment, payload too.
    void interfere_with_bytes(std::minstd_rand& random);
    // Tells of memory that may not exist.
    void grant(Script& script);
    // Sends a segment, asked for or not.
    void give_segment(Script& script);
    // In no access, so that a Deregister need not wait (its patience has a test of its own).
    void leave_accesses();

    RemoteTarget target(Script& script) const;

private:
    local::Lane& out() { return segment_->lanes[1]; }  // this side produces: it is the passive one
    local::Lane& in() { return segment_->lanes[0]; }
    void fill(local::Frame& frame, Script& script, const HonestSide& honest);
    void publish(local::Frame& frame);
    std::uint16_t chunk(std::uint32_t length) const;
    static std::uint32_t slot_of(std::uint32_t frame);
    local::Frame& frame(std::uint32_t number) { return frames_->at(slot_of(number)); }
    static constexpr std::size_t kFramesAtStake = local::kFrames * sizeof(local::Frame);
    std::byte& byte_at(std::size_t offset);
    std::uint64_t address(Script& script, const HonestSide& honest) const;
    std::uint32_t token(Script& script, const HonestSide& honest) const;

    local::Segment* segment_ = nullptr;         // the channel's
    local::Frames* frames_ = nullptr;           // this side's
    local::Chunks* chunks_ = nullptr;           // likewise
    std::unique_ptr<local::Consumer> heard_;    // of the honest side's frames
    local::PeerMemory* peer_memory_ = nullptr;  // the channel's
    Ref<local::RingChannel> channel_;
    std::uint32_t next_ = 0;
};

}  // namespace opennd::fuzz
