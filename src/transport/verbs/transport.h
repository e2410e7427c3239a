// SPDX-License-Identifier: MIT
// RDMA devices as a transport: which device serves an interface, and adapters on it. rdma-core is loaded, and its daemonless parts
// are asked, when the first interface of a host that has a device is opened.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/lock.h"
#include "platform/thread/event_loop.h"
#include "transport/hardware_transport.h"
#include "transport/verbs/adapter.h"
#include "transport/verbs/connection/event_channel.h"
#include "transport/verbs/device/device.h"
#include "transport/verbs/device/reaper.h"
#include "transport/verbs/device/settings.h"
#include "transport/verbs/memory/open_device.h"

namespace opennd::verbs {

// Thread-safe.
class VerbsTransport final : public HardwareTransport {
public:
    // `loop` outlives it.
    VerbsTransport(EventLoop& loop, const Settings& settings);
    // All adapters have gone when this runs, and the loop runs nothing of them.
    ~VerbsTransport() override;

    bool serves(const Interface& on, std::string& reason) override EXCLUDES(mutex_);
    Result<Ref<TransportAdapter>> open(const Interface& on, Face) override EXCLUDES(mutex_);
    TransportChoice explain(const Address& local, const Address& remote) override EXCLUDES(mutex_);
    std::optional<DeviceReport> describe(const Address& local, std::string& reason) override EXCLUDES(mutex_);
    void set_overrun_rule(OverrunRule rule) override { overrun_rule_.store(rule, std::memory_order_relaxed); }

private:
    class Probe;
    // A device that was opened. The probe's id stays, so that the removal of the device is told.
    struct Opened {
        Ref<Device> device;
        Ref<ConnectionId> probe;
        std::optional<DeviceLimits> can;
    };

    // Returns the device that has an address of the interface; null: `reason` says why, or is empty if the host has no
    // device.
    Opened* find(const Interface& on, std::string& reason) REQUIRES(mutex_);
    bool load(std::string& reason) REQUIRES(mutex_);
    Opened* device_of(const Address& address, std::string& reason) REQUIRES(mutex_);
    // Finds the limits, if that was not done yet. Statuses of find_limits().
    static Status complete(Opened& opened);

    EventLoop& loop_;
    const Settings settings_;
    std::atomic<OverrunRule> overrun_rule_{OverrunRule::forgiving};  // relaxed: it stands alone

    // This mutex is held while rdma-core is loaded and addresses are bound, which may take seconds the first time.
    Mutex mutex_;
    std::optional<RdmaCore> core_ GUARDED_BY(mutex_);  // constant from then on
    Ref<Reaper> reaper_ GUARDED_BY(mutex_);
    std::unique_ptr<EventChannel> channel_ GUARDED_BY(mutex_);
    std::map<std::pair<ibv_device*, std::uint8_t>, Opened> devices_ GUARDED_BY(mutex_);  // by their ports
};

}  // namespace opennd::verbs
