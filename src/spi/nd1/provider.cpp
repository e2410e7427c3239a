// SPDX-License-Identifier: MIT
// Nd1Provider: see provider.h.
#include "spi/nd1/provider.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "spi/nd1/adapter.h"
#include "spi/nd1/call/status.h"
#include "spi/socket_address.h"

namespace opennd {

HRESULT Nd1Provider::QueryAddressList(SOCKET_ADDRESS_LIST* list, SIZE_T* list_bytes) noexcept {
    constexpr Site site{"provider", "QueryAddressList"};
    return at_face([&]() -> HRESULT {
        if (list_bytes == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_2, site, "pBufferSize");
        const std::vector<Address> addresses = catalog_.listed();
        const SIZE_T needed = std::max(address_list_bytes(addresses), sizeof *list);  // ND1-PROV-01, -04
        const SIZE_T room = list ? *list_bytes : 0;
        *list_bytes = needed;
        if (room < needed) return refuse_room(site, room, needed, "ND1-PROV-02");
        write_address_list(addresses, list);
        return ND_SUCCESS;
    });
}

HRESULT Nd1Provider::OpenAdapter(const sockaddr* address, SIZE_T address_bytes, INDAdapter** adapter) noexcept {
    constexpr Site site{"provider", "OpenAdapter"};
    return at_face([&]() -> HRESULT {
        if (adapter == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_3, site, "ppAdapter");
        *adapter = nullptr;
        const std::optional<Address> wanted = Address::from(address, address_bytes);
        return wanted ? Nd1Adapter::open(catalog_, *wanted, adapter) : refuse_address(site, address, address_bytes);
    });
}

}  // namespace opennd
