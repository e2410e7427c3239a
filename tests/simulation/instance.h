// SPDX-License-Identifier: MIT
// The library of a simulated process, from its first use to its end: a service thread, transports and adapters of its own.
#pragma once

#include <opennd.h>

#include "library/library.h"
#include "simulation/world/process.h"
#include "support/com_ptr.h"

namespace opennd::simulation {

// Made and destroyed by a thread of the process.
class Instance {
public:
    explicit Instance(Process& process) : process_(process), library_(Library::instance()) {}
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    // The adapter of the machine's first address.
    support::ComPtr<IND2Adapter> open_adapter();
    const Address& address() const { return process_.machine().addresses().front(); }

private:
    Process& process_;
    Library& library_;
};

}  // namespace opennd::simulation
