// SPDX-License-Identifier: MIT
// See adapter_catalog.h.
#include "core/adapter_catalog.h"

#include <string>
#include <utility>

#include "base/explanation.h"
#include "transport/adapter.h"

namespace opennd {
namespace {

// FNV-1a over the address's text: ids are numbers that programs print and exchange (spec section 2.9, AdapterId).
std::uint64_t adapter_id(const Address& address) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char c : address.text(false)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return hash;
}

}  // namespace

AdapterCatalog::AdapterCatalog(Transport& transport, std::function<std::vector<Address>()> local_addresses)
    : transport_(transport), local_addresses_(std::move(local_addresses)) {}

Result<std::uint64_t> AdapterCatalog::resolve(const Address& address) const {
    for (const Address& local : addresses())
        if (local.same_host(address)) return adapter_id(local);
    return Status::invalid_address;
}

Ref<Activity> AdapterCatalog::activity(const Address& local) {
    const Held lock(mutex_);
    Ref<Activity>& activity = activities_[adapter_id(local)];
    if (!activity) activity = make_ref<Activity>();
    return activity;
}

Result<Ref<Adapter>> AdapterCatalog::open(std::uint64_t id, Owner owner) {
    for (const Address& local : addresses()) {
        if (adapter_id(local) != id) continue;
        Result<Ref<TransportAdapter>> transport = transport_.open(local);
        if (!transport.ok()) return transport.status();
        return make_ref<Adapter>(id, local, transport.take(), owner, activity(local));
    }
    return explain(Status::invalid_parameter, {.object = "provider",
                                               .operation = "OpenAdapter",
                                               .asked = phrase("adapter id {:#x}", id),
                                               .limit = "the id of an address of this host",
                                               .remedy = "take it from ResolveAddress",
                                               .requirement = "ND2-PRV-OPEN-01"});
}

}  // namespace opennd
