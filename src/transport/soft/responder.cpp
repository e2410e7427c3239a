// SPDX-License-Identifier: MIT
// Responder: see responder.h.
#include "transport/soft/responder.h"

#include "base/explanation.h"
#include "transport/soft/memory_check.h"
#include "transport/soft/shared_receive_queue.h"

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

Responder::Responder(const QueuePairLimits& limits, TokenTable& tokens, SoftCompletionQueue& completions, void* context,
                     Initiator& initiator, BoundWindows& windows, std::uint32_t scope, SoftSharedReceiveQueue* shared,
                     SoftQueuePair& owner)
    : tokens_(tokens),
      completions_(completions),
      context_(context),
      initiator_(initiator),
      windows_(windows),
      scope_(scope),
      shared_(shared),
      owner_(owner),
      queue_(limits.receive_depth, limits.receive_sges) {}

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

Status Responder::begin_without_receive(std::uint32_t length_bytes, std::span<const Sge>& target) {
    if (!shared_ || !shared_->take(owner_, queue_, *progress_)) return starve();
    starved_ = false;
    target = queue_.sges();
    return check_target(length_bytes, target);
}

void Responder::push_shared(const Completion& completion, Progress& progress) {
    completions_.push(completion, {&shared_->freed(), 0, true}, progress);
}

[[gnu::cold]] Status Responder::starve() {
    if (!starved_ && !shared_) ++starvation_;
    starved_ = true;
    return Status::would_block;
}

Status Responder::check_target(std::uint32_t length_bytes, std::span<const Sge> target) {
    const std::uint64_t room = total_length(target);
    if (room < length_bytes) {
        (void)report(Status::receive_too_small, {.object = phrase("queue pair with context {}", context_),
                                                 .operation = "Receive",
                                                 .asked = phrase("room for a message of {} bytes, request context {}",
                                                                 length_bytes, queue_.context()),
                                                 .limit = phrase("{} bytes, as the receive was posted", room),
                                                 .remedy = "post receives as long as the longest message",
                                                 .requirement = "ND2-QP-SEND-07"});
        return fail_head(Status::receive_too_small);
    }
    const Status status = check_local(tokens_, target, Access::local_write);
    return ok(status) ? status : fail_head(status);
}

Status Responder::continue_receive(std::span<const Sge> target) {
    const Status status = check_local(tokens_, target, Access::local_write);
    return ok(status) ? status : fail_head(status);
}

[[gnu::cold]] Status Responder::fail_head(Status status) {
    complete_head(status, 0, true, *progress_);
    failed_ = true;
    return status;
}

Status Responder::take_window(Token token) {
    const Ref<SoftWindowBinding> binding = windows_.take(token);
    if (!binding) {
        (void)report(Status::malformed_request,
                     {.object = phrase("queue pair with context {}", context_),
                      .operation = "the peer's SendAndInvalidate",
                      .asked = phrase("the end of the window with remote token {:#x}", value(token)),
                      .limit = "windows that are bound on this connection, each once",
                      .remedy = "let only one side end a binding, and let the peer use its newest descriptor",
                      .requirement = "ND1-EP-SINV-04"});
        return fail_head(Status::malformed_request);
    }
    binding->set_taken_by_peer();
    begin_long_copy();
    binding->invalidate(*channel_, SoftWindowBinding::By::peer);
    end_long_copy();
    if (binding->invalidated_context())
        completions_.push(
            {Status::success, Operation::remote_invalidation, false, 0, context_, binding->invalidated_context()}, {},
            *progress_);
    return Status::success;
}

Status Responder::check_remote(Token token, std::uint64_t address, std::uint64_t length_bytes, Access wanted,
                               std::byte*& memory) {
    MemoryGrant grant;
    if (!tokens_.find_remote(token, grant) || !grant.open_to(scope_) || !any_of(grant.access, wanted) ||
        !grant.covers(address, length_bytes)) {
        failed_ = true;
        return report(
            Status::access_violation,
            {.object = phrase("queue pair with context {}", context_),
             .operation = wanted == Access::remote_write ? "the peer's Write" : "the peer's Read",
             .asked = phrase("{} bytes at {:#x} through remote token {:#x}", length_bytes, address, value(token)),
             .limit = "memory registered here with the right for it",
             .remedy = "give the peer a live token with ND_MR_FLAG_ALLOW_REMOTE_READ or _WRITE, and the range "
                       "it covers",
             .requirement = "ND2-QP-RDMA-03"});
    }
    memory = reinterpret_cast<std::byte*>(address);
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
