// SPDX-License-Identifier: MIT
// Seam: a transport whose adapters are devices of the host, so that it serves some interfaces and not others.
#pragma once

#include <optional>
#include <string>

#include "model/overrun_rule.h"
#include "transport/adapter.h"
#include "transport/device_report.h"

namespace opennd {

class HardwareTransport : public Transport {
public:
    // Returns true if open(on) would make an adapter of a device. If not, `reason` says why; it is empty if the host
    // has no such device at all. May take seconds the first time that the host has one.
    virtual bool serves(const Interface& on, std::string& reason) = 0;

    // Describes the device that has an address of this host, which may take seconds the first time. Returns nothing if there is none:
    // `reason` says why, and is empty if the host has no such device at all. Throws std::bad_alloc.
    virtual std::optional<DeviceReport> describe(const Address& local, std::string& reason) = 0;

    // Sets the rule of completion queues that are made from now on.
    virtual void set_overrun_rule(OverrunRule rule) = 0;
};

}  // namespace opennd
