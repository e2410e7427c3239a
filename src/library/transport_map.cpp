// SPDX-License-Identifier: MIT
// See transport_map.h.
#include "library/transport_map.h"

#include <utility>

#include "base/explanation.h"
#include "platform/host/interfaces.h"
#include "transport/joint/adapter.h"

namespace opennd {
namespace {

constexpr std::string_view kNoDevice = "this host has no RDMA device (/sys/class/infiniband is empty)";
constexpr std::string_view kNotBuilt = "this library was built without it (OPENND_VERBS)";
// The wire of a joint adapter towards processes of this host.
constexpr std::string_view kHostWire = "shm";

constexpr bool names_hardware(std::string_view name) {
    return name == TransportMap::kHardware || name == TransportMap::kJoint;
}

[[gnu::cold]] Status refuse_hardware(const Interface& on, std::string_view reason) {
    return explain(Status::not_supported,
                   {.object = phrase("adapter {}", on.name),
                    .operation = "OpenAdapter",
                    .asked = "an adapter of RDMA hardware, and of nothing else",
                    .limit = reason,
                    .remedy = "name software transports in OPENND_TRANSPORT too, as verbs,shm,iwarp, or leave it unset",
                    .requirement = "ND2-CON-CONN-08"});
}

// The address from which this host reaches `remote`, unless `local` names one. Unspecified: there is none.
Address address_towards(const Address& local, const Address& remote) {
    if (!local.is_unspecified()) return local;
    const Result<Address> source = source_address_for(remote);
    return source.ok() ? source.value() : local;
}

std::optional<Interface> interface_of(const Address& address) {
    for (Interface& each : interfaces())
        if (find_host(each.addresses, address)) return std::move(each);
    return std::nullopt;
}

}  // namespace

class TransportMap::HeldKind final : public RefCounted {
public:
    HeldKind(TransportMap& map, std::uint32_t index, Kind kind) : kind_(kind), map_(map), index_(index) {}
    ~HeldKind() override {
        const Held lock(map_.mutex_);
        const auto found = map_.held_.find(index_);
        if (found != map_.held_.end() && found->second == this) map_.held_.erase(found);
    }

