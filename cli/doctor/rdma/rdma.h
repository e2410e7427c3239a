// SPDX-License-Identifier: MIT
//
// `nd doctor --rdma`: the first run on an RDMA device (docs/verbs.md). It moves data between this host and itself, through the device.
#pragma once

#include "doctor/finding.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace nd {

class SocketAddress;

// The report of the device that has the address, as opennd_device_report gives it; null where there is none, and `reason` says why.
nlohmann::ordered_json device_facts(const SocketAddress& local, std::string& reason);

// The device in its own words, beside OpenND's needs.
Findings check_device(const nlohmann::ordered_json& device, const SocketAddress& local);
// The differences from the table of providers in docs/verbs.md.
Finding check_provider(const nlohmann::ordered_json& device);
// Connections of this process with itself: every kind of request once, every byte compared, then waits and ends.
Findings check_requests(const SocketAddress& local);
// Traffic with a second process, every byte compared; latencies and rates. `transport` as in --transport.
Findings measure_device(const SocketAddress& local, const std::string& transport);

}  // namespace nd
