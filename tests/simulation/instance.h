// SPDX-License-Identifier: MIT
// The library as one simulated process has it: a service thread, transports and adapters of its own.
#pragma once

#include <opennd.h>

#include <string>
#include <vector>

#include "core/adapter_catalog.h"
#include "platform/event_loop.h"
#include "platform/mappable_memory.h"
#include "simulation/process.h"
#include "spi/nd2/provider.h"
#include "support/com_ptr.h"
#include "transport/soft/transport.h"

namespace opennd::simulation {

// Made and destroyed by a thread of the process.
class Instance {
public:
    // `transports`: of iwarp, shm and loopback.
    Instance(Process& process, const std::vector<std::string>& transports);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    // The adapter of the machine's first address.
    support::ComPtr<IND2Adapter> open_adapter();
    const Address& address() const { return process_.machine().addresses().front(); }

private:
    Process& process_;
    EventLoop loop_;
    MappableMemory memory_;
    soft::SoftTransport transport_;
    AdapterCatalog catalog_;
};

}  // namespace opennd::simulation
