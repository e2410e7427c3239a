// SPDX-License-Identifier: MIT
// HardwareQueuePair, the making of it, and the questions of its completion queues. See hardware_queue_pair.h.
#include "transport/verbs/hardware_queue_pair.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/explanation.h"
#include "platform/process/errno_status.h"
#include "transport/verbs/completion_queue.h"
#include "transport/verbs/open_device.h"
#include "transport/verbs/shared_receive_queue.h"
#include "transport/verbs/window_binding.h"

namespace opennd::verbs {
namespace {

// The number of silent requests of which one is signalled, for OpenND alone, so that their slots become free
// (NDK-MAP-12).
constexpr std::uint32_t kSilentRun = 32;

}  // namespace

Result<Ref<HardwareQueuePair>> HardwareQueuePair::create(Ref<OpenDevice> adapter,
                                                         const QueuePairParameters& parameters) {
    Ref<HardwareQueuePair> made(new HardwareQueuePair(std::move(adapter), parameters));
    Result<HardwareQueue*> receives =
        made->shared_ ? made->shared_->attach(*made, *made->receives_)
                      : made->receives_->attach(*made, parameters.limits.receive_depth, ResultsOf::receives);
    if (!receives.ok()) return receives.status();
    made->receive_queue_ = receives.value();
    Result<HardwareQueue*> requests =
        made->initiators_->attach(*made, parameters.limits.initiator_depth, ResultsOf::initiators);
    if (!requests.ok()) return requests.status();
    made->request_queue_ = requests.value();
    Status status = Status::success;
    {
        const Held control(made->control_);
        status = made->make_hardware();
    }
    if (!ok(status)) return status;
    made->device_->add(made.get(), *made, *made);
    if (made->device_->ended()) made->on_device_removed();  // just now: it was told to the others
    if (made->receives_->overrun() || made->initiators_->overrun()) made->enter_error();
    return made;
}

HardwareQueuePair::HardwareQueuePair(Ref<OpenDevice> adapter, const QueuePairParameters& parameters)
    : adapter_(std::move(adapter)),
      device_(adapter_->device()),
      limits_(parameters.limits),
      waits_for_receives_(parameters.waits_for_receives),
      context_(parameters.context),
      receives_(static_cast<VerbsCompletionQueue*>(parameters.receive_completion_queue.get())),
      initiators_(static_cast<VerbsCompletionQueue*>(parameters.initiator_completion_queue.get())),
      shared_(static_cast<VerbsSharedReceiveQueue*>(parameters.shared_receive_queue.get())),
      signal_mask_(std::bit_floor(std::clamp(limits_.initiator_depth / 2, 1u, kSilentRun)) - 1),
      behind_reads_(device_->quirks().overtakes_reads ? bit(Operation::read) : ~0u),
      receive_ring_(make_ref<RequestRing>(*this, context_, limits_.receive_depth, limits_.receive_sges, 0)),
      request_ring_(make_ref<RequestRing>(*this, context_, limits_.initiator_depth, limits_.initiator_sges,
                                          limits_.inline_bytes)) {}

// The room alone is left after close(); after a failed create() the ibv_qp may be left, too.
HardwareQueuePair::~HardwareQueuePair() {
    device_->remove(this);
    if (hardware_) {
        device_->remove(hardware_);
        if (shared_) receives_->remove_taker(hardware_->qp_num);
        (void)device_->ibv().destroy_qp(hardware_);
        receives_->set_results(receive_ring_, RequestRing::Results::ignored);
        initiators_->set_results(request_ring_, RequestRing::Results::ignored);
    }
    if (copies_) copies_->deregister();
    if (receive_queue_ && shared_) shared_->detach(*this, *receives_);
    if (receive_queue_ && !shared_) receives_->detach(*this, *receive_queue_, limits_.receive_depth);
    if (request_queue_) initiators_->detach(*this, *request_queue_, limits_.initiator_depth);
}

// Returns the status of a failed request. Soft devices have one number for several faults of the program; the request
// tells which it was.
Status HardwareQueuePair::outcome_of(const ibv_wc& result, const RequestSlot& slot) const {
    const Status status = status_of(result.status, slot.operation);
    const bool vague = status == Status::internal_error;
    if (slot.operation == Operation::invalidate && (vague || status == Status::access_violation))
        return Status::malformed_request;  // not bound here any more (ND2-QP-INV-02)
    if (!vague) return status;
    if (slot.operation == Operation::bind) return Status::access_violation;
    const Status blamed = adapter_->regions().blame(slot.operation, slot.ring->entries_of(slot));
    // The request counts as flushed if TCP has not taken its last part: the peer has not the whole of it
    // (ND2-QP-ERR-03).
    const bool is_flushed = blamed == Status::internal_error && slot.operation != Operation::receive &&
                            device_->quirks().fails_requests_of_a_broken_stream;
    return is_flushed ? Status::canceled : blamed;
}

void HardwareQueuePair::begin_awaiting() {
    AfterLock after;
    initiators_->begin_awaiting(after);
    after.run();
}

void HardwareQueuePair::end_awaiting() { initiators_->end_awaiting(); }

void* HardwareQueuePair::take_window(Token token, AfterLock& after) {
    const Ref<MappedWindow> found = adapter_->windows().find(token, *this);
    auto* const binding = static_cast<VerbsWindowBinding*>(found.get());
    if (!binding) return nullptr;
    after.add(Turn::connection, [found] {});  // perhaps the last reference
    return binding->invalidate() ? binding->invalidated_context() : nullptr;
}

// Makes the ibv_qp with the depths that the program asked for; OpenND counts the depths itself. A device may refuse a
// queue without a place.
Status HardwareQueuePair::make_hardware() {
    ibv_qp_init_attr attributes{};
    attributes.qp_context = this;
    attributes.send_cq = request_queue_->get();
    attributes.recv_cq = receive_queue_->get();
    attributes.srq = shared_ ? shared_->get() : nullptr;
    attributes.cap = {.max_send_wr = std::max(limits_.initiator_depth, 1u),
                      .max_recv_wr = std::max(limits_.receive_depth, 1u),
                      .max_send_sge = std::max(limits_.initiator_sges, 1u),
                      .max_recv_sge = std::max(limits_.receive_sges, 1u),
                      .max_inline_data = limits_.inline_bytes};
    attributes.qp_type = IBV_QPT_RC;
    ibv_qp* const made = device_->ibv().create_qp(adapter_->domain(), &attributes);
    int error = made ? 0 : errno;
    if (made) {
        ibv_qp_attr initial{};
        initial.qp_state = IBV_QPS_INIT;
        initial.port_num = device_->facts().port;
        initial.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
        error = device_->ibv().modify_qp(made, &initial,
                                         IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
        if (error != 0) (void)device_->ibv().destroy_qp(made);
    }
    if (error != 0) {
        if (device_->ended()) return device_->refuse_after_end("queue pair", "creation");
        return explain(resource_status(error),
                       {.object = "queue pair",
                        .operation = "ibv_create_qp",
                        .asked = phrase("{} receives, {} requests, {} inline bytes", limits_.receive_depth,
                                        limits_.initiator_depth, limits_.inline_bytes),
                        .limit = phrase("the resources of RDMA device {}: {}", device_->facts().name,
                                        std::generic_category().message(error)),
                        .remedy = "release queue pairs, ask for smaller ones, or raise the limit on locked memory "
                                  "(ulimit -l)",
                        .requirement = "ND2-ADP-QP-01"});
    }
    device_->add(made, *this, *this);
    if (shared_) receives_->add_taker(made->qp_num, *this);
    const Held lock(lock_);
    hardware_ = made;
    return Status::success;
}

}  // namespace opennd::verbs
