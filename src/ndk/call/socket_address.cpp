// SPDX-License-Identifier: MIT
// See socket_address.h.
#include "ndk/call/socket_address.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check_rule.h"

namespace opennd {
namespace {

constexpr std::uint16_t kWindowsInet6 = 23;

}  // namespace

std::optional<Address> read_address(const SOCKADDR* address, ULONG bytes) {
    if (address == nullptr || bytes < sizeof(SOCKADDR_IN) || address->sa_family != kWindowsInet6)
        return Address::from(address, bytes);
    if (bytes < sizeof(SOCKADDR_IN6)) return std::nullopt;
    SOCKADDR_IN6 translated;
    std::memcpy(&translated, address, sizeof translated);
    translated.sin6_family = AF_INET6;
    return Address::from(reinterpret_cast<const SOCKADDR*>(&translated), sizeof translated);
}

NTSTATUS refuse_address(const NdkCall& call, const SOCKADDR* address, ULONG bytes) noexcept {
    const bool has_family = address != nullptr && bytes >= sizeof address->sa_family;
    return refuse(STATUS_INVALID_PARAMETER,
                  {.object = call.object,
                   .operation = call.operation,
                   .asked = has_family ? phrase("an address of family {}, {} bytes", address->sa_family, bytes)
                                       : phrase("no address, {} bytes", bytes),
                   .limit = "AF_INET of 16 bytes or AF_INET6 of 28",
                   .remedy = "pass a SOCKADDR_IN or SOCKADDR_IN6 and its whole size",
                   .requirement = "NDK-SIZE-01"});
}

NTSTATUS refuse_local(const NdkCall& call, const Address& address) noexcept {
    return refuse(STATUS_INVALID_ADDRESS,
                  {.object = call.object,
                   .operation = call.operation,
                   .asked = phrase("local address {}", address.text(false)),
                   .limit = "one address of the adapter's interface",
                   .remedy = "open the adapter of the interface that has the address",
                   .requirement = "NDK-CON-CONN-01",
                   .rule = address.is_unspecified() ? CheckRule::none : CheckRule::peer_address});
}

NTSTATUS give_address(const NdkCall& call, const Address& found, PSOCKADDR address, ULONG* bytes) {
    if (bytes == nullptr) return refuse_null(call, "pAddressLength");
    if (address == nullptr && *bytes != 0) return refuse_null(call, "pAddress");
    const auto needed = static_cast<ULONG>(found.sockaddr_length());
    const ULONG room = std::exchange(*bytes, needed);
    if (room < needed) return refuse_room(call, room, needed, "NDK-SIZE-01");
    const sockaddr_storage raw = found.to_sockaddr();
    std::memcpy(address, &raw, needed);
    return STATUS_SUCCESS;
}

}  // namespace opennd
