// SPDX-License-Identifier: MIT
// The devices behind NDK adapters: the network interfaces of this host (NDK-HOST-01), then the ones an administrator
// adds (NDK-HOST-05).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/adapter_catalog.h"
#include "model/address.h"
#include "model/interface.h"

namespace opennd {

// Any thread; each asks the kernel anew, so that addresses come and go. `configured`: NdkSettings::configured.
std::vector<Interface> devices(const std::vector<Interface>& configured);
std::optional<Interface> find_device(std::uint32_t index, const std::vector<Interface>& configured);
// The interface that has the address, at any port; every loopback address is the loopback interface's (NDK-HOST-02).
std::optional<Interface> find_device(const Address& address);

// A new open of the device for NDK, with the addresses that it has at the time of use.
Result<Ref<Adapter>> open_core(AdapterCatalog& catalog, const Interface& device, std::vector<Interface> configured,
                               AdapterKinds kinds = AdapterKinds::any);

}  // namespace opennd
