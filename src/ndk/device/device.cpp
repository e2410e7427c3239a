// SPDX-License-Identifier: MIT
// See device.h.
#include "ndk/device/device.h"

#include <algorithm>
#include <utility>

#include "ndk/device/configured_devices.h"
#include "platform/host/interfaces.h"

namespace opennd {

std::vector<Interface> devices(const std::vector<Interface>& configured) {
    std::vector<Interface> all = interfaces();
    for (Interface& each : present_devices(configured)) all.push_back(std::move(each));
    return all;
}

std::optional<Interface> find_device(std::uint32_t index, const std::vector<Interface>& configured) {
    for (Interface& each : devices(configured))
        if (each.index == index) return std::move(each);
    return std::nullopt;
}

std::optional<Interface> find_device(const Address& address) {
    for (Interface& each : interfaces()) {
        const auto& own = each.addresses;
        const bool is_loopback = std::any_of(own.begin(), own.end(), [](const Address& a) { return a.is_loopback(); });
        if (find_host(own, address) || (address.is_loopback() && is_loopback)) return std::move(each);
    }
    return std::nullopt;
}

Result<Ref<Adapter>> open_core(AdapterCatalog& catalog, const Interface& device, std::vector<Interface> configured,
                               AdapterKinds kinds) {
    const auto addresses_now = [index = device.index, configured = std::move(configured)]() -> std::vector<Address> {
        std::optional<Interface> now = find_device(index, configured);
        return now ? std::move(now->addresses) : std::vector<Address>{};
    };
    return catalog.open(device, addresses_now, Face::ndk, kinds);
}

}  // namespace opennd
