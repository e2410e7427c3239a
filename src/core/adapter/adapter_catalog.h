// SPDX-License-Identifier: MIT
// The adapters of this host: each network interface is one, with all its addresses.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/adapter.h"
#include "model/address.h"
#include "model/interface.h"
#include "transport/adapter.h"

namespace opennd {

// The catalog's view of the host.
struct Host {
    std::function<std::vector<Interface>()> interfaces;  // at the time of the call
    std::uint32_t id = 0;                                // part of each adapter's id
    bool lists_loopback = false;                         // also beside other addresses
    std::function<void()> opening = [] {};               // called before each opening, without a lock
};

// Thread-safe. Made by library/; outlives every adapter. Follows the host from call to call (NDS-LIST-05).
class AdapterCatalog {
public:
    AdapterCatalog(Transport& transport, Host host);

    // The addresses to list for programs: without loopback addresses where there are others (ND2-PRV-LIST-05). Ports
    // are 0.
    std::vector<Address> listed() const;

    // The host's own form of `wanted`, listed or not; nothing if it has no such address.
    std::optional<Address> find(const Address& wanted) const;

    // The id of the adapter that has this address; the port is ignored. It names the interface: the same for each of its
    // addresses, as long as the interface is there, and in every process of the host (ND2-PRV-RES-03). Ids are in the order
    // of the interfaces' indices. invalid_address: none has it.
    Result<std::uint64_t> resolve(const Address& address) const;

    // A new adapter instance. invalid_parameter: no adapter has this id (any more). Otherwise the transport's reason.
    Result<Ref<Adapter>> open(std::uint64_t id, Face face) EXCLUDES(mutex_);
    // A new adapter instance of an interface that need not be one of the host's; statuses as above.
    Result<Ref<Adapter>> open(const Interface& on, AddressSource addresses, Face face,
                              AdapterKinds kinds = AdapterKinds::any) EXCLUDES(mutex_);
    // Another instance, on the interface of `adapter`.
    Result<Ref<Adapter>> open_another(const Adapter& adapter) EXCLUDES(mutex_);

    // The activity of this process at the interface with this index.
    Ref<Activity> activity(std::uint32_t index) EXCLUDES(mutex_);
    // The activities of every interface where an adapter was opened, by its index.
    std::map<std::uint32_t, Ref<Activity>> activities() EXCLUDES(mutex_);
    // The traffic of this process at the interface with this index, by face and wire. Nothing: its adapters do not count.
    std::optional<std::vector<WireTraffic>> traffic(std::uint32_t index) const { return transport_.traffic(index); }

private:
    std::uint64_t id_of(const Interface& interface) const;

    // Constant after construction.
    Transport& transport_;
    const Host host_;

    Mutex mutex_;
    std::map<std::uint32_t, Ref<Activity>> activities_ GUARDED_BY(mutex_);  // by the interface's index
};

}  // namespace opennd
