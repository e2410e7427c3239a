// SPDX-License-Identifier: MIT
// HardwareQueuePair: the making of it, its requests, its attempts to connect, and the questions of its completion queues. See
// hardware_queue_pair.h.
#include "transport/verbs/queue/hardware_queue_pair.h"

#include <utility>

#include "base/probes.h"
#include "transport/verbs/memory/open_device.h"
#include "transport/verbs/memory/translated_request.h"
#include "transport/verbs/memory/window_binding.h"
#include "transport/verbs/queue/completion_queue.h"
#include "transport/verbs/queue/request_failure.h"
#include "transport/verbs/queue/shared_receive_queue.h"

namespace opennd::verbs {
namespace {

template <typename Own, typename Seam>
Ref<Own> as(const Ref<Seam>& object) {
    return Ref<Own>(static_cast<Own*>(object.get()));
}

}  // namespace

Result<Ref<HardwareQueuePair>> HardwareQueuePair::create(Ref<OpenDevice> adapter,
                                                         const QueuePairParameters& parameters) {
    Ref<HardwareQueuePair> made(new HardwareQueuePair(std::move(adapter), parameters));
    if (const Status status = made->hardware_.take_room(); !ok(status)) return status;
    {
        const Held control(made->hardware_.control());
        if (const Status status = made->hardware_.make(); !ok(status)) return status;
        made->use_hardware(made->hardware_.get());
    }
    made->device()->add(made.get(), *made, *made);
    if (made->device()->ended()) made->on_device_removed();  // just now: it was told to the others
    if (made->parts_.receives->overrun() || made->parts_.initiators->overrun()) made->enter_error();
    return made;
}

HardwareQueuePair::HardwareQueuePair(Ref<OpenDevice> adapter, const QueuePairParameters& parameters)
    : parts_{std::move(adapter),
             parameters.limits,
             parameters.context,
             as<VerbsCompletionQueue>(parameters.receive_completion_queue),
             as<VerbsCompletionQueue>(parameters.initiator_completion_queue),
             as<VerbsSharedReceiveQueue>(parameters.shared_receive_queue)},
      waits_for_receives_(parameters.waits_for_receives),
      hardware_(parts_, *this, *this),
      requests_(parts_, *this),
      receives_(parts_, *this) {}

// The room alone is left after close(); after a failed create() the ibv_qp may be left, too.
HardwareQueuePair::~HardwareQueuePair() {
    device()->remove(this);
    if (number() == 0) return;
    if (parts_.shared) parts_.receives->remove_taker(number());
    ignore_results();
}

void HardwareQueuePair::use_hardware(ibv_qp* hardware) {
    const Held lock(lock_);
    number_ = hardware ? hardware->qp_num : 0;
    requests_.set_hardware(hardware, hardware_.has_spare_place());
    receives_.set_hardware(hardware);
}

// ---- requests -------------------------------------------------------------------------------------------------------

Status HardwareQueuePair::post(const WorkRequest& request) {
    OPENND_PROBE(post, this, static_cast<int>(request.operation), request.context, request.sges.size());
    if (parts_.adapter->translates()) [[unlikely]]
        return post_translated(request);
    return request.operation == Operation::receive ? receives_.post(request) : requests_.post(request);
}

Status HardwareQueuePair::post_translated(const WorkRequest& request) {
    TranslatedRequest translated;
    if (const Status status = translated.translate(*parts_.adapter, parts_.limits, request); !ok(status)) return status;
    const WorkRequest& posted = translated.get();
    const Status status = posted.operation == Operation::receive ? receives_.post(posted) : requests_.post(posted);
    if (!ok(status)) translated.take_back();
    return status;
}

void HardwareQueuePair::go_on() {
    if (!requests_.go_on()) fail();
}

void HardwareQueuePair::release_held() {
    requests_.release();
    go_on();
}

bool HardwareQueuePair::finished_requests() {
    AfterLock after;
    parts_.initiators->drain(after);
    after.run();
    return requests_.finished();
}

bool HardwareQueuePair::heard() const {
    AfterLock after;
    parts_.receives->drain(after);
    after.run();
    return receives_.heard();
}

QueuePairUse HardwareQueuePair::use() {
    QueuePairUse use;
    use.state = state();
    requests_.describe(use);
    receives_.describe(use);
    return use;
}

// ---- attempts to connect --------------------------------------------------------------------------------------------

std::uint32_t HardwareQueuePair::number() const {
    const Held lock(lock_);
    return number_;
}

// Ends the attempt that is under way, unless it is `but`.
void HardwareQueuePair::end_older_attempt(const void* but) {
    const void* older = nullptr;
    {
        const Held lock(lock_);
        older = attempt_;
    }
    if (older && older != but) end_attempt(older);
}

std::vector<PostedReceive> HardwareQueuePair::take_receives() {
    end_older_attempt(nullptr);
    const Held lock(lock_);
    return state() == QueuePairState::idle ? receives_.take_back() : std::vector<PostedReceive>();
}

bool HardwareQueuePair::begin_attempt(const void* attempt) {
    end_older_attempt(attempt);
    bool started = false;
    {
        const Held lock(lock_);
        if (state() != QueuePairState::idle || number_ == 0) return false;
        attempt_ = attempt;
        started = receives_.start();
    }
    if (!started) fail();
    return started;
}

bool HardwareQueuePair::attach(Ref<ConnectionEnd> end, const ReadLimits& limits, Start start,
                               const std::optional<MessageLimit>& messages) {
    const Held lock(lock_);
    if (state() != QueuePairState::idle || number_ == 0) return false;
    attempt_ = nullptr;
    connection_ = std::move(end);
    state_.store(QueuePairState::attached, std::memory_order_release);
    message_limit_ = messages;
    requests_.open(limits, start, messages.has_value());
    return true;
}

// ---- for its completion queues --------------------------------------------------------------------------------------

// Returns the status of a failed request. Soft devices have one number for several faults of the program; the request
// tells which it was.
Status HardwareQueuePair::outcome_of(const ibv_wc& result, const RequestSlot& slot) const {
    const Status status = status_of(result.status, slot.operation);
    const bool vague = status == Status::internal_error;
    if (slot.operation == Operation::invalidate && (vague || status == Status::access_violation))
        return Status::malformed_request;  // not bound here any more (ND2-QP-INV-02)
    if (!vague) return status;
    if (slot.operation == Operation::bind) return Status::access_violation;
    const Status blamed = parts_.adapter->regions().blame(slot.operation, slot.ring->entries_of(slot));
    // The request counts as flushed if TCP has not taken its last part: the peer has not the whole of it
    // (ND2-QP-ERR-03).
    const bool is_flushed = blamed == Status::internal_error && slot.operation != Operation::receive &&
                            device()->quirks().fails_requests_of_a_broken_stream;
    return is_flushed ? Status::canceled : blamed;
}

void HardwareQueuePair::begin_awaiting() {
    AfterLock after;
    parts_.initiators->begin_awaiting(after);
    after.run();
}

void HardwareQueuePair::end_awaiting() { parts_.initiators->end_awaiting(); }

void* HardwareQueuePair::take_window(Token token, AfterLock& after) {
    const Ref<MappedWindow> found = parts_.adapter->windows().find(token, *this);
    auto* const binding = static_cast<VerbsWindowBinding*>(found.get());
    if (!binding) return nullptr;
    after.add(Turn::connection, [found] {});  // perhaps the last reference
    return binding->invalidate() ? binding->invalidated_context() : nullptr;
}

}  // namespace opennd::verbs
