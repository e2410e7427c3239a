// SPDX-License-Identifier: MIT
//
// PointPlan: everything about one point of a measurement (a test at a size), as the client decides and the server obeys.
#pragma once

#include "network/memory/memory_buffer.h"
#include "perf/plan/send_credit.h"

#include <cstddef>
#include <cstdint>

namespace nd {

enum class Test : std::uint32_t {
    send_lat,
    send_bw,
    read_lat,
    read_bw,
    write_lat,
    write_bw,
    wake_lat,       // send_lat with both sides asleep until notified
    pairs_lat,      // send_lat over many queue pairs of one completion queue
    connect_rate,   // connections one after the other
    register_lat,   // registration and deregistration, which no peer takes part in
    write_imm_lat,  // ping-pong of Writes with immediate data, each of which takes a receive
    write_imm_bw,
};

// The tests of `all`: how data move.
constexpr Test kAllTests[] = {Test::send_lat, Test::send_bw,   Test::read_lat,
                              Test::read_bw,  Test::write_lat, Test::write_bw};
constexpr Test kOtherTests[] = {Test::wake_lat,     Test::pairs_lat,     Test::connect_rate,
                                Test::register_lat, Test::write_imm_lat, Test::write_imm_bw};

const char* name_of(Test test);
constexpr bool is_latency(Test test) {
    return test != Test::send_bw && test != Test::read_bw && test != Test::write_bw && test != Test::connect_rate &&
           test != Test::write_imm_bw;
}
// A ping-pong: a sample is a round trip, half of it the latency.
constexpr bool is_ping_pong(Test test) {
    return test == Test::send_lat || test == Test::write_lat || test == Test::wake_lat || test == Test::pairs_lat ||
           test == Test::write_imm_lat;
}
constexpr bool has_immediate(Test test) { return test == Test::write_imm_lat || test == Test::write_imm_bw; }
// A stream of messages, each of which takes a receive of the peer.
constexpr bool is_message_stream(Test test) { return test == Test::send_bw || test == Test::write_imm_bw; }
constexpr bool takes_receives(Test test) {
    return test == Test::send_lat || test == Test::wake_lat || test == Test::pairs_lat || has_immediate(test) ||
           is_message_stream(test);
}

inline constexpr std::uint32_t kMostQueuePairs = 16384;

// Travels to the server: fixed-width members, no padding.
struct PointPlan {
    Test test;
    MemoryKind memory;
    std::uint64_t size;        // bytes of a message or operation
    std::uint64_t iterations;  // 0: until duration_ms
    std::uint32_t duration_ms;
    std::uint32_t warmup;  // iterations before the measured ones
    std::uint32_t queue_pairs;
    std::uint32_t depth;  // initiator requests outstanding
    std::uint32_t receive_depth;
    std::uint32_t moderation;    // every how many requests asks for a result
    std::uint32_t post_list;     // posts between polls
    std::uint32_t inline_bytes;  // requests up to this size are inline
    std::uint32_t events;        // wait with Notify instead of polling
    std::uint32_t bidirectional;
    std::uint32_t verify;
    std::uint32_t sample;      // keep the time of each iteration (latency tests, at the client)
    std::uint32_t spread;      // pairs_lat: messages on all queue pairs in turn, not on the first only
    std::uint32_t every_time;  // keep those times for the report, not only what the tables say about them
    std::uint32_t reads;       // in progress at a time on a queue pair, of each side
    std::uint32_t reserved;    // 0

    // Messages of a stream that are no data: perf/plan/send_credit.h.
    std::uint32_t credit_messages() const { return is_message_stream(test) ? SendCredit::kMessages : 0; }
    // The receives of a queue pair.
    std::uint32_t receives() const { return receive_depth + credit_messages(); }
    std::uint32_t initiator_requests() const { return depth + credit_messages(); }

    // The results of all queue pairs.
    std::uint64_t results() const {
        return queue_pairs * (std::uint64_t{receive_depth} + depth + 2 * credit_messages());
    }

    // The length of the message that ends a stream: no data have it. Empty messages are credit.
    std::uint64_t stop_bytes() const { return size == 1 ? 2 : 1; }
    // The length of a receive's buffer, or of a Read's.
    std::uint64_t sink_bytes() const { return is_message_stream(test) && size < stop_bytes() ? stop_bytes() : size; }

    // Buffers for each queue pair and purpose. One, always the same, unless contents must survive until verified.
    std::uint32_t slots() const { return verify == 0 ? 1 : depth > receives() ? depth : receives(); }

    // Whether the server takes part, or leaves its memory to the client.
    bool server_takes_part() const {
        return takes_receives(test) || test == Test::write_lat || test == Test::connect_rate || bidirectional != 0;
    }
};
static_assert(sizeof(PointPlan) == 88);

// Throws std::runtime_error naming the first value that makes no sense or exceeds a limit of the adapter. A server
// calls it too: the client's plan is not trusted.
void check_plan(const PointPlan& plan, const ND2_ADAPTER_INFO& limits);

}  // namespace nd
