// SPDX-License-Identifier: MIT
// See wires.h.
#include "library/wires.h"

#include "library/transport_map.h"
#include "transport/iwarp/handshake/wire.h"
#include "transport/loopback/wire.h"
#include "transport/shm/wire.h"

namespace opennd {

std::vector<std::unique_ptr<soft::Wire>> make_wires(const Settings& settings, std::vector<std::string>& names) {
    std::vector<std::unique_ptr<soft::Wire>> wires;
    wires.push_back(std::make_unique<loopback::LoopbackWire>());
    wires.push_back(std::make_unique<shm::ShmWire>(settings.shm));
    wires.push_back(std::make_unique<iwarp::IwarpWire>(settings.iwarp));
    names.emplace_back(TransportMap::kHardware);
    for (const std::unique_ptr<soft::Wire>& wire : wires) names.emplace_back(wire->name());
    return wires;
}

}  // namespace opennd
