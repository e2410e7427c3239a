// SPDX-License-Identifier: MIT
// Object arguments of the face's methods.
#pragma once

#include <cstddef>
#include <span>

#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/adapter.h"
#include "model/address.h"
#include "model/sge.h"
#include "ndspi.h"
#include "spi/com_object.h"
#include "spi/explanation.h"
#include "spi/socket_address.h"
#include "spi/status_meaning.h"

namespace opennd {

// The core object behind an argument that must be a Face of this adapter instance; null if it is anything else
// (ND2-GEN-06). NULL is anything else.
template <typename Face>
Ref<typename Face::Core> core_of(IUnknown* argument, const Adapter& adapter) noexcept {
    const Ref<Face> face = own_object<Face>(argument);
    if (!face || &face->core()->adapter() != &adapter) return nullptr;
    return face->core();
}

// Immediate data are asked for, by the IID of an interface that has them. E_NOINTERFACE: the adapter has none
// (ND2-IMM-COM-02).
template <typename Interface>
HRESULT check_immediate(const Site& site, REFIID iid, const Adapter& adapter) noexcept {
    if (iid != iid_of<Interface>() || adapter.traits().carries_immediate) return S_OK;
    return explain(E_NOINTERFACE, {.object = site.object,
                                   .operation = site.operation,
                                   .asked = "an interface with immediate data",
                                   .limit = "none: this adapter cannot send or tell them",
                                   .remedy = "use an adapter that can (loopback, shm, TCP, InfiniBand, RoCE), or send "
                                             "the 32 bits in a message",
                                   .requirement = "ND2-IMM-COM-02",
                                   .imposed_by = adapter.imposer(&AdapterTraits::carries_immediate)});
}

// For GetLocalAddress and GetPeerAddress: `find` returns a Result<Address>, asked before the buffer (ND2-CON-ADDR-03).
template <typename Find>
HRESULT give_address(const Site& site, Find&& find, sockaddr* address, ULONG* address_bytes) {
    if (address_bytes == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pcbAddress");
    const Result<Address> found = find();
    if (!found.ok()) return to_hresult(found.status());
    const std::size_t room = *address_bytes;
    std::size_t size = room;
    const HRESULT result = write_address(found.value(), address, size);
    *address_bytes = static_cast<ULONG>(size);
    return FAILED(result) ? refuse_room(site, address ? room : 0, size, "ND2-CON-ADDR-02") : result;
}

// For both QueryAddressList methods (ND2-PRV-LIST-01, -02).
inline HRESULT give_address_list(const Site& site, std::span<const Address> addresses, SOCKET_ADDRESS_LIST* list,
                                 ULONG* list_bytes) {
    if (list_bytes == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pcbAddressList");
    const auto needed = static_cast<ULONG>(address_list_bytes(addresses));
    const ULONG room = list ? *list_bytes : 0;
    *list_bytes = needed;
    if (room < needed) return refuse_room(site, room, needed, "ND2-PRV-LIST-01");
    write_address_list(addresses, list);
    return ND_SUCCESS;
}

inline Sge to_sge(const ND2_SGE& sge) {
    return {static_cast<std::byte*>(sge.Buffer), sge.BufferLength, static_cast<Token>(sge.MemoryRegionToken)};
}

using Nd2SgeList = SgeList<ND2_SGE, to_sge, 16>;

}  // namespace opennd
