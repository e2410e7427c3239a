// SPDX-License-Identifier: MIT
// See device_limits.h.
#include "transport/verbs/device/device_limits.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

#include "base/explanation.h"
#include "platform/process/errno_status.h"

namespace opennd::verbs {
namespace {

constexpr std::uint32_t kLeastDepth = 16;
constexpr std::uint32_t kMostFastPages = 65536;  // OpenND's own lists (NDK-MR-FRMR-01)
// Advice for programs: up to the first length a copy costs less than the device's access to memory, from the second on more than a
// registration.
constexpr std::uint32_t kInlineThreshold = 256;
constexpr std::uint32_t kLargeThreshold = 64 * 1024;
// The private data that rdma_cm takes, for every device: of a request, of a refusal, and of a reply, of which version 2
// gets the first 148 octets. An iWARP device has room for 250, and tells the length, which the others pad.
constexpr std::uint32_t kRequestData = 56;
constexpr std::uint32_t kReplyData = 148;
constexpr std::uint32_t kIwarpData = 250;

// The parts of a trial, given up again.
class Trial {
public:
    explicit Trial(const Device& device) : ibv_(device.ibv()), domain_(ibv_.alloc_pd(device.context())) {
        if (domain_) queue_ = ibv_.create_cq(device.context(), 1, nullptr, nullptr, 0);
    }
    ~Trial() {
        if (queue_) (void)ibv_.destroy_cq(queue_);
        if (domain_) (void)ibv_.dealloc_pd(domain_);
    }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    bool ok() const { return queue_ != nullptr; }

    // Returns true if there are queue pairs of these limits. Sets `limits.max_inline_bytes` to the device's own.
    bool has(AdapterLimits& limits) {
        ibv_qp_init_attr attributes{};
        attributes.send_cq = attributes.recv_cq = queue_;
        attributes.qp_type = IBV_QPT_RC;
        attributes.cap = {.max_send_wr = limits.max_initiator_depth,
                          .max_recv_wr = limits.max_receive_depth,
                          .max_send_sge = limits.max_initiator_sges,
                          .max_recv_sge = limits.max_receive_sges,
                          .max_inline_data = limits.max_inline_bytes};
        ibv_qp* const made = ibv_.create_qp(domain_, &attributes);
        if (!made) return false;
        ibv_ece options{};
        exchanges_ece_ = ibv_.query_ece && ibv_.query_ece(made, &options) == 0 && options.vendor_id != 0;
        (void)ibv_.destroy_qp(made);
        limits.max_inline_bytes = std::min(limits.max_inline_bytes, attributes.cap.max_inline_data);
        return true;
    }

    bool has_shared_receives(std::uint32_t depth, std::uint32_t entries) {
        ibv_srq_init_attr attributes{};
        attributes.attr.max_wr = depth;
        attributes.attr.max_sge = entries;
        ibv_srq* const made = ibv_.create_srq(domain_, &attributes);
        if (made) (void)ibv_.destroy_srq(made);
        return made != nullptr;
    }

    // Returns true if windows of type 2 can be had. Some drivers tell of windows, but their libraries have none.
    bool has_windows() {
        ibv_mw* const made = ibv_alloc_mw(domain_, IBV_MW_TYPE_2);
        if (made) (void)ibv_dealloc_mw(made);
        return made != nullptr;
    }

    // Returns true if an ibv_cq can hold events back: the library of a device that cannot refuses the call.
    bool moderates() {
        ibv_modify_cq_attr none{};
        none.attr_mask = IBV_CQ_ATTR_MODERATE;
        return ibv_modify_cq(queue_, &none) == 0;
    }

