// SPDX-License-Identifier: MIT
// See device.h.
#include "transport/verbs/device/device.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/explanation.h"
#include "base/format.h"
#include "platform/process/errno_status.h"
#include "platform/process/shared_object.h"

namespace opennd::verbs {
namespace {

// Makes the descriptor nonblocking: events are taken until there are none, and the watchers never wait for one.
bool make_nonblocking(int descriptor) {
    const int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0;
}

[[gnu::cold]] Status refuse(std::string_view device, std::string_view operation, int error) {
    return explain(resource_status(error), {.object = phrase("RDMA device {}", device),
                                            .operation = operation,
                                            .asked = "its context and its events",
                                            .limit = std::generic_category().message(error),
                                            .remedy = "raise the limit on open files (ulimit -n)",
                                            .requirement = "ND2-PRV-OPEN-01"});
}

// Returns the object that an event is about; null: the device or its port.
const void* subject_of(const ibv_async_event& event) {
    switch (event.event_type) {
        case IBV_EVENT_CQ_ERR: return event.element.cq;
        case IBV_EVENT_QP_FATAL:
        case IBV_EVENT_QP_REQ_ERR:
        case IBV_EVENT_QP_ACCESS_ERR:
        case IBV_EVENT_COMM_EST:
        case IBV_EVENT_SQ_DRAINED:
        case IBV_EVENT_PATH_MIG:
        case IBV_EVENT_PATH_MIG_ERR:
        case IBV_EVENT_QP_LAST_WQE_REACHED: return event.element.qp;
        case IBV_EVENT_SRQ_ERR:
        case IBV_EVENT_SRQ_LIMIT_REACHED: return event.element.srq;
        default: return nullptr;
    }
}

std::string port_text(const Device& device) {
    const DeviceFacts& facts = device.facts();
    std::string text = format(", port {}", facts.port);
    ibv_port_attr port{};
    if (query_port(device.ibv(), device.context(), facts.port, port) == 0)
        text += port.state == IBV_PORT_ACTIVE ? " active" : " not active";
    // "10 Gb/sec (4X SDR)"
    if (const std::string rate = sysfs_line(facts, format("ports/{}/rate", facts.port)); !rate.empty())
        text += " at " + rate;
    return text;
}

std::string locked_memory_text() {
    rlimit locked{};
    if (getrlimit(RLIMIT_MEMLOCK, &locked) != 0) return {};
    if (locked.rlim_cur == RLIM_INFINITY) return ", locked memory without limit";
    return format(", locked memory up to {} KiB (ulimit -l)", static_cast<std::uint64_t>(locked.rlim_cur) / 1024);
}

struct Row {
    std::string_view driver;
    Quirks quirks;
};

// The quirks by driver: of siw and rxe as found with Linux 6.1 and rdma-core 44, of mana by its source (providers/mana).
constexpr std::array kRows{
    Row{"siw",
        {.solicited_only_never_fires = true,
         .refuses_fenced_reads = true,
         .overtakes_reads = true,
         .fails_requests_of_a_broken_stream = true,
         .keeps_late_requests = true,
         .receives_need_an_entry = true,
         .reads_need_no_remote_write = true}},
    Row{"mana", {.binds_no_windows = true, .ignores_inline_data = true}},
    Row{"rxe", {.tells_invalidation_as_checksum = true, .failures_make_no_event = true, .tells_no_last_receive = true}},
};

Quirks quirks_of(std::string_view driver) {
    for (const Row& row : kRows)
        if (row.driver == driver) return row.quirks;
    return {};
}

// Finds the driver by the name of the file that the device's own functions lie in: libsiw-rdmav34.so, libmlx5.so.1.
std::string driver_of(const ibv_context& context) {
    const std::string file = file_of_code(reinterpret_cast<const void*>(context.ops.post_send));
    std::string_view name = file;
    name.remove_prefix(std::min(name.rfind('/') + 1, name.size()));
    if (!name.starts_with("lib")) return {};
    name.remove_prefix(3);
    return std::string(name.substr(0, name.find_first_of("-.")));
}

// Returns true if an entry of the port's table of GIDs is of RoCE v2.
bool has_roce_v2(const VerbsFunctions& ibv, ibv_context* context, const DeviceFacts& facts, const ibv_port_attr& link) {
    for (int index = 0; index < link.gid_tbl_len; ++index) {
        ibv_gid_entry entry{};
        if (!ibv.query_gid_ex) {
            if (sysfs_line(facts, format("ports/{}/gid_attrs/types/{}", facts.port, index)) == "RoCE v2") return true;
        } else if (ibv.query_gid_ex(context, facts.port, static_cast<std::uint32_t>(index), &entry, 0, sizeof entry) ==
                       0 &&
                   entry.gid_type == IBV_GID_TYPE_ROCE_V2) {
            return true;
        }
    }
    return false;
}

Technology technology_of(const VerbsFunctions& ibv, ibv_context* context, const DeviceFacts& facts,
                         const ibv_port_attr& link) {
    if (context->device->transport_type == IBV_TRANSPORT_IWARP) return Technology::iwarp;
    if (link.link_layer != IBV_LINK_LAYER_ETHERNET) return Technology::infiniband;
    return has_roce_v2(ibv, context, facts, link) ? Technology::roce_v2 : Technology::roce;
}

}  // namespace

class Device::CompletionWatch final : public EventLoop::Watcher {
public:
    explicit CompletionWatch(Ref<Device> device) : device_(std::move(device)) {}
    void on_ready(std::uint32_t) override { device_->drain_completion_channel(); }

private:
    const Ref<Device> device_;
};

class Device::AsyncWatch final : public EventLoop::Watcher {
public:
    explicit AsyncWatch(Ref<Device> device) : device_(std::move(device)) {}
    void on_ready(std::uint32_t) override { device_->drain_async_events(); }

private:
    const Ref<Device> device_;
};

// Closes a context that no device has yet: memory may be short.
using OpenContext = std::unique_ptr<ibv_context, decltype(VerbsFunctions::close_device)>;

Result<Ref<Device>> Device::open(const SharedParts& parts, const rdma_cm_id& bound) {
    const VerbsFunctions& ibv = parts.core.ibv;
    ibv_device* const found = bound.verbs->device;
    OpenContext context(ibv.open_device(found), ibv.close_device);
    if (!context) return refuse(ibv.get_device_name(found), "ibv_open_device", errno);
    DeviceFacts facts = facts_of(ibv, context.get(), port_of(bound));
    return create(parts, context.release(), std::move(facts));
}

Result<Ref<Device>> Device::create(const SharedParts& parts, ibv_context* context, DeviceFacts facts) {
    OpenContext own(context, parts.core.ibv.close_device);
    Ref<Device> device(new Device(parts, context, std::move(facts)));
    own.release();  // the device closes it
    if (const Status status = device->watch(); !ok(status)) return status;
    return device;
}

Device::Device(const SharedParts& parts, ibv_context* context, DeviceFacts facts)
    : parts_(parts),
      context_(context),
      facts_(std::move(facts)),
      tells_last_receive_(!facts_.quirks.tells_no_last_receive) {}

// The loop's references keep the device until the process ends.
Status Device::watch() {
    completion_channel_ = ibv().create_comp_channel(context_);
    if (!completion_channel_) return refuse(facts_.name, "creating a completion channel", errno);
    completion_events_.emplace(completion_channel_->fd);
    device_events_.emplace(context_->async_fd);
    commands_.emplace(context_->cmd_fd);
    if (!make_nonblocking(completion_channel_->fd) || !make_nonblocking(context_->async_fd))
        return refuse(facts_.name, "watching", errno);
    const Status status =
        event_loop().add(completion_channel_->fd, EventLoop::kArrival, make_ref<CompletionWatch>(Ref<Device>(this)));
    if (!ok(status)) return status;
    const Status async =
        event_loop().add(context_->async_fd, EventLoop::kArrival, make_ref<AsyncWatch>(Ref<Device>(this)));
    if (!ok(async)) event_loop().remove(completion_channel_->fd);
    return async;
}

Device::~Device() {
    completion_events_.reset();
    device_events_.reset();
    commands_.reset();
    if (completion_channel_) (void)ibv().destroy_comp_channel(completion_channel_);
    (void)ibv().close_device(context_);
}

void Device::expect_no_last_receive() {
    if (tells_last_receive_.exchange(false, std::memory_order_relaxed))
        log(LogLevel::info,
            "RDMA device {} does not tell the last receive of a queue pair: OpenND no longer waits for it",
            facts_.name);
}

bool Device::serves(const rdma_cm_id& id) const {
    return id.verbs && id.verbs->device == context_->device && port_of(id) == facts_.port;
}

int Device::next_vector(const ProcessorGroup& processors) {
    unsigned turn = next_vector_.fetch_add(1, std::memory_order_relaxed);
    if (processors.mask != 0) {
        std::uint64_t named = processors.mask;
        for (unsigned skipped = turn % static_cast<unsigned>(std::popcount(named)); skipped != 0; --skipped)
            named &= named - 1;
        turn = processors.number * 64u + static_cast<unsigned>(std::countr_zero(named));
    }
    return static_cast<int>(turn % static_cast<unsigned>(std::max(context_->num_comp_vectors, 1)));
}

void Device::add(const void* object, const RefCounted& owner, DeviceUser& user) {
    const Held lock(mutex_);
    users_[object] = {&owner, &user};
}

void Device::remove(const void* object) {
    const Held lock(mutex_);
    users_.erase(object);
}

Device::User Device::user_of(const void* object) {
    const Held lock(mutex_);
    const auto found = users_.find(object);
    if (found == users_.end()) return {};
    return {Ref<const RefCounted>::if_alive(found->second.owner), found->second.user};
}

ibv_mr* Device::register_everything(ibv_pd* domain) const {
    return ibv().reg_mr(domain, nullptr, SIZE_MAX, IBV_ACCESS_ON_DEMAND | IBV_ACCESS_LOCAL_WRITE);
}

bool Device::pages_on_demand(ibv_pd* domain) {
    const Held lock(paging_mutex_);
    if (!pages_on_demand_) {
        ibv_mr* const region = register_everything(domain);
        pages_on_demand_ = region != nullptr;
        if (region) (void)ibv().dereg_mr(region);
    }
    return *pages_on_demand_;
}

// Drains the completion channel. Events are acknowledged before anything is done with them: ibv_destroy_cq and
// ibv_destroy_qp wait for that.
void Device::drain_completion_channel() {
    ibv_cq* queue = nullptr;
    void* context = nullptr;
    while (ibv().get_cq_event(completion_channel_, &queue, &context) == 0) {
        const User user = user_of(queue);
        ibv().ack_cq_events(queue, 1);
        if (user.owner) user.user->on_completion_event(queue);
    }
}

void Device::drain_async_events() {
    ibv_async_event event{};
    while (ibv().get_async_event(context_, &event) == 0) {
        const void* const subject = subject_of(event);
        const User user = subject ? user_of(subject) : User{};
        const ibv_event_type type = event.event_type;
        ibv().ack_async_event(&event);
        if (user.owner) user.user->on_async_event(type);
        if (subject) continue;
        log(LogLevel::warn, "RDMA device {}: {}", facts_.name, ibv().event_type_str(type));
        if (type == IBV_EVENT_DEVICE_FATAL) end();
    }
}

void Device::end() {
    std::vector<User> users;
    {
        const Held lock(mutex_);
        if (ended_.exchange(true, std::memory_order_acq_rel)) return;
        users.reserve(users_.size());
        for (const auto& [object, listed] : users_)
            if (auto alive = Ref<const RefCounted>::if_alive(listed.owner))
                users.push_back({std::move(alive), listed.user});
    }
    (void)report(Status::device_removed, {.object = phrase("RDMA device {}", facts_.name),
                                          .operation = "removal",
                                          .asked = "the device was taken from the host",
                                          .limit = "its adapters are dead",
                                          .remedy = "close them, and open the address again",
                                          .requirement = "ND2-GEN-07"});
    for (const User& each : users) each.user->on_device_removed();
}

Status Device::refuse_after_end(std::string_view object, std::string_view operation) const {
    return explain(Status::device_removed, {.object = object,
                                            .operation = operation,
                                            .asked = phrase("RDMA device {}", facts_.name),
                                            .limit = "a device that is there; this one was removed",
                                            .remedy = "close the adapter, and open the address again",
                                            .requirement = "ND2-GEN-07"});
}

std::string text_of(const Device& device) {
    const DeviceFacts& facts = device.facts();
    std::string text = format("RDMA device {} (driver {}", facts.name, facts.driver.empty() ? "unknown" : facts.driver);
    if (!facts.firmware.empty()) text += ", firmware " + facts.firmware;
    text += format("), {}", name_of(facts.technology)) + port_text(device);
    const std::string node = sysfs_line(facts, "device/numa_node");
    if (!node.empty() && node != "-1") text += ", NUMA node " + node;
    return text + locked_memory_text();
}

int query_port(const VerbsFunctions& ibv, ibv_context* context, std::uint8_t port, ibv_port_attr& attributes) {
    attributes = {};
    // The driver's own function comes first: the exported one does not know the newest members.
    if (verbs_context* const newer = __extension__ verbs_get_ctx_op(context, query_port))
        return newer->query_port(context, port, &attributes, sizeof(attributes));
    return ibv.query_port(context, port, reinterpret_cast<_compat_ibv_port_attr*>(&attributes));
}

std::string_view name_of(Technology technology) {
    switch (technology) {
        case Technology::infiniband: return "InfiniBand";
        case Technology::roce: return "RoCE v1";
        case Technology::roce_v2: return "RoCE v2";
        case Technology::iwarp: break;
    }
    return "iWARP";
}

std::string sysfs_line(const DeviceFacts& facts, std::string_view file) {
    std::ifstream stream(format("/sys/class/infiniband/{}/{}", facts.name, file));
    std::string line;
    std::getline(stream, line);
    return line;
}

DeviceFacts facts_of(const VerbsFunctions& ibv, ibv_context* context, std::uint8_t port) {
    DeviceFacts facts;
    facts.name = ibv.get_device_name(context->device);
    facts.driver = driver_of(*context);
    facts.port = port;
    facts.quirks = quirks_of(facts.driver);
    ibv_port_attr link{};
    (void)query_port(ibv, context, port, link);  // a port that does not tell is InfiniBand's, as the verbs define
    facts.technology = technology_of(ibv, context, facts, link);
    ibv_device_attr attributes{};
    if (ibv.query_device(context, &attributes) == 0) {
        facts.firmware.assign(attributes.fw_ver, strnlen(attributes.fw_ver, sizeof(attributes.fw_ver)));
        facts.vendor_id = attributes.vendor_id;
        facts.part_id = attributes.vendor_part_id;
    }
    return facts;
}

}  // namespace opennd::verbs
