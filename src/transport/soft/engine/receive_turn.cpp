// SPDX-License-Identifier: MIT
// ReceiveTurn: see receive_turn.h.
#include "transport/soft/engine/receive_turn.h"

#include "base/checker.h"
#include "base/explanation.h"
#include "base/log.h"
#include "base/shown_context.h"
#include "transport/soft/engine/shared_receive_queue.h"

namespace opennd::soft {

Status ReceiveTurn::begin_other_receive(std::uint32_t length_bytes, std::span<const Sge>& target,
                                        ResolvedMemory& memory) {
    ReceiveQueue& queue = responder_.queue_;
    if (queue.empty() && (!responder_.shared_ || !responder_.shared_->take(responder_.owner_, queue, progress_)))
        return starve();
    responder_.starved_ = false;
    target = queue.sges();
    const Status status = check_room(length_bytes, target);
    return ok(status) ? continue_receive(target, memory) : status;
}

[[gnu::cold]] Status ReceiveTurn::starve() {
    if (Checker* const checks = checker(); checks && !responder_.starved_)
        checks->tell({CheckRule::no_receive, phrase("queue pair {}", responder_.number_),
                      responder_.shared_
                          ? phrase("a message of the peer came, and its shared receive queue is empty")
                          : phrase("message {} of the peer came, and {} receives have been posted so far",
                                   responder_.queue_.consumed() + 1, responder_.queue_.consumed())});
    if (!responder_.starved_ && !responder_.waits_) ++responder_.starvation_;
    if (!responder_.starved_) responder_.note_wait();
    responder_.starved_ = true;
    return Status::would_block;
}

Status ReceiveTurn::check_room(std::uint32_t length_bytes, std::span<const Sge> target) {
    const std::uint64_t room = total_length(target);
    if (room >= length_bytes) return Status::success;
    (void)report(Status::receive_too_small, {.object = phrase("queue pair {}", responder_.number_),
                                             .operation = "Receive",
                                             .asked = phrase("room for a message of {} bytes, request context {}",
                                                             length_bytes, shown_context(responder_.queue_.context())),
                                             .limit = phrase("{} bytes, as the receive was posted", room),
                                             .remedy = "post receives as long as the longest message",
                                             .requirement = "ND2-QP-SEND-07",
                                             .cause = LogCause::peer});
    return fail_head(Status::receive_too_small);
}

Status ReceiveTurn::continue_receive(std::span<const Sge>& target, ResolvedMemory& memory) {
    target = responder_.queue_.sges();
    const Status status = check_local(responder_.tokens_, target, Access::local_write, memory);
    if (ok(status)) return status;
    // The reason has a line of its own, which does not know the receive.
    log(LogLevel::info, LogCause::peer, "queue pair {}: Receive with request context {} fails: {}", responder_.number_,
        shown_context(responder_.queue_.context()), name(status));
    return fail_head(status);
}

[[gnu::cold]] Status ReceiveTurn::fail_head(Status status) {
    const Status told = responder_.initiator_.tell_failure(status);
    responder_.complete_head(
        told, 0, Arrival::solicited, progress_, Token::none,
        told == Status::canceled ? 0 : channel_.failure_code(Operation::receive, status));  // NDK-QP-COMP-04
    responder_.failed_ = true;
    return status;
}

void ReceiveTurn::lose_receive() { (void)fail_head(refuse_absent(name(Operation::receive))); }

void ReceiveTurn::lose_remote(Access wanted) {
    (void)refuse_absent(wanted == Access::remote_write ? "the peer's Write" : "the peer's Read");
    responder_.failed_ = true;
}

Status ReceiveTurn::take_away(Token token) {
    if (take_window(token) || take_fast_registration(token)) return Status::success;
    (void)report(
        Status::malformed_request,
        {.object = phrase("queue pair {}", responder_.number_),
         .operation = "the peer's SendAndInvalidate",
         .asked = phrase("the end of a window or registration with the remote token {:#x}", value(token)),
         .limit = "windows that are bound on this connection, and fast registrations of this adapter, each once",
         .remedy = "let only one side end it, and let the peer use its newest descriptor",
         .requirement = "ND1-EP-SINV-04",
         .cause = LogCause::peer});
    return fail_head(Status::malformed_request);
}

bool ReceiveTurn::take_fast_registration(Token token) {
    const Ref<SoftFastRegion> region = responder_.regions_.of_remote(token);
    if (!region || !region->begin_end(SoftFastRegion::By::peer)) return false;
    begin_long_copy();
    region->finish_end();
    end_long_copy();
    return true;
}

bool ReceiveTurn::take_window(Token token) {
    const Ref<SoftWindowBinding> binding = responder_.windows_.take(token);
    if (!binding) return false;
    binding->set_taken_by_peer();
    begin_long_copy();
    binding->invalidate(channel_, SoftWindowBinding::By::peer);
    end_long_copy();
    if (binding->invalidated_context())
        responder_.completions_.push({Status::success, Operation::remote_invalidation, Arrival::none, 0,
                                      responder_.context_, binding->invalidated_context()},
                                     {}, progress_);
    return true;
}

Status ReceiveTurn::check_remote(Token token, std::uint64_t address, std::uint32_t length_bytes, Access wanted,
                                 std::span<const Sge>& places, ResolvedMemory& memory) {
    MemoryGrant grant;
    const bool open = responder_.tokens_.find_remote(token, grant) && grant.open_to(responder_.scope_) &&
                      any_of(grant.access, wanted);
    if (open && grant.covers(address, length_bytes)) {
        places = memory.plain(address, length_bytes);
    } else if (!open || !memory.resolve_remote(responder_.tokens_, token, address, length_bytes, wanted, places)) {
        responder_.failed_ = true;
        return report(
            Status::access_violation,
            {.object = phrase("queue pair {}", responder_.number_),
             .operation = wanted == Access::remote_write ? "the peer's Write" : "the peer's Read",
             .asked = phrase("{} bytes at {:#x} through remote token {:#x}", length_bytes, address, value(token)),
             .limit = "memory registered here with the right for it",
             .remedy = "give the peer a live token with ND_MR_FLAG_ALLOW_REMOTE_READ or _WRITE, and the range "
                       "it covers",
             .requirement = "ND2-QP-RDMA-03",
             .cause = LogCause::peer});
    }
    return Status::success;
}

}  // namespace opennd::soft
