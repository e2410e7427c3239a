// SPDX-License-Identifier: MIT
// See socket_address.h.
#include "spi/socket_address.h"

#include <cstring>
#include <utility>

namespace opennd {
namespace {

constexpr std::size_t kListHeaderBytes = offsetof(SOCKET_ADDRESS_LIST, Address);

}  // namespace

HRESULT write_address(const Address& address, sockaddr* out, std::size_t& size) {
    const std::size_t room = std::exchange(size, address.sockaddr_length());
    if (out == nullptr || room < size) return ND_BUFFER_OVERFLOW;
    const sockaddr_storage raw = address.to_sockaddr();
    std::memcpy(out, &raw, size);
    return ND_SUCCESS;
}

std::size_t address_list_bytes(std::span<const Address> addresses) {
    std::size_t bytes = kListHeaderBytes;
    for (const Address& address : addresses) bytes += sizeof(SOCKET_ADDRESS) + address.sockaddr_length();
    return bytes;
}

void write_address_list(std::span<const Address> addresses, SOCKET_ADDRESS_LIST* out) {
    auto* const start = reinterpret_cast<std::byte*>(out);
    std::byte* entry = start + kListHeaderBytes;
    std::byte* behind = entry + addresses.size() * sizeof(SOCKET_ADDRESS);
    out->iAddressCount = static_cast<INT>(addresses.size());
    for (const Address& address : addresses) {
        const sockaddr_storage raw = address.with_port(0).to_sockaddr();
        const std::size_t bytes = address.sockaddr_length();
        std::memcpy(behind, &raw, bytes);
        const SOCKET_ADDRESS described{reinterpret_cast<sockaddr*>(behind), static_cast<INT>(bytes)};
        std::memcpy(entry, &described, sizeof described);
        entry += sizeof described;
        behind += bytes;
    }
}

}  // namespace opennd
