// SPDX-License-Identifier: MIT
// The devices behind NDK adapters: the network interfaces of this host (NDK-HOST-01), then the ones an administrator
// adds (NDK-HOST-05).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/adapter_catalog.h"
#include "model/address.h"
#include "model/interface.h"
#include "opennd_ndk.h"

namespace opennd {

// Any thread; each asks the kernel anew, so that addresses come and go. `configured`: NdkSettings::configured.
std::vector<Interface> devices(const std::vector<Interface>& configured);
std::optional<Interface> find_device(std::uint32_t index, const std::vector<Interface>& configured);
// The interface that has the address, at any port; every loopback address is the loopback interface's (NDK-HOST-02).
std::optional<Interface> find_device(const Address& address);

// A new open of the device for NDK, with the addresses that it has at the time of use.
Result<Ref<Adapter>> open_core(AdapterCatalog& catalog, const Interface& device, std::vector<Interface> configured,
                               AdapterKinds kinds = AdapterKinds::any);

// Adapters beside those of the host's interfaces, as an administrator wants them (NDK-HOST-05).
// Their indices count up from here, where no interface's ever is.
inline constexpr std::uint32_t kFirstConfiguredDevice = OPENND_NDK_FIRST_CONFIGURED;

// Reads "name=address,address;name=address", the value of OPENND_NDK_ADAPTERS. A misspelt entry is logged and left out, and
// keeps its index.
std::vector<Interface> read_configured_devices(std::string_view text);

// Each with those of its addresses that this host has at the moment, and up if it has any. Any thread.
std::vector<Interface> present_devices(const std::vector<Interface>& configured);

// An administrator's settings of NDK adapters. An adapter keeps those of its opening.
struct NdkSettings {
    // How long each step of setting up a connection may take the other side, and NdkCompleteConnect this one's consumer
    // (NDK-CON-CONN-06, NDK-CON-CC-02).
    std::chrono::milliseconds set_up{15'000};
    // How long NdkDisconnect waits for the peer's (NDK-CON-DISC-04).
    std::chrono::milliseconds answer{5'000};
    // When the close of an adapter first logs the objects it waits for (NDK-GEN-16).
    std::chrono::milliseconds naming{5'000};
    // How long an instance goes on when NDK is disabled at its interface (NDK-STAT-21).
    std::chrono::milliseconds grace{5'000};
    // Devices beside the interfaces, with all the addresses that they shall have (NDK-HOST-05).
    std::vector<Interface> configured;
    // Names of interfaces where NDK cannot be enabled (NDK-STAT-20, -22).
    std::vector<std::string> disabled;

    bool disable(std::string_view interface) const;
};

// The names of a list "lo, eth0".
std::vector<std::string> read_names(std::string_view list);

}  // namespace opennd