    Kind kind() const { return kind_; }

private:
    const Kind kind_;
    TransportMap& map_;
    const std::uint32_t index_;
};

TransportMap::TransportMap(soft::SoftTransport& software, std::unique_ptr<HardwareTransport> hardware)
    : software_(software), hardware_(std::move(hardware)), selections_(1), chosen_(&selections_.front()) {}

Ref<TransportMap::HeldKind> TransportMap::held_kind(std::uint32_t index) const {
    const Held lock(mutex_);
    const auto found = held_.find(index);
    return found == held_.end() ? nullptr : Ref<HeldKind>::if_alive(found->second);
}

// Hardware comes into question where its name stands first; a software transport reaches every peer, so that none after it is
// ever asked.
TransportMap::Choice TransportMap::choose(const Interface& on, AdapterKinds kinds) {
    if (kinds == AdapterKinds::software) return {Kind::software, {}};
    bool wanted = kinds == AdapterKinds::hardware;
    bool alone = wanted;
    Kind kind = Kind::hardware;
    if (const std::vector<std::string>& names = chosen(); !names.empty() && names_hardware(names.front())) {
        wanted = true;
        alone = alone || names.size() == 1;
        if (names.front() == kJoint) kind = Kind::joint;
    }
    if (!wanted) return {Kind::software, {}};
    std::string reason(hardware_ ? std::string_view() : kNotBuilt);
    if (hardware_ && hardware_->serves(on, reason)) return {kind, {}};
    if (!alone) return {Kind::software, std::move(reason)};
    return {std::nullopt, reason.empty() ? std::string(kNoDevice) : std::move(reason)};
}

Result<Ref<RefCounted>> TransportMap::hold_kind(const Interface& on, AdapterKinds kinds) {
    const auto suits = [&](Kind kind) {
        return kinds == AdapterKinds::any || (kinds == AdapterKinds::hardware) == (kind != Kind::software);
    };
    const auto join = [&](const Ref<HeldKind>& held) -> Result<Ref<RefCounted>> {
        if (suits(held->kind())) return Ref<RefCounted>(held);
        return opennd::explain(Status::not_supported, {.object = phrase("adapter {}", on.name),
                                                       .operation = "OpenAdapter",
                                                       .asked = "an adapter of the other kind than those that are open",
                                                       .limit = "one kind at a time for each interface",
                                                       .remedy = "close the adapters of the interface first",
                                                       .requirement = "NDK-HOST-03"});
    };
    if (const Ref<HeldKind> held = held_kind(on.index)) return join(held);
    const Choice choice = choose(on, kinds);
    if (!choice.kind) return refuse_hardware(on, choice.reason);
    if (!choice.reason.empty()) log(LogLevel::info, "adapter {}: software transports; {}", on.name, choice.reason);
    Ref<HeldKind> made = make_ref<HeldKind>(*this, on.index, *choice.kind);
    Ref<HeldKind> held;
    {
        const Held lock(mutex_);
        HeldKind*& entry = held_[on.index];
        if (entry) held = Ref<HeldKind>::if_alive(entry);  // another thread was quicker
        if (!held) {
            entry = made.get();
            held = made;
        }
    }
    return join(held);
}

Result<Ref<TransportAdapter>> TransportMap::open(const Interface& on, Face face) {
    const Ref<HeldKind> held = held_kind(on.index);
    if (!held || held->kind() == Kind::software) return software_.open(on, face);
    Result<Ref<TransportAdapter>> nic = hardware_->open(on, face);
    // The kernel's interface has regions that requests change; a joint adapter would have to change them in both parts at once.
    if (!nic.ok() || held->kind() == Kind::hardware || face == Face::ndk) return nic;
    Result<Ref<soft::SoftAdapter>> host = software_.open(on, face, kHostWire);
    if (!host.ok()) return host.status();
    return Ref<TransportAdapter>(make_ref<joint::JointAdapter>(host.take(), nic.take()));
}

TransportChoice TransportMap::explain(const Address& local, const Address& remote) {
    const std::vector<std::string>& names = chosen();
    if (names.empty() || !names_hardware(names.front())) return software_.explain(local, remote);
    const Address from = address_towards(local, remote);
    const std::optional<Interface> on = interface_of(from);
    if (!on) return software_.explain(from, remote);
    const Choice choice = choose(*on, AdapterKinds::any);
    std::string reason;
    if (choice.kind == Kind::joint && software_.reaches(kHostWire, remote, reason))
        return {std::string(kHostWire),
                format("{}; {} if its listener does not share memory with this process", reason, kHardware)};
    if (!choice.kind) return {"", format("{}: {}", kHardware, choice.reason)};
    if (choice.kind != Kind::software) return hardware_->explain(from, remote);
    return software_.explain(local, remote);
}

std::optional<std::vector<WireTraffic>> TransportMap::traffic(std::uint32_t index) const {
    const Ref<HeldKind> held = held_kind(index);
    if (held && held->kind() == Kind::hardware) return hardware_->traffic(index);
    return software_.traffic(index);
}

std::optional<DeviceReport> TransportMap::describe_device(const Address& local, std::string& reason) {
    reason = kNotBuilt;
    if (!hardware_) return std::nullopt;
    reason.clear();
    std::optional<DeviceReport> report = hardware_->describe(local, reason);
    if (!report && reason.empty()) reason = kNoDevice;
    return report;
}

void TransportMap::select(const std::vector<std::string>& names) {
    std::vector<std::string> software;
    for (const std::string& name : names)
        if (!names_hardware(name)) software.push_back(name);
    for (std::size_t i = 1; i < names.size(); ++i)
        if (names_hardware(names[i]))
            log(LogLevel::warn, "transports: {} stands behind {}: it is never used; name it first", names[i],
                names.front());
    software_.select(software);
    const Held lock(mutex_);
    auto known = std::find(selections_.begin(), selections_.end(), names);
    if (known == selections_.end()) known = selections_.insert(known, names);
    chosen_.store(&*known, std::memory_order_release);
}

void TransportMap::set_overrun_rule(OverrunRule rule) {
    software_.set_overrun_rule(rule);
    if (hardware_) hardware_->set_overrun_rule(rule);
}

}  // namespace opennd
