// SPDX-License-Identifier: MIT
// See address_list.h.
#include "spi/foreign/address_list.h"

#include <cstdint>
#include <cstring>

namespace opennd {
namespace {

bool within(std::span<const std::byte> buffer, const void* place, INT bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(buffer.data());
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    const auto wanted = static_cast<std::uint32_t>(bytes);
    return bytes >= 0 && at >= begin && at - begin <= buffer.size() && buffer.size() - (at - begin) >= wanted;
}

}  // namespace

std::optional<std::vector<Address>> read_address_list(std::span<const std::byte> buffer) {
    constexpr std::size_t kHead = offsetof(SOCKET_ADDRESS_LIST, Address);
    INT count = 0;
    if (buffer.size() < kHead) return std::nullopt;
    std::memcpy(&count, buffer.data(), sizeof count);
    if (count < 0 || static_cast<std::size_t>(count) > (buffer.size() - kHead) / sizeof(SOCKET_ADDRESS))
        return std::nullopt;
    std::vector<Address> addresses;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        SOCKET_ADDRESS entry;
        std::memcpy(&entry, buffer.data() + kHead + i * sizeof entry, sizeof entry);
        if (!within(buffer, entry.lpSockaddr, entry.iSockaddrLength)) return std::nullopt;
        sockaddr_storage copy{};  // the original need not be aligned
        std::memcpy(&copy, entry.lpSockaddr, std::min<std::size_t>(entry.iSockaddrLength, sizeof copy));
        const auto length = static_cast<std::size_t>(entry.iSockaddrLength);
        if (length < sizeof(sockaddr)) continue;
        if (const auto address = Address::from(reinterpret_cast<const sockaddr*>(&copy), length))
            addresses.push_back(address->with_port(0));
    }
    return addresses;
}

}  // namespace opennd
