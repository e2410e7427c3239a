// SPDX-License-Identifier: MIT
// See device_queue_pair.h.
#include "transport/verbs/queue/device_queue_pair.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include "base/explanation.h"
#include "platform/process/errno_status.h"
#include "transport/verbs/device/reaper.h"

namespace opennd::verbs {

DeviceQueuePair::~DeviceQueuePair() {
    if (hardware_) {
        parts_.device()->remove(hardware_);
        (void)parts_.device()->ibv().destroy_qp(hardware_);
    }
    if (receive_queue_ && parts_.shared) parts_.shared->detach(owner_, *parts_.receives);
    if (receive_queue_ && !parts_.shared) parts_.receives->detach(owner_, *receive_queue_, parts_.limits.receive_depth);
    if (request_queue_) parts_.initiators->detach(owner_, *request_queue_, request_results());
}

// Returns the most results that requests can have at a time: those of the program, and one of OpenND's own
// (SendQueue::post_teller).
std::uint32_t DeviceQueuePair::request_results() const {
    return parts_.limits.initiator_depth + (parts_.device()->facts().is_iwarp() ? 0 : 1);
}

Status DeviceQueuePair::take_room() {
    const Result<HardwareQueue*> receives =
        parts_.shared ? parts_.shared->attach(owner_, *parts_.receives)
                      : parts_.receives->attach(owner_, parts_.limits.receive_depth, ResultsOf::receives);
    if (!receives.ok()) return receives.status();
    receive_queue_ = receives.value();
    const Result<HardwareQueue*> requests = parts_.initiators->attach(owner_, request_results(), ResultsOf::initiators);
    if (!requests.ok()) return requests.status();
    request_queue_ = requests.value();
    return Status::success;
}

// OpenND counts the depths itself. A device may refuse a queue without a place.
Status DeviceQueuePair::make() {
    Device& device = *parts_.device();
    const QueuePairLimits& limits = parts_.limits;
    ibv_qp_init_attr attributes{};
    attributes.qp_context = this;
    attributes.send_cq = request_queue_->get();
    attributes.recv_cq = receive_queue_->get();
    attributes.srq = parts_.shared ? parts_.shared->get() : nullptr;
    const std::uint32_t most = std::max(parts_.adapter->limits().max_initiator_depth, 1u);
    attributes.cap = {.max_send_wr = std::clamp(request_results(), 1u, most),
                      .max_recv_wr = std::max(limits.receive_depth, 1u),
                      .max_send_sge = std::max(limits.initiator_sges, 1u),
                      .max_recv_sge = std::max(limits.receive_sges, 1u),
                      .max_inline_data = limits.inline_bytes};
    attributes.qp_type = IBV_QPT_RC;
    ibv_qp* const made = device.ibv().create_qp(parts_.adapter->domain(), &attributes);
    int error = made ? 0 : errno;
    if (made) {
        ibv_qp_attr initial{};
        initial.qp_state = IBV_QPS_INIT;
        initial.port_num = device.facts().port;
        initial.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
        error = device.ibv().modify_qp(made, &initial,
                                       IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
        if (error != 0) (void)device.ibv().destroy_qp(made);
    }
    if (error != 0) {
        if (device.ended()) return device.refuse_after_end("queue pair", "creation");
        return explain(resource_status(error),
                       {.object = "queue pair",
                        .operation = "ibv_create_qp",
                        .asked = phrase("{} receives, {} requests, {} inline bytes", limits.receive_depth,
                                        limits.initiator_depth, limits.inline_bytes),
                        .limit = phrase("the resources of RDMA device {}: {}", device.facts().name,
                                        std::generic_category().message(error)),
                        .remedy = "release queue pairs, ask for smaller ones, or raise the limit on locked memory "
                                  "(ulimit -l)",
                        .requirement = "ND2-ADP-QP-01"});
    }
    device.add(made, owner_.object(), user_);
    if (parts_.shared) parts_.receives->add_taker(made->qp_num, owner_);
    hardware_ = made;
    has_spare_place_ = attributes.cap.max_send_wr > limits.initiator_depth;
    return Status::success;
}

void DeviceQueuePair::to_error() {
    ibv_qp_attr attributes{};
    attributes.qp_state = IBV_QPS_ERR;
    // It may be so already.
    if (hardware_) (void)parts_.device()->ibv().modify_qp(hardware_, &attributes, IBV_QP_STATE);
}

// Results that wait in completion queues outlive the ibv_qp: their rings have the requests.
void DeviceQueuePair::destroy(bool dialing) {
    ibv_qp* const spent = std::exchange(hardware_, nullptr);
    if (!spent) return;
    Device& device = *parts_.device();
    device.remove(spent);
    if (!dialing || !device.facts().is_iwarp()) {
        (void)device.ibv().destroy_qp(spent);
        return;
    }
    // The queues and the domain of the ibv_qp outlive it.
    device.reaper().run([parts = parts_, spent] {
        (void)parts.device()->ibv().destroy_qp(spent);
        if (!parts.shared) return;
        AfterLock after;
        parts.receives->drain(after);  // no result names a slot of the shared queue any more
        after.run();
    });
}

Status DeviceQueuePair::modify(ibv_qp_attr& attributes, int mask) {
    const Held lock(control_);
    const Device& device = *parts_.device();
    if (device.ended()) return device.refuse_after_end("queue pair", "connecting");
    if (!hardware_) return Status::canceled;
    const int error = device.ibv().modify_qp(hardware_, &attributes, mask);
    if (error == 0) return Status::success;
    return report(
        Status::invalid_state,
        {.object = "queue pair",
         .operation = "ibv_modify_qp",
         .asked = phrase("state {}", static_cast<int>(attributes.qp_state)),
         .limit = phrase("RDMA device {} refuses it: {}", device.facts().name, std::generic_category().message(error)),
         .remedy = "see that both hosts have the same MTU, and the device's port is up",
         .requirement = "ND2-CON-CONN-05"});
}

std::optional<ibv_ece> DeviceQueuePair::device_options() const {
    const Held lock(control_);
    const VerbsFunctions& ibv = parts_.device()->ibv();
    ibv_ece options{};
    // rdma_cm takes none without a vendor, nor without an option.
    if (!hardware_ || !ibv.query_ece || ibv.query_ece(hardware_, &options) != 0 || options.vendor_id == 0 ||
        options.options == 0)
        return std::nullopt;
    return options;
}

void DeviceQueuePair::take_peer_options(ibv_ece options) {
    const Held lock(control_);
    const VerbsFunctions& ibv = parts_.device()->ibv();
    if (!hardware_ || !ibv.set_ece) return;
    if (const int error = ibv.set_ece(hardware_, &options); error != 0)
        log(LogLevel::debug, "RDMA device {} does not take the options {:#x} of its peer's (vendor {:#x}): {}",
            parts_.device()->facts().name, options.options, options.vendor_id, std::generic_category().message(error));
}

ReadLimits DeviceQueuePair::settled_reads(const ReadLimits& offer) const {
    const Held lock(control_);
    ibv_qp_attr attributes{};
    ibv_qp_init_attr initial{};
    constexpr int kAsked = IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC;
    if (!hardware_ || parts_.device()->ibv().query_qp(hardware_, &attributes, kAsked, &initial) != 0) return offer;
    ReadLimits settled = offer;
    if (attributes.max_dest_rd_atomic != 0)
        settled.inbound = std::min<std::uint32_t>(offer.inbound, attributes.max_dest_rd_atomic);
    if (attributes.max_rd_atomic != 0)
        settled.outbound = std::min<std::uint32_t>(offer.outbound, attributes.max_rd_atomic);
    return settled;
}

}  // namespace opennd::verbs
