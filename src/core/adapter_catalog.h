// SPDX-License-Identifier: MIT
// Which adapters this host has: each network interface is one, with all its addresses (design.md, decision 5).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "core/adapter.h"
#include "model/address.h"
#include "model/interface.h"

namespace opennd {

class Transport;

// What the catalog knows of the host.
struct Host {
    std::function<std::vector<Interface>()> interfaces;  // at the time of the call
    std::uint32_t id = 0;                                // part of each adapter's id
    bool lists_loopback = false;                         // also beside other addresses
};

// Thread-safe. Made by library/; outlives every adapter. Follows the host from call to call (NDS-LIST-05).
class AdapterCatalog {
public:
    AdapterCatalog(Transport& transport, Host host);

    // What programs are told of: without loopback addresses where there are others (ND2-PRV-LIST-05). Ports are 0.
    std::vector<Address> listed() const;

    // `wanted` as this host has it, listed or not; nothing if it does not.
    std::optional<Address> find(const Address& wanted) const;

    // The id of the adapter that has this address; the port is ignored. It names the interface: the same for each of its
    // addresses, as long as the interface is there, and in every process of the host (ND2-PRV-RES-03). Ids are in the order
    // of the interfaces' indices. invalid_address: none has it.
    Result<std::uint64_t> resolve(const Address& address) const;

    // A new adapter instance. invalid_parameter: no adapter has this id (any more). Otherwise the transport's reason.
    Result<Ref<Adapter>> open(std::uint64_t id, Owner owner = Owner::user) EXCLUDES(mutex_);
    // The same of an interface that need not be one of the host's.
    Result<Ref<Adapter>> open(const Interface& on, AddressSource addresses, Owner owner) EXCLUDES(mutex_);
    // Another instance of what `adapter` is one of.
    Result<Ref<Adapter>> open_another(const Adapter& adapter) EXCLUDES(mutex_);

    // What this process did and does at the interface with this index.
    Ref<Activity> activity(std::uint32_t index) EXCLUDES(mutex_);

private:
    std::uint64_t id_of(const Interface& interface) const;

    // Constant after construction.
    Transport& transport_;
    const Host host_;

    Mutex mutex_;
    std::map<std::uint32_t, Ref<Activity>> activities_ GUARDED_BY(mutex_);  // by the interface's index
};

}  // namespace opennd
