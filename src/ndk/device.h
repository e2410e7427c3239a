// SPDX-License-Identifier: MIT
// The devices behind NDK adapters: the network interfaces of this host (NDK-HOST-01), and behind them those that an
// administrator adds (NDK-HOST-05).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/address.h"
#include "platform/interfaces.h"

namespace opennd {

// Any thread; each asks the kernel anew, so that addresses come and go.
std::vector<Interface> devices();
std::optional<Interface> find_device(std::uint32_t index);
// The interface that has the address, whatever the port; every loopback address is the loopback interface's (NDK-HOST-02).
std::optional<Interface> find_device(const Address& address);

// `wanted`, an address of a consumer, as `device` has it, with its port; nothing if it does not have it. The unspecified
// address is not looked for here.
std::optional<Address> address_on(const Interface& device, const Address& wanted);

}  // namespace opennd
