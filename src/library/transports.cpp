// SPDX-License-Identifier: MIT
// See transports.h.
#include "library/transports.h"

#include "library/transport_map.h"
#include "transport/iwarp/handshake/wire.h"
#include "transport/loopback/wire.h"
#include "transport/shm/wire.h"

#if OPENND_VERBS
#include "transport/verbs/transport.h"
#endif

namespace opennd {

std::vector<std::unique_ptr<soft::Wire>> make_wires(const Settings& settings, std::vector<std::string>& names) {
    std::vector<std::unique_ptr<soft::Wire>> wires;
    wires.push_back(std::make_unique<loopback::LoopbackWire>());
    wires.push_back(std::make_unique<shm::ShmWire>(settings.shm));
    wires.push_back(std::make_unique<iwarp::IwarpWire>(settings.iwarp));
    names.emplace_back(TransportMap::kJoint);
    names.emplace_back(TransportMap::kHardware);
    for (const std::unique_ptr<soft::Wire>& wire : wires) names.emplace_back(wire->name());
    return wires;
}

std::unique_ptr<HardwareTransport> make_hardware([[maybe_unused]] EventLoop& loop,
                                                 [[maybe_unused]] const Settings& settings) {
#if OPENND_VERBS
    verbs::Settings own = settings.verbs;
    own.no_receive_time = settings.soft.no_receive_time;
    return std::make_unique<verbs::VerbsTransport>(loop, own);
#else
    return nullptr;
#endif
}

}  // namespace opennd
