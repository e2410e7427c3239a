// SPDX-License-Identifier: MIT
// VerbsTransport: see transport.h.
#include "transport/verbs/transport.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/explanation.h"
#include "transport/verbs/device/device.h"
#include "transport/verbs/device/fork_hazard.h"
#include "transport/verbs/device_report.h"

namespace opennd::verbs {
namespace {

// The process that loaded rdma-core here; 0: none has. librdmacm opens devices for it, and keeps them: a child of fork inherits the
// library's memory, but the devices would still be its parent's.
std::atomic<pid_t> loaded_by{0};

}  // namespace

// The sink of a device's probe, which hears of the end of the device alone.
class VerbsTransport::Probe final : public CmEventSink {
public:
    void watch(Ref<Device> device) {
        const Held lock(mutex_);
        device_ = std::move(device);
    }
    void on_event(const CmEvent& event) override {
        if (event.type != RDMA_CM_EVENT_DEVICE_REMOVAL) return;
        Ref<Device> device;
        {
            const Held lock(mutex_);
            device = std::exchange(device_, nullptr);
        }
        if (device) device->end();
    }

private:
    Mutex mutex_;
    Ref<Device> device_ GUARDED_BY(mutex_);
};

VerbsTransport::VerbsTransport(EventLoop& loop, const Settings& settings) : loop_(loop), settings_(settings) {}

VerbsTransport::~VerbsTransport() = default;

bool VerbsTransport::load(std::string& reason) {
    if (channel_) return true;
    pid_t loader = 0;
    if (!loaded_by.compare_exchange_strong(loader, getpid()) && loader != getpid()) {
        reason = "this process is a child of one that has opened RDMA devices; start a program by exec to use them";
        return false;
    }
    if (!core_) {
        core_ = load_rdma_core(reason);
        if (!core_) return false;
        if (const std::string line = fork_hazard(core_->ibv); !line.empty()) log(LogLevel::warn, "{}", line);
    }
    if (!reaper_) reaper_ = make_ref<Reaper>(loop_);
    Result<std::unique_ptr<EventChannel>> channel = EventChannel::open(core_->rdma, loop_, *reaper_);
    if (!channel.ok()) {
        reason = std::string(std::string_view(last_failure().limit));
        return false;
    }
    channel_ = channel.take();
    return true;
}

VerbsTransport::Opened* VerbsTransport::find(const Interface& on, std::string& reason) {
    if (!has_rdma_device()) return nullptr;
    const bool local = on.addresses.empty() || on.addresses.front().is_loopback();  // leads to no device
    if (local) {
        reason = "a loopback address leads to no RDMA device";
        return nullptr;
    }
    if (!load(reason)) return nullptr;
    for (const Address& address : on.addresses)
        if (Opened* const opened = device_of(address, reason)) return opened;
    return nullptr;
}

VerbsTransport::Opened* VerbsTransport::device_of(const Address& address, std::string& reason) {
    const auto sink = make_ref<Probe>();
    Result<Ref<ConnectionId>> id = ConnectionId::create(*channel_, sink);
    if (!id.ok()) {
        reason = std::string(std::string_view(last_failure().limit));
        return nullptr;
    }
    sockaddr_storage raw = address.with_port(0).to_sockaddr();
    rdma_cm_id* const probe = id.value()->get();
    if (core_->rdma.bind_addr(probe, reinterpret_cast<sockaddr*>(&raw)) != 0 || !probe->verbs) {
        const int error = probe->verbs ? errno : ENODEV;
        reason = format("{}: {}", address.text(false),
                        error == ENODEV ? "no RDMA device has it" : std::generic_category().message(error));
        return nullptr;
    }
    Opened& opened = devices_[{probe->verbs->device, port_of(*probe)}];
    if (opened.device && !opened.device->ended()) return &opened;
    Result<Ref<Device>> device = Device::open({*core_, loop_, *reaper_, *channel_, settings_}, *probe);
    if (!device.ok()) {
        reason = std::string(std::string_view(last_failure().limit));
        return nullptr;
    }
    sink->watch(device.value());
    opened = {device.take(), id.take(), std::nullopt};
    return &opened;
}

Status VerbsTransport::complete(Opened& opened) {
    if (opened.can) return Status::success;
    Result<DeviceLimits> can = find_limits(*opened.device);
    if (can.ok()) opened.can = can.value();
    return can.status();
}

bool VerbsTransport::serves(const Interface& on, std::string& reason) {
    const Held lock(mutex_);
    return find(on, reason) != nullptr;
}

Result<Ref<TransportAdapter>> VerbsTransport::open(const Interface& on, Face) {
    const Held lock(mutex_);
    std::string reason;
    Opened* const opened = find(on, reason);
    if (!opened)
        return opennd::explain(
            Status::not_supported,
            {.object = phrase("adapter {}", on.name),
             .operation = "OpenAdapter",
             .asked = "the RDMA device of the interface",
             .limit = reason.empty() ? std::string_view("none is there any more") : reason,
             .remedy = "look at `rdma link`; close the adapters of the interface to change their kind",
             .requirement = "ND2-PRV-OPEN-01"});
    if (const Status status = complete(*opened); !ok(status)) return status;
    Result<Ref<VerbsAdapter>> adapter = VerbsAdapter::create(opened->device, *opened->can, overrun_rule_);
    if (!adapter.ok()) return adapter.status();
    return Ref<TransportAdapter>(adapter.take());
}

TransportChoice VerbsTransport::explain(const Address& local, const Address& remote) {
    const Held lock(mutex_);
    if (!has_rdma_device()) return {"", "this host has no RDMA device"};
    std::string reason;
    const Opened* const opened = load(reason) ? device_of(local, reason) : nullptr;
    if (!opened) return {"", reason};
    return {"verbs", format("{} is reached through {}", remote.text(false), text_of(*opened->device))};
}

std::optional<DeviceReport> VerbsTransport::describe(const Address& local, std::string& reason) {
    const Held lock(mutex_);
    if (!has_rdma_device() || !load(reason)) return std::nullopt;
    Opened* const opened = device_of(local, reason);
    if (!opened) return std::nullopt;
    if (!ok(complete(*opened))) {
        reason = std::string(std::string_view(last_failure().limit));
        return std::nullopt;
    }
    return report_of(*opened->device, *opened->can);
}

}  // namespace opennd::verbs
