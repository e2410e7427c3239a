// SPDX-License-Identifier: MIT
// See served_addresses.h.
#include "library/provider/served_addresses.h"

#include <algorithm>
#include <utility>

#include "library/library.h"
#include "ndsupport.h"
#include "spi/explanation.h"
#include "spi/nd1/adapter.h"
#include "spi/nd1/provider.h"
#include "spi/nd2/adapter.h"
#include "spi/nd2/provider.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

template <typename Provider>
HRESULT create(REFIID iid, void** provider) noexcept {
    if (const HRESULT bad = check_output<Provider>({"provider", "create"}, iid, provider); FAILED(bad)) return bad;
    return at_face([&] {
        make_ref<Provider>(Library::instance().adapters())->hand_out(provider);
        return S_OK;
    });
}

}  // namespace

std::vector<Address> listed_addresses(DWORD flags) {
    Library& library = Library::instance();
    const std::vector<Address> ours = library.adapters().listed();
    std::vector<Address> listed;
    for (const auto& [excluded, version] : {std::pair<DWORD, ULONG>{ND_QUERY_EXCLUDE_NDv2_ADDRESSES, ND_VERSION_2},
                                            {ND_QUERY_EXCLUDE_NDv1_ADDRESSES, ND_VERSION_1}}) {
        if ((flags & excluded) != 0) continue;
        listed.insert(listed.end(), ours.begin(), ours.end());
        const std::vector<Address> foreign = library.foreign().addresses(version);
        listed.insert(listed.end(), foreign.begin(), foreign.end());
    }
    return listed;
}

bool served_here(const Address& address) { return Library::instance().adapters().resolve(address).ok(); }

bool served(const Address& address) {
    if (served_here(address)) return true;
    const auto same = [&](const Address& a) { return a.same_host(address); };
    ForeignCatalog& foreign = Library::instance().foreign();
    for (const ULONG version : {ND_VERSION_2, ND_VERSION_1}) {
        const std::vector<Address> theirs = foreign.addresses(version);
        if (std::any_of(theirs.begin(), theirs.end(), same)) return true;
    }
    return false;
}

bool opens_here(REFIID iid) { return iid == IID_INDAdapter || Nd2Adapter::supports(iid); }

HRESULT create_provider(REFIID iid, void** provider) noexcept {
    return iid == IID_INDProvider ? create<Nd1Provider>(iid, provider) : create<Nd2Provider>(iid, provider);
}

HRESULT open_here(REFIID iid, const Address& address, void** adapter) {
    AdapterCatalog& adapters = Library::instance().adapters();
    if (iid == IID_INDAdapter) return Nd1Adapter::open(adapters, address, reinterpret_cast<INDAdapter**>(adapter));
    const Result<std::uint64_t> id = adapters.resolve(address);
    if (!id.ok()) return to_hresult(id.status());
    void* provider = nullptr;
    if (const HRESULT result = create_provider(IID_IND2Provider, &provider); FAILED(result)) return result;
    auto* const opener = static_cast<IND2Provider*>(provider);
    const HRESULT result = opener->OpenAdapter(iid, id.value(), adapter);
    opener->Release();  // the adapter holds its own references (ND2-COM-09)
    // The address has gone since it was resolved (NDS-OPEN-02).
    return result == ND_INVALID_PARAMETER ? ND_INVALID_ADDRESS : result;
}

}  // namespace opennd
