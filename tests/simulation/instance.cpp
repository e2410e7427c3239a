// SPDX-License-Identifier: MIT
// Put together as library/library.cpp does, once for each process; see instance.h.
#include "simulation/instance.h"

#include <memory>

#include "simulation/world.h"
#include "transport/iwarp/wire.h"
#include "transport/loopback/wire.h"
#include "transport/shm/wire.h"

namespace opennd::simulation {
namespace {

std::vector<std::unique_ptr<soft::Wire>> all_wires() {
    std::vector<std::unique_ptr<soft::Wire>> wires;
    wires.push_back(std::make_unique<loopback::LoopbackWire>());
    wires.push_back(std::make_unique<shm::ShmWire>());
    wires.push_back(std::make_unique<iwarp::IwarpWire>());
    return wires;
}

Interface interface_of(const Machine& machine) {
    return {.index = 2, .name = "sim0", .up = true, .addresses = machine.addresses()};
}

}  // namespace

Instance::Instance(Process& process, const std::vector<std::string>& transports)
    : process_(process),
      transport_(loop_, memory_, all_wires()),
      catalog_(transport_, {[&machine = process.machine()] { return std::vector{interface_of(machine)}; },
                            process.machine().number() + 1, false}) {
    transport_.select(transports);
    process.on_enter([this] { loop_.serve_process(); });
    process.enter();
}

Instance::~Instance() { process_.on_enter(nullptr); }

support::ComPtr<IND2Adapter> Instance::open_adapter() {
    support::ComPtr<IND2Provider> provider;
    make_ref<Nd2Provider>(catalog_)->hand_out(provider.out());
    const sockaddr_storage raw = address().to_sockaddr();
    UINT64 id = 0;
    support::ComPtr<IND2Adapter> adapter;
    HRESULT result = provider->ResolveAddress(reinterpret_cast<const sockaddr*>(&raw),
                                              static_cast<ULONG>(address().sockaddr_length()), &id);
    if (result == ND_SUCCESS) result = provider->OpenAdapter(IID_IND2Adapter, id, adapter.out());
    if (result != ND_SUCCESS) World::now_running()->fail("an adapter cannot be opened");
    return adapter;
}

}  // namespace opennd::simulation
