// SPDX-License-Identifier: MIT
// Request failures: see request_failure.h.
#include "transport/soft/engine/request_failure.h"

#include <string_view>

#include "base/check_rule.h"
#include "base/explanation.h"
#include "base/log.h"
#include "base/shown_context.h"

namespace opennd::soft {
namespace {

// The meaning of a peer's refusal for a request, as parts of an explanation.
struct Refusal {
    std::string_view limit, remedy, requirement;
};
Refusal refusal_of(Operation operation, Status status) {
    const bool timed_out = status == Status::timed_out, unplaced = status == Status::remote_data_error;
    if (uses_receive(operation) && timed_out)
        return {"a receive that the peer posts in time; it posted none",
                "let the peer post receives before this side sends", "ND2-QP-SEND-05"};
    if (uses_receive(operation) && unplaced)
        return {"the peer's posted receive, which could not take the message",
                "let the peer post receives that are long enough, over memory with local write", "ND2-QP-SEND-07"};
    if (timed_out)  // nothing but a Send waits for a receive
        return {"a queue pair of the peer that serves requests; it was flushed before this one was done",
                "let the peer flush after the requests of this side are done", "ND2-QP-FLUSH-03"};
    if (unplaced)
        return {"requests that the peer accepts; it ended the connection before this one was done",
                "look for the reason in the peer's log: a rule broken here", "ND2-CON-CONN-05"};
    constexpr std::string_view kRemedy = "check token, range and rights with the peer; its log may say more";
    if (status == Status::internal_error)
        return {"a reason that a peer can have; it ended the connection with another", kRemedy, "ND2-QP-RDMA-03"};
    return {"memory that the peer has registered with the right for it", kRemedy, "ND2-QP-RDMA-03"};
}

}  // namespace

Status refuse_bind(std::uint32_t queue_pair) {
    return report(Status::access_violation,
                  {.object = phrase("queue pair {}", queue_pair),
                   .operation = "Bind",
                   .asked = "a window into memory that this adapter cannot give",
                   .limit = "memory registered here, and writable if the window is",
                   .remedy = "pass a registration that exists, with the rights the window has",
                   .requirement = "ND1-EP-BIND-02"});
}

Status refuse_invalidate(std::uint32_t queue_pair) {
    return report(Status::malformed_request,
                  {.object = phrase("queue pair {}", queue_pair),
                   .operation = "Invalidate",
                   .asked = "a window that is not bound on this queue pair, or a fast region "
                            "that is not registered",
                   .limit = "each binding once, on the queue pair where it was made, and each "
                            "fast registration once",
                   .remedy = "invalidate windows that are bound there, or registered regions, "
                             "once each",
                   .requirement = "ND2-QP-INV-02"});
}

Status refuse_immediate(std::uint32_t queue_pair, Operation operation) {
    return report(Status::not_supported,
                  {.object = phrase("queue pair {}", queue_pair),
                   .operation = name(operation),
                   .asked = "a message with immediate data, to a peer that has not said that it takes any",
                   .limit = "peers over loopback, shm and InfiniBand or RoCE; over TCP an OpenND that knows them",
                   .remedy = "send the 32 bits in the message, or give the peer a newer OpenND",
                   .requirement = "ND2-IMM-PEER-01"});
}

Status refuse_fast_register(std::uint32_t queue_pair) {
    return report(Status::malformed_request, {.object = phrase("queue pair {}", queue_pair),
                                              .operation = "FastRegister",
                                              .asked = "a registration of a region that is registered, or closed",
                                              .limit = "one at a time",
                                              .remedy = "invalidate it first, or use another region",
                                              .requirement = "NDK-QP-FREG-01"});
}

Status refuse_without_limit(std::uint32_t queue_pair, const SendSlot& read) {
    return report(Status::malformed_request,
                  {.object = phrase("queue pair {}", queue_pair),
                   .operation = "Read",
                   .asked = phrase("{} bytes, request context {}", read.length_bytes, shown_context(read.context)),
                   .limit = "the outbound read limit that was negotiated is 0",
                   .remedy = "pass a nonzero outbound limit to Connect or Accept here, and a nonzero inbound one at "
                             "the peer",
                   .requirement = "ND2-QP-READ-03"});
}

void report_refused(std::uint32_t queue_pair, const SendSlot& slot, Status status, std::uint32_t taken) {
    const bool send = uses_receive(slot.operation) && !is_write(slot.operation);
    const bool no_receive = uses_receive(slot.operation) && status == Status::timed_out;
    const Refusal refusal = refusal_of(slot.operation, status);
    (void)report(status, {.object = phrase("queue pair {}", queue_pair),
                          .operation = name(slot.operation),
                          .asked = send ? phrase("{} bytes, request context {}, after {} requests that the peer took",
                                                 slot.length_bytes, shown_context(slot.context), taken)
                                        : phrase("{} bytes at the peer's {:#x} through token {:#x}, request context {}",
                                                 slot.length_bytes, slot.remote_address, value(slot.remote_token),
                                                 shown_context(slot.context)),
                          .limit = refusal.limit,
                          .remedy = refusal.remedy,
                          .requirement = refusal.requirement,
                          .cause = LogCause::peer,
                          .rule = no_receive ? CheckRule::no_receive : CheckRule::none});
}

void log_failed(std::uint32_t queue_pair, const SendSlot& slot) {
    log(LogLevel::info, LogCause::peer, "queue pair {}: {} of {} bytes, request context {}, fails: {}", queue_pair,
        name(slot.operation), slot.length_bytes, shown_context(slot.context), name(slot.status));
}

void log_canceled(std::uint32_t queue_pair, const SendSlot& oldest, std::uint32_t count) {
    log(LogLevel::info, LogCause::peer,
        "queue pair {}: {} outstanding requests end; the oldest is {} of {} bytes, request context {}", queue_pair,
        count, name(oldest.operation), oldest.length_bytes, shown_context(oldest.context));
}

}  // namespace opennd::soft
