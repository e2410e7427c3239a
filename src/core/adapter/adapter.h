// SPDX-License-Identifier: MIT
// One open of one adapter: a protection domain and its limits. Objects of two adapters do not mix (ND2-PRV-OPEN-02).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/activity.h"
#include "model/address.h"
#include "model/face.h"
#include "model/interface.h"
#include "model/limits.h"
#include "transport/adapter.h"

namespace opennd {

// The addresses that an interface has at the time of the call. Any thread.
using AddressSource = std::function<std::vector<Address>()>;

class Adapter final : public RefCounted {
public:
    // `id` as the catalog gives it (adapter_catalog.h); `on` as the interface was at the opening; `held_kind` of
    // Transport::hold_kind(), released last.
    Adapter(std::uint64_t id, Interface on, AddressSource addresses, Ref<TransportAdapter> transport,
            Face face = Face::nd2, Ref<Activity> activity = make_ref<Activity>(), Ref<RefCounted> held_kind = nullptr);
    ~Adapter() override;

    std::uint64_t id() const { return id_; }
    // The interface as it was at the opening, and the addresses that it has now: they come and go.
    const Interface& opened_on() const { return opened_on_; }
    std::vector<Address> addresses() const { return address_source_(); }
    const AddressSource& address_source() const { return address_source_; }
    const AdapterLimits& limits() const { return limits_; }
    const AdapterTraits& traits() const { return transport_->traits(); }
    TransportAdapter& transport() const { return *transport_; }
    // For explanations: the profile that imposes this limit or trait, "profile cxgb4". Empty: none does. `in_force`: the number
    // that the caller compares with, which may be a smaller one of its own.
    template <typename Number>
    std::string_view imposer(Number AdapterLimits::*limit, std::uint64_t in_force) const {
        const AppliedProfile* const profile = transport_->profile();
        const bool lowered = profile && profile->own.limits.*limit != limits_.*limit;
        return lowered && limits_.*limit == in_force ? std::string_view(profile->label) : std::string_view();
    }
    template <typename Value>
    std::string_view imposer(Value AdapterTraits::*trait) const {
        const AppliedProfile* const profile = transport_->profile();
        const bool changed = profile && profile->own.traits.*trait != traits().*trait;
        return changed ? std::string_view(profile->label) : std::string_view();
    }
    Face face() const { return face_; }
    // The activity of all opens of the interface.
    Activity& activity() const { return *activity_; }
    Inventory& inventory() const { return activity_->inventory(); }

    // The adapter's own form of `wanted`; nothing if it has no such address. The unspecified address is none.
    std::optional<Address> own_address(const Address& wanted) const;
    // `remote`; a link-local address without a scope is one of the adapter's link.
    Address on_own_link(const Address& remote) const;
    // The address a connector or listener gets that asked for `wanted`: that one of this adapter's, or the first of its family
    // for the unspecified one, with that port. invalid_address: it has none such (ND2-CON-BIND-01).
    Result<Address> resolve_local(const Address& wanted) const;

    // A local token of all memory of this process, to be read and written by requests of this side, never by a peer
    // (NDK-PD-02); the same each time, and valid as long as this object (NDK-PD-03). insufficient_resources.
    Result<Token> address_space_token() EXCLUDES(mutex_);

    // Pages that requests may name by their addresses under that token, of every open of the interface, until the reference goes
    // (NDK-LAM-09). Null: all memory may be named. insufficient_resources.
    Result<Ref<RefCounted>> name_pages(std::span<const std::uint64_t> pages) { return transport_->name_pages(pages); }

    // The number of entries that a queue made for `wanted` has; a program that asked for one and uses two exists
    // (ND2-ADP-QP-05).
    static std::uint32_t round_up_sges(std::uint32_t wanted, std::uint32_t maximum);

private:
    Status refuse_local(const Address& wanted, std::string_view limit) const;

    // Constant after construction.
    const std::uint64_t id_;
    const Interface opened_on_;
    const AddressSource address_source_;
    const Ref<RefCounted> held_kind_;
    const Ref<TransportAdapter> transport_;
    const AdapterLimits limits_;
    const Face face_;
    const Ref<Activity> activity_;

    Mutex mutex_;
    Ref<TransportMemory> address_space_ GUARDED_BY(mutex_);  // null until the first address_space_token()
};

}  // namespace opennd
