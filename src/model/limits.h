// SPDX-License-Identifier: MIT
// The abilities of an adapter. Every maximum is usable together with every other in one queue pair (ND2-ADP-LIM-02).
#pragma once

#include <cstdint>

namespace opennd {

struct AdapterLimits {
    std::uint64_t max_registration_bytes;
    std::uint32_t max_initiator_sges;
    std::uint32_t max_receive_sges;
    std::uint32_t max_read_sges;
    std::uint32_t max_transfer_bytes;
    std::uint32_t max_inline_bytes;
    std::uint32_t max_inbound_reads;
    std::uint32_t max_outbound_reads;
    std::uint32_t max_receive_depth;
    std::uint32_t max_initiator_depth;
    std::uint32_t max_shared_receive_depth;  // 0: no shared receive queues
    std::uint32_t max_completion_depth;
    std::uint32_t inline_threshold_bytes;  // up to here inline is the faster way
    std::uint32_t large_threshold_bytes;   // from here on the transport copies straight between the two buffers
    std::uint32_t max_caller_data_bytes;
    std::uint32_t max_callee_data_bytes;
    // The largest of either for a face that allows as much as MPA does (NDK-MAP-02).
    std::uint32_t max_private_data_bytes;
};

struct QueuePairLimits {
    std::uint32_t receive_depth = 0;
    std::uint32_t initiator_depth = 0;
    std::uint32_t receive_sges = 0;
    std::uint32_t initiator_sges = 0;
    std::uint32_t inline_bytes = 0;
};

struct SharedReceiveQueueLimits {
    std::uint32_t depth = 0;
    std::uint32_t sges = 0;
    std::uint32_t threshold = 0;  // fewer receives left than this make an event; 0: never
};

// RDMA Reads in progress at a time, one value for each direction (ND2-CON-LIM-01 to -06).
struct ReadLimits {
    std::uint32_t inbound = 0;
    std::uint32_t outbound = 0;
};

}  // namespace opennd
