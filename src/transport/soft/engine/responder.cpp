// SPDX-License-Identifier: MIT
// Responder: see responder.h.
#include "transport/soft/engine/responder.h"

#include "base/explanation.h"
#include "platform/process/clock.h"
#include "transport/soft/channel/channel_layer.h"
#include "transport/soft/engine/receive_turn.h"
#include "transport/soft/engine/shared_receive_queue.h"
#include "transport/soft/memory/memory_check.h"
#include "transport/soft/memory/resolved_memory.h"

namespace opennd::soft {
namespace {

[[gnu::cold]] Status refuse_post(std::uint32_t number) {
    return explain(Status::malformed_request, {.object = phrase("queue pair {}", number),
                                               .operation = "Receive",
                                               .asked = "a receive of its own",
                                               .limit = "none: its receives come from a shared receive queue",
                                               .remedy = "post them to the shared receive queue",
                                               .requirement = "ND2-QP-RECV-01"});
}

}  // namespace

Responder::Responder(const QueuePairParameters& parameters, TokenTable& tokens, ResultRing& completions,
                     Initiator& initiator, BoundWindows& windows, FastRegions& regions, std::uint32_t scope,
                     SoftSharedReceiveQueue* shared, ServedQueuePair& owner)
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
      queue_(parameters.limits.receive_depth, parameters.limits.receive_sges),
      completes_aside_(shared != nullptr) {}

Status Responder::post(const WorkRequest& request) {
    if (!queue_.make_room()) [[unlikely]]
        return shared_ ? refuse_post(number_) : Status::queue_full;  // with a shared queue, this one has depth 0
    queue_.append(request.context, request.sges);
    return Status::success;
}

std::size_t Responder::run(Channel& channel, BiasedLock& lock, Progress& progress) {
    return run_inline(channel, lock, progress);
}

void Responder::flush(Progress& progress) {
    while (!queue_.empty()) complete_head(Status::canceled, 0, Arrival::none, progress);
    if (shared_) shared_->forget(owner_);
}

void Responder::describe(QueuePairUse& use) const {
    use.receives = queue_.waiting();
    use.receives_unretrieved = queue_.in_use() - queue_.waiting();
    use.receives_completed = queue_.consumed();
    use.message_waits = starved_;
    if (starved_) use.message_age = now() - starved_since_;
    use.messages_waited = messages_waited_;
}

void Responder::complete_aside(Completion completion, std::uint32_t through, Progress& progress) {
    if (tap_ && ok(completion.status)) tell_tap(completion);
    if (shared_)
        completions_.push(completion, {.freed = &shared_->freed(), .shared = true}, progress);
    else
        completions_.push(completion, {&queue_.freed(), through}, progress);
}

// The memory was there a moment ago, when the message was placed. If the program has withdrawn it since, the message is told without
// its octets.
void Responder::tell_tap(const Completion& completion) {
    std::span<const Sge> sges = queue_.consumed_sges();
    ResolvedMemory memory;
    if (has(completion.arrival, Arrival::of_write)) sges = {};
    if (!are_plain(tokens_, sges, Access::local_write) && !ok(memory.resolve(tokens_, sges, Access::local_write)))
        sges = {};
    tap_->on_received(sges, completion);
}

}  // namespace opennd::soft
