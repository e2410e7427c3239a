// SPDX-License-Identifier: MIT
// Which adapters this host has: each local address is one (design.md, decision 5), served by one transport.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "core/adapter.h"
#include "model/address.h"

namespace opennd {

class Transport;

// Thread-safe. Made by library/; outlives every adapter.
class AdapterCatalog {
public:
    // `local_addresses` lists the host's addresses at the time of the call, in the order of ND2-PRV-LIST-04.
    AdapterCatalog(Transport& transport, std::function<std::vector<Address>()> local_addresses);

    // Follows the host from call to call (NDS-LIST-05). Ports are 0.
    std::vector<Address> addresses() const { return local_addresses_(); }

    // The id of the adapter that has this address; the port is ignored. The same address gives the same id as long as
    // the process lives, and in every process of the host (ND2-PRV-RES-03). invalid_address: none has it.
    Result<std::uint64_t> resolve(const Address& address) const;

    // A new adapter instance. invalid_parameter: no adapter has this id (any more). Otherwise the transport's reason.
    Result<Ref<Adapter>> open(std::uint64_t id, Owner owner = Owner::user) EXCLUDES(mutex_);

    // What this process did and does at the address.
    Ref<Activity> activity(const Address& local) EXCLUDES(mutex_);

private:
    // Constant after construction.
    Transport& transport_;
    const std::function<std::vector<Address>()> local_addresses_;

    Mutex mutex_;
    std::map<std::uint64_t, Ref<Activity>> activities_ GUARDED_BY(mutex_);  // by the adapter's id
};

}  // namespace opennd