    // Returns true if the queue pair that has() made knows options for the peer's device.
    bool exchanges_ece() const { return exchanges_ece_; }

private:
    const VerbsFunctions& ibv_;
    ibv_pd* const domain_;
    ibv_cq* queue_ = nullptr;
    bool exchanges_ece_ = false;
};

[[gnu::cold]] Status refuse(const Device& device, std::string_view asked, int error) {
    if (device.ended()) return device.refuse_after_end("adapter", "OpenAdapter");
    const Status status = error == ENOMEM || error == EMFILE ? resource_status(error) : Status::not_supported;
    return explain(status,
                   {.object = phrase("RDMA device {}", device.facts().name),
                    .operation = "OpenAdapter",
                    .asked = asked,
                    .limit = std::generic_category().message(error),
                    .remedy = "raise the limit on locked memory (ulimit -l), or leave verbs out of OPENND_TRANSPORT",
                    .requirement = "ND2-PRV-OPEN-01"});
}

// The most inline data to try.
std::uint32_t most_inline(const Device& device) { return device.quirks().ignores_inline_data ? 0 : kMostInline; }

AdapterLimits as_told(const Device& device, const ibv_device_attr& told, const ibv_port_attr& port) {
    const auto most = [](int of_device, std::uint32_t of_ours) {
        return std::min(static_cast<std::uint32_t>(std::max(of_device, 0)), of_ours);
    };
    AdapterLimits limits{};
    limits.max_registration_bytes = told.max_mr_size;
    limits.max_initiator_sges = limits.max_receive_sges = most(told.max_sge, kMostEntries);
    limits.max_read_sges = std::max(most(told.max_sge_rd, limits.max_initiator_sges), 1u);
    if (!device.facts().is_iwarp()) limits.max_read_sges = limits.max_initiator_sges;  // many tell 0 there
    limits.max_transfer_bytes = std::min(port.max_msg_sz == 0 ? kMostTransfer : port.max_msg_sz, kMostTransfer);
    limits.max_inline_bytes = most_inline(device);
    limits.max_inbound_reads = most(told.max_qp_rd_atom, kMostReads);
    limits.max_outbound_reads = most(told.max_qp_init_rd_atom, kMostReads);
    // One completion queue takes both (ND2-ADP-LIM-01).
    limits.max_receive_depth = limits.max_initiator_depth = most(told.max_qp_wr, most(told.max_cqe / 2, kMostDepth));
    if (told.max_srq > 0 && told.max_srq_sge > 0) {
        limits.max_shared_receive_depth = most(told.max_srq_wr, kMostDepth);
        limits.max_receive_sges = most(told.max_srq_sge, limits.max_receive_sges);
    }
    limits.max_completion_depth = most(told.max_cqe, kMostCompletions);
    limits.large_threshold_bytes = kLargeThreshold;
    limits.max_caller_data_bytes = kRequestData;
    limits.max_callee_data_bytes = kReplyData;
    limits.max_private_data_bytes = device.facts().is_iwarp() ? kIwarpData : kRequestData;
    return limits;
}

}  // namespace

Result<DeviceLimits> find_limits(Device& device) {
    ibv_device_attr told{};
    if (const int error = device.ibv().query_device(device.context(), &told); error != 0)
        return refuse(device, "its limits", error);
    ibv_port_attr port{};
    if (const int error = query_port(device.ibv(), device.context(), device.facts().port, port); error != 0)
        return refuse(device, "its port", error);
    AdapterLimits limits = as_told(device, told, port);
    Trial trial(device);
    if (!trial.ok()) return refuse(device, "a protection domain and a completion queue", errno);
    while (!trial.has(limits)) {
        const int error = errno;
        if (limits.max_inline_bytes != 0)
            limits.max_inline_bytes /= 2;
        else if (limits.max_initiator_depth > kLeastDepth) {
            limits.max_inline_bytes = most_inline(device);
            limits.max_initiator_depth = limits.max_receive_depth = limits.max_initiator_depth / 2;
        } else {
            return refuse(device, "a queue pair", error);
        }
    }
    while (limits.max_shared_receive_depth != 0 &&
           !trial.has_shared_receives(limits.max_shared_receive_depth, limits.max_receive_sges))
        limits.max_shared_receive_depth =
            limits.max_shared_receive_depth > kLeastDepth ? limits.max_shared_receive_depth / 2 : 0;
    // irdma tells of windows without their type, and has those of type 2. The trial decides.
    const bool has_windows = (told.device_cap_flags & kWindowFlags) != 0 && told.max_mw > 0 &&
                             !device.quirks().binds_no_windows && trial.has_windows();
    limits.inline_threshold_bytes = std::min(limits.max_inline_bytes, kInlineThreshold);
    const DeviceFacts& facts = device.facts();
    return DeviceLimits{limits,
                        {.technology = facts.technology,
                         .vendor_id = facts.vendor_id,
                         .device_id = facts.part_id,
                         .max_window_bytes = has_windows ? limits.max_registration_bytes : 0,
                         .max_fast_pages = kMostFastPages,
                         .fast_regions_for_peers = false,
                         .places_in_order = false,
                         .ends_regions_by_reads = false,
                         .moderates_interrupts = trial.moderates(),
                         .carries_immediate = !facts.is_iwarp(),
                         .may_pad_private_data = !facts.is_iwarp()},
                        trial.exchanges_ece()};
}

}  // namespace opennd::verbs
