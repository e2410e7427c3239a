// SPDX-License-Identifier: MIT
//
// Read point_plan.h first.
#include "perf/plan/point_plan.h"

#include <stdexcept>
#include <string>

namespace nd {
namespace {

void require(bool fits, const char* what, std::uint64_t value, std::uint64_t lowest, std::uint64_t highest,
             const char* limit) {
    if (fits) return;
    throw std::runtime_error(std::string(what) + " " + std::to_string(value) + " is outside " + std::to_string(lowest) +
                             " to " + std::to_string(highest) + " (" + limit + ")");
}

void require_range(const char* what, std::uint64_t value, std::uint64_t lowest, std::uint64_t highest,
                   const char* limit) {
    require(value >= lowest && value <= highest, what, value, lowest, highest, limit);
}

std::uint64_t room_beside_credit(ULONG limit, const PointPlan& plan) {
    return limit > plan.credit_messages() ? limit - plan.credit_messages() : 0;
}

}  // namespace

const char* name_of(Test test) {
    switch (test) {
        case Test::send_lat: return "send_lat";
        case Test::send_bw: return "send_bw";
        case Test::read_lat: return "read_lat";
        case Test::read_bw: return "read_bw";
        case Test::write_lat: return "write_lat";
        case Test::write_bw: return "write_bw";
        case Test::wake_lat: return "wake_lat";
        case Test::pairs_lat: return "pairs_lat";
        case Test::connect_rate: return "connect_rate";
        case Test::register_lat: return "register_lat";
        case Test::write_imm_lat: return "write_imm_lat";
        case Test::write_imm_bw: return "write_imm_bw";
    }
    return "unknown test";
}

void check_plan(const PointPlan& plan, const ND2_ADAPTER_INFO& limits) {
    constexpr std::uint32_t kAnyNumber = 0xFFFFFFFF;
    require_range("test", static_cast<std::uint32_t>(plan.test), 0, static_cast<std::uint32_t>(Test::write_imm_bw),
                  "the tests this version knows");
    require_range("memory kind", static_cast<std::uint32_t>(plan.memory), 0, 1, "private, mappable");
    if (plan.iterations == 0 && plan.duration_ms == 0)
        throw std::runtime_error("neither a number of iterations (-n) nor a duration (-D) is given");
    require_range("size (-s)", plan.size, 1, limits.MaxTransferLength, "MaxTransferLength of the adapter");
    require_range("queue pairs (-q)", plan.queue_pairs, 1, kMostQueuePairs, "limit of this command");
    require_range("depth (-t)", plan.depth, 1, room_beside_credit(limits.MaxInitiatorQueueDepth, plan),
                  "MaxInitiatorQueueDepth of the adapter, which a stream of messages needs 2 of for credit");
    require_range("receive depth (-r)", plan.receive_depth, 2, room_beside_credit(limits.MaxReceiveQueueDepth, plan),
                  "MaxReceiveQueueDepth of the adapter, which a stream of messages needs 2 of for credit");
    require_range("completion queue depth, -q times (-t + -r), and 4 with send_bw and write_imm_bw,", plan.results(), 1,
                  limits.MaxCompletionQueueDepth, "MaxCompletionQueueDepth of the adapter");
    require_range("moderation (-Q)", plan.moderation, 1, plan.depth,
                  "-t: no request would come free if none of them asked for a result");
    require_range("post list (-l)", plan.post_list, 1, kAnyNumber, "limit of this command");
    require_range("inline size (-I)", plan.inline_bytes, 0, limits.MaxInlineDataSize,
                  "MaxInlineDataSize of the adapter");
}

}  // namespace nd
