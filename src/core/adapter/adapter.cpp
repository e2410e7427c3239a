// SPDX-License-Identifier: MIT
// See adapter.h.
#include "core/adapter/adapter.h"

#include <algorithm>
#include <utility>

#include "base/check_rule.h"
#include "base/explanation.h"

namespace opennd {

Adapter::Adapter(std::uint64_t id, Interface on, AddressSource addresses, Ref<TransportAdapter> transport, Face face,
                 Ref<Activity> activity, Ref<RefCounted> held_kind)
    : id_(id),
      opened_on_(std::move(on)),
      address_source_(std::move(addresses)),
      held_kind_(std::move(held_kind)),
      transport_(std::move(transport)),
      limits_(transport_->limits()),
      face_(face),
      activity_(std::move(activity)) {}

// Addresses of the opening first, then the current ones of the host. The transport refuses one that has gone since.
std::optional<Address> Adapter::own_address(const Address& wanted) const {
    if (const std::optional<Address> own = find_host(opened_on_.addresses, wanted)) return own;
    return find_host(addresses(), wanted);
}

Address Adapter::on_own_link(const Address& remote) const {
    if (!remote.is_link_local() || remote.scope() != 0) return remote;
    for (const Address& own : addresses())
        if (own.is_link_local()) return remote.with_scope(own.scope());
    return remote;
}

Result<Address> Adapter::resolve_local(const Address& wanted) const {
    if (!wanted.is_unspecified()) {
        if (const std::optional<Address> own = own_address(wanted)) return *own;
        return refuse_local(wanted, "an address of the interface, or the unspecified one");
    }
    for (const Address& own : addresses())
        if (own.family() == wanted.family()) return own.with_port(wanted.port());
    return refuse_local(wanted, "the unspecified address of a family in which the interface has an address");
}

Status Adapter::refuse_local(const Address& wanted, std::string_view limit) const {
    return explain(Status::invalid_address, {.object = phrase("adapter {}", opened_on_.name),
                                             .operation = "Bind",
                                             .asked = phrase("address {}", wanted.text(false)),
                                             .limit = limit,
                                             .remedy = "open the adapter that has the address",
                                             .requirement = "ND2-CON-BIND-01",
                                             .rule = CheckRule::peer_address});
}

Adapter::~Adapter() {
    if (address_space_) address_space_->deregister();
}

Result<Token> Adapter::address_space_token() {
    const Held lock(mutex_);
    if (!address_space_) {
        auto memory = transport_->register_address_space();
        if (!memory.ok()) return memory.status();
        address_space_ = memory.take();
    }
    return address_space_->local_token();
}

std::uint32_t Adapter::round_up_sges(std::uint32_t wanted, std::uint32_t maximum) {
    constexpr std::uint32_t kLeastSges = 4;
    return std::max(wanted, std::min(kLeastSges, maximum));
}

}  // namespace opennd
