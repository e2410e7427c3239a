// SPDX-License-Identifier: MIT
// See instance.h.
#include "simulation/instance.h"

#include "simulation/world/world.h"
#include "spi/nd2/provider.h"

namespace opennd::simulation {

Instance::~Instance() {
    process_.on_enter(nullptr);
    delete &library_;
    process_.set_library(nullptr);
}

support::ComPtr<IND2Adapter> Instance::open_adapter() {
    support::ComPtr<IND2Provider> provider;
    make_ref<Nd2Provider>(library_.adapters())->hand_out(provider.out());
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
