// SPDX-License-Identifier: MIT
// Responder: see responder.h.
#include "transport/soft/engine/responder.h"

#include "base/explanation.h"
#include "transport/soft/engine/shared_receive_queue.h"
#include "transport/soft/memory/memory_check.h"

namespace opennd::soft {
namespace {

[[gnu::cold]] Status refuse_post() {
    return explain(Status::malformed_request, {.object = "queue pair",
                                               .operation = "Receive",
                                               .asked = "a receive of its own",
                                               .limit = "none: its receives come from a shared receive queue",
                                               .remedy = "post them to the shared receive queue",
                                               .requirement = "ND2-QP-RECV-01"});
}

}  // namespace

Responder::Responder(const QueuePairParameters& parameters, TokenTable& tokens, SoftCompletionQueue& completions,
                     Initiator& initiator, BoundWindows& windows, FastRegions& regions, std::uint32_t scope,
                     SoftSharedReceiveQueue* shared, SoftQueuePair& owner)
    : tokens_(tokens),
      completions_(completions),
      context_(parameters.context),
      initiator_(initiator),
      windows_(windows),
      regions_(regions),
      scope_(scope),
      waits_(shared != nullptr || parameters.waits_for_receives),
      shared_(shared),
      owner_(owner),
      queue_(parameters.limits.receive_depth, parameters.limits.receive_sges) {}

Status Responder::post(const WorkRequest& request) {
    if (queue_.full()) [[unlikely]]
        return shared_ ? refuse_post() : Status::queue_full;  // with a shared queue, this one has depth 0
    queue_.append(request.context, request.sges);
    return Status::success;
}

void Responder::flush(Progress& progress) {
    while (!queue_.empty()) complete_head(Status::canceled, 0, false, progress);
    if (shared_) shared_->forget(owner_);
}

Status Responder::begin_other_receive(std::uint32_t length_bytes, std::span<const Sge>& target,
                                      ResolvedMemory& memory) {
    if (queue_.empty() && (!shared_ || !shared_->take(owner_, queue_, *progress_))) return starve();
    starved_ = false;
    target = queue_.sges();
    const Status status = check_room(length_bytes, target);
    return ok(status) ? continue_receive(target, memory) : status;
}

void Responder::push_shared(const Completion& completion, Progress& progress) {
    completions_.push(completion, {&shared_->freed(), 0, true}, progress);
}

[[gnu::cold]] Status Responder::starve() {
    if (!starved_ && !waits_) ++starvation_;
    starved_ = true;
    return Status::would_block;
}

Status Responder::check_room(std::uint32_t length_bytes, std::span<const Sge> target) {
    const std::uint64_t room = total_length(target);
    if (room >= length_bytes) return Status::success;
    (void)report(Status::receive_too_small,
                 {.object = phrase("queue pair with context {}", context_),
                  .operation = "Receive",
                  .asked = phrase("room for a message of {} bytes, request context {}", length_bytes, queue_.context()),
                  .limit = phrase("{} bytes, as the receive was posted", room),
                  .remedy = "post receives as long as the longest message",
                  .requirement = "ND2-QP-SEND-07",
                  .cause = LogCause::peer});
    return fail_head(Status::receive_too_small);
}

Status Responder::continue_receive(std::span<const Sge>& target, ResolvedMemory& memory) {
    target = queue_.sges();
    const Status status = check_local(tokens_, target, Access::local_write, memory);
    return ok(status) ? status : fail_head(status);
}

[[gnu::cold]] Status Responder::fail_head(Status status) {
    complete_head(status, 0, true, *progress_, Token::none, channel_->failure_code(Operation::receive, status));
    failed_ = true;
    return status;
}

Status Responder::take_away(Token token) {
    if (take_window(token) || take_fast_registration(token)) return Status::success;
    (void)report(
        Status::malformed_request,
        {.object = phrase("queue pair with context {}", context_),
         .operation = "the peer's SendAndInvalidate",
         .asked = phrase("the end of a window or registration with the remote token {:#x}", value(token)),
         .limit = "windows that are bound on this connection, and fast registrations of this adapter, each once",
         .remedy = "let only one side end it, and let the peer use its newest descriptor",
         .requirement = "ND1-EP-SINV-04",
         .cause = LogCause::peer});
    return fail_head(Status::malformed_request);
}

bool Responder::take_fast_registration(Token token) {
    const Ref<SoftFastRegion> region = regions_.of_remote(token);
    if (!region || !region->begin_end(SoftFastRegion::By::peer)) return false;
    begin_long_copy();
    region->finish_end();
    end_long_copy();
    return true;
}

bool Responder::take_window(Token token) {
    const Ref<SoftWindowBinding> binding = windows_.take(token);
    if (!binding) return false;
    binding->set_taken_by_peer();
    begin_long_copy();
    binding->invalidate(*channel_, SoftWindowBinding::By::peer);
    end_long_copy();
    if (binding->invalidated_context())
        completions_.push(
            {Status::success, Operation::remote_invalidation, false, 0, context_, binding->invalidated_context()}, {},
            *progress_);
    return true;
}

Status Responder::check_remote(Token token, std::uint64_t address, std::uint32_t length_bytes, Access wanted,
                               std::span<const Sge>& places, ResolvedMemory& memory) {
    MemoryGrant grant;
    const bool open = tokens_.find_remote(token, grant) && grant.open_to(scope_) && any_of(grant.access, wanted);
    if (open && grant.covers(address, length_bytes)) {
        places = memory.plain(address, length_bytes);
    } else if (!open || !memory.resolve_remote(tokens_, token, address, length_bytes, wanted, places)) {
        failed_ = true;
        return report(
            Status::access_violation,
            {.object = phrase("queue pair with context {}", context_),
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

void Responder::begin_long_copy() {
    busy_ = true;
    lock_->unlock();
}

void Responder::end_long_copy() {
    lock_->lock();
    busy_ = false;
}

}  // namespace opennd::soft
