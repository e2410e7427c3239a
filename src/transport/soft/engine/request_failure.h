// SPDX-License-Identifier: MIT
// What a program is told of an initiator request that fails: an explanation with its status, or a line of the log.
// `queue_pair` is the number of the queue pair that has the request.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "transport/soft/queues/send_queue.h"

namespace opennd::soft {

// The request is refused on this side. Each returns the status that it completes with.
[[gnu::cold]] Status refuse_bind(std::uint32_t queue_pair);  // ND1-EP-BIND-02
// ND2-IMM-PEER-01
[[gnu::cold]] Status refuse_immediate(std::uint32_t queue_pair, Operation operation);
[[gnu::cold]] Status refuse_invalidate(std::uint32_t queue_pair);     // ND2-QP-INV-02
[[gnu::cold]] Status refuse_fast_register(std::uint32_t queue_pair);  // NDK-QP-FREG-01
// The outbound read limit is 0 (ND2-QP-READ-03).
[[gnu::cold]] Status refuse_without_limit(std::uint32_t queue_pair, const SendSlot& read);

// The peer refused the request with `status`, or the channel did so for the peer. `taken`: the number of requests that the
// peer took before.
[[gnu::cold]] void report_refused(std::uint32_t queue_pair, const SendSlot& slot, Status status, std::uint32_t taken);

// Logs a request that failed. The reason has a line of its own, which does not know the request.
[[gnu::cold]] void log_failed(std::uint32_t queue_pair, const SendSlot& slot);
// Logs the number of canceled requests. Those that complete with another status have lines of their own.
[[gnu::cold]] void log_canceled(std::uint32_t queue_pair, const SendSlot& oldest, std::uint32_t count);

}  // namespace opennd::soft
