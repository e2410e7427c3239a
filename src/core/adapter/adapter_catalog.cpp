// SPDX-License-Identifier: MIT
// See adapter_catalog.h.
#include "core/adapter/adapter_catalog.h"

#include <algorithm>
#include <utility>

#include "base/explanation.h"

namespace opennd {

AdapterCatalog::AdapterCatalog(Transport& transport, Host host) : transport_(transport), host_(std::move(host)) {}

std::vector<Address> AdapterCatalog::listed() const {
    std::vector<Address> all = addresses_of(host_.interfaces());
    const auto loopback = std::find_if(all.begin(), all.end(), [](const Address& a) { return a.is_loopback(); });
    if (!host_.lists_loopback && loopback != all.begin()) all.erase(loopback, all.end());  // they come last
    return all;
}

std::optional<Address> AdapterCatalog::find(const Address& wanted) const {
    return find_host(addresses_of(host_.interfaces()), wanted.with_port(0));
}

// Programs print ids, exchange them as names of nodes, and take the lowest.
std::uint64_t AdapterCatalog::id_of(const Interface& interface) const {
    return std::uint64_t{interface.index} << 32 | host_.id;
}

Result<std::uint64_t> AdapterCatalog::resolve(const Address& address) const {
    for (const Interface& each : host_.interfaces())
        if (find_host(each.addresses, address)) return id_of(each);
    return Status::invalid_address;
}

std::map<std::uint32_t, Ref<Activity>> AdapterCatalog::activities() {
    const Held lock(mutex_);
    return activities_;
}

Ref<Activity> AdapterCatalog::activity(std::uint32_t index) {
    const Held lock(mutex_);
    Ref<Activity>& activity = activities_[index];
    if (!activity) activity = make_ref<Activity>();
    return activity;
}

Result<Ref<Adapter>> AdapterCatalog::open(std::uint64_t id, Face face) {
    for (const Interface& each : host_.interfaces()) {
        if (id_of(each) != id || each.addresses.empty()) continue;
        const auto addresses_now = [this, index = each.index]() -> std::vector<Address> {
            for (Interface& now : host_.interfaces())
                if (now.index == index) return std::move(now.addresses);
            return {};
        };
        return open(each, addresses_now, face);
    }
    return explain(Status::invalid_parameter, {.object = "provider",
                                               .operation = "OpenAdapter",
                                               .asked = phrase("adapter id {:#x}", id),
                                               .limit = "the id of an interface that is up and has an address",
                                               .remedy = "take it from an address of this host",
                                               .requirement = "ND2-PRV-OPEN-01"});
}

Result<Ref<Adapter>> AdapterCatalog::open(const Interface& on, AddressSource addresses, Face face, AdapterKinds kinds) {
    host_.opening();
    Result<Ref<RefCounted>> kind = transport_.hold_kind(on, kinds);
    if (!kind.ok()) return kind.status();
    Result<Ref<TransportAdapter>> transport = transport_.open(on, face);
    if (!transport.ok()) return transport.status();
    Ref<Activity> at_interface = activity(on.index);
    at_interface->on_open(face);
    return make_ref<Adapter>(id_of(on), on, std::move(addresses), transport.take(), face, std::move(at_interface),
                             kind.take());
}

Result<Ref<Adapter>> AdapterCatalog::open_another(const Adapter& adapter) {
    return open(adapter.opened_on(), adapter.address_source(), adapter.face());
}

}  // namespace opennd
