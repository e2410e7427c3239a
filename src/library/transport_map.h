// SPDX-License-Identifier: MIT
// Which transport serves an interface: RDMA hardware, the software RNIC, or both, joined. The choice is made when an adapter is opened, for
// memory, queue pairs and completion queues exist before a peer is known, and belong to a device. All opens of an interface are
// of one kind as long as one of them lives (docs/decisions/0052).
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "transport/hardware_transport.h"
#include "transport/soft/transport.h"

namespace opennd {

// Thread-safe.
class TransportMap final : public Transport {
public:
    // The names by which OPENND_TRANSPORT means the hardware, and the hardware joined with shared memory.
    static constexpr std::string_view kHardware = "verbs";
    static constexpr std::string_view kJoint = "verbs+shm";

    // `hardware`: null if this library was built without it.
    TransportMap(soft::SoftTransport& software, std::unique_ptr<HardwareTransport> hardware);

    Result<Ref<RefCounted>> hold_kind(const Interface& on, AdapterKinds kinds) override EXCLUDES(mutex_);
    Result<Ref<TransportAdapter>> open(const Interface& on, Face face) override EXCLUDES(mutex_);
    TransportChoice explain(const Address& local, const Address& remote) override EXCLUDES(mutex_);
    std::optional<std::vector<WireTraffic>> traffic(std::uint32_t index) const override EXCLUDES(mutex_);
    // Describes the device that has an address of this host, also if no choice has hardware. Nothing: `reason` says why.
    std::optional<DeviceReport> describe_device(const Address& local, std::string& reason);

    // The transports for adapters, connections and listeners made from now on, in order of preference. Unknown names are
    // ignored.
    void select(const std::vector<std::string>& names) EXCLUDES(mutex_);
    // Takes no lock: the first call in a child of fork asks its parent's map, whose locks may be held.
    const std::vector<std::string>& chosen() const { return *chosen_.load(std::memory_order_acquire); }

    void set_overrun_rule(OverrunRule rule);
    OverrunRule overrun_rule() const { return software_.overrun_rule(); }

private:
    enum class Kind : std::uint8_t { software, hardware, joint };
    class HeldKind;
    // The kind of a new open, or why there is none.
    struct Choice {
        std::optional<Kind> kind;
        std::string reason;  // why it is not hardware; may be empty
    };

    Choice choose(const Interface& on, AdapterKinds kinds) EXCLUDES(mutex_);
    // The kind that is held at an interface; null: nobody holds one. Not under mutex_, since the last reference to go takes it.
    Ref<HeldKind> held_kind(std::uint32_t index) const EXCLUDES(mutex_);

    // Constant after construction.
    soft::SoftTransport& software_;
    const std::unique_ptr<HardwareTransport> hardware_;

    mutable Mutex mutex_;  // no transport is called under it
    // Selections so far, each once and for good.
    std::list<std::vector<std::string>> selections_ GUARDED_BY(mutex_);
    std::atomic<const std::vector<std::string>*> chosen_;  // one of them; release, so that a reader finds its names
    // By the interface's index, as long as somebody holds them; a kind whose count is 0 already is about to leave.
    std::map<std::uint32_t, HeldKind*> held_ GUARDED_BY(mutex_);
};

}  // namespace opennd
