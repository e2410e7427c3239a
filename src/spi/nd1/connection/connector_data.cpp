// SPDX-License-Identifier: MIT
// Nd1Connector, the queries: data, read limits and addresses.
#include <algorithm>
#include <cstring>
#include <vector>

#include "core/adapter/adapter.h"
#include "spi/nd1/call/status.h"
#include "spi/nd1/connection/connector.h"
#include "spi/socket_address.h"

namespace opennd {
namespace {

constexpr Site kGetConnectionData{kConnector, "GetConnectionData"};

// ND1-CN-DATA-02, -03: a buffer that is too short gets the first bytes.
HRESULT give_data(const ReceivedData& data, VOID* buffer, SIZE_T& bytes) {
    const SIZE_T room = buffer ? bytes : 0;
    const ReceivedData::Part part = data.part_for(room);
    if (part.copied != 0) std::memcpy(buffer, data.octets.data(), part.copied);
    bytes = part.told;
    return part.is_whole ? ND_SUCCESS : refuse_room(kGetConnectionData, room, part.told, "ND1-CN-DATA-02");
}

// ND1-CN-ADDR-01.
template <typename Find>
HRESULT give_address(const Site& site, Find&& find, sockaddr* address, SIZE_T& bytes) {
    const Result<Address> found = in_words_of(site, "ND1-CN-ADDR-02", find);
    if (!found.ok()) return to_nd1(found.status());
    const SIZE_T room = address ? bytes : 0;
    if (const HRESULT result = write_address(found.value(), address, bytes); !FAILED(result)) return result;
    return refuse_room(site, room, bytes, "ND1-CN-ADDR-01");
}

}  // namespace

HRESULT Nd1Connector::GetConnectionData(SIZE_T* inbound_reads, SIZE_T* outbound_reads, VOID* private_data,
                                        SIZE_T* private_bytes) noexcept {
    return at_nd1_face([&]() -> HRESULT {
        if (const HRESULT bad = check(Nd1ConnectorMethod::get_connection_data); FAILED(bad)) return bad;
        const Result<ReceivedData> data =
            in_words_of(kGetConnectionData, "ND1-CN-DATA-07", [&] { return core_->private_data(); });
        if (!data.ok()) return to_nd1(data.status());
        ReadLimits limits;  // 0 after a rejection (ND1-CN-DATA-05)
        if (core_->view().state != ConnectorState::idle)
            if (const auto negotiated = core_->read_limits(); negotiated.ok()) limits = negotiated.value();
        if (const Ref<Nd1Endpoint> own = endpoint()) {  // ND1-CN-RL-02
            limits.inbound = std::min(limits.inbound, own->wanted_reads().inbound);
            limits.outbound = std::min(limits.outbound, own->wanted_reads().outbound);
        }
        if (inbound_reads) *inbound_reads = limits.inbound;
        if (outbound_reads) *outbound_reads = limits.outbound;
        return private_bytes ? give_data(data.value(), private_data, *private_bytes) : ND_SUCCESS;
    });
}

HRESULT Nd1Connector::GetLocalAddress(sockaddr* address, SIZE_T* address_bytes) noexcept {
    constexpr Site site{kConnector, "GetLocalAddress"};
    return at_nd1_face([&]() -> HRESULT {
        if (address_bytes == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_2, site, "pAddressLength");
        if (const HRESULT bad = check(Nd1ConnectorMethod::get_local_address); FAILED(bad)) return bad;
        return give_address(
            site, [&] { return core_->local_address(); }, address, *address_bytes);
    });
}

HRESULT Nd1Connector::GetPeerAddress(sockaddr* address, SIZE_T* address_bytes) noexcept {
    constexpr Site site{kConnector, "GetPeerAddress"};
    return at_nd1_face([&]() -> HRESULT {
        if (address_bytes == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_2, site, "pAddressLength");
        if (const HRESULT bad = check(Nd1ConnectorMethod::get_peer_address); FAILED(bad)) return bad;
        return give_address(
            site, [&] { return core_->peer_address(); }, address, *address_bytes);
    });
}

}  // namespace opennd
