// SPDX-License-Identifier: MIT
// The list of transports.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "library/settings/settings.h"
#include "platform/thread/event_loop.h"
#include "transport/hardware_transport.h"
#include "transport/soft/wire.h"

namespace opennd {

// All software transports, in order of preference; `names` gets the names of all transports, those of the hardware first.
std::vector<std::unique_ptr<soft::Wire>> make_wires(const Settings& settings, std::vector<std::string>& names);

// The transport of RDMA hardware, null where this library was built without it (OPENND_VERBS of CMake). `loop` outlives it.
std::unique_ptr<HardwareTransport> make_hardware(EventLoop& loop, const Settings& settings);

}  // namespace opennd
