// SPDX-License-Identifier: MIT
//
// Read adapter.h first.
#include "network/adapter.h"

#include "nd_error.h"

#include <cstddef>
#include <stdexcept>

namespace nd {

Library::Library(const std::string& transports) {
    if (!transports.empty())
        check(opennd_transport_select(transports.c_str()), "use the transports '" + transports + "'",
              "opennd_transport_select");
    check(NdStartup(), "start Network Direct", "NdStartup");
}

Library::~Library() { NdCleanup(); }

std::vector<SocketAddress> local_addresses() {
    constexpr DWORD kVersion2Only = ND_QUERY_EXCLUDE_NDv1_ADDRESSES;
    std::vector<std::byte> buffer;
    SIZE_T bytes = 0;
    HRESULT status = NdQueryAddressList(kVersion2Only, nullptr, &bytes);
    while (status == ND_BUFFER_OVERFLOW) {  // an address may appear between the two calls
        buffer.resize(bytes);
        status = NdQueryAddressList(kVersion2Only, reinterpret_cast<SOCKET_ADDRESS_LIST*>(buffer.data()), &bytes);
    }
    check(status, "list the addresses of this host", "NdQueryAddressList");

    std::vector<SocketAddress> addresses;
    if (buffer.empty()) return addresses;  // NDS-LIST-02: nothing to list is a success without a list
    const auto* list = reinterpret_cast<const SOCKET_ADDRESS_LIST*>(buffer.data());
    for (INT i = 0; i < list->iAddressCount; i++) {
        const SOCKET_ADDRESS& entry = list->Address[i];
        addresses.emplace_back(entry.lpSockaddr, static_cast<socklen_t>(entry.iSockaddrLength));
    }
    return addresses;
}

SocketAddress local_address_for(const SocketAddress& remote) {
    sockaddr_storage local = {};
    SIZE_T bytes = sizeof local;
    check(NdResolveAddress(remote.data(), remote.length(), reinterpret_cast<sockaddr*>(&local), &bytes),
          "find the adapter that reaches " + remote.host(), "NdResolveAddress");
    return SocketAddress(reinterpret_cast<sockaddr*>(&local), static_cast<socklen_t>(bytes));
}

SocketAddress server_address(const std::string& named) {
    if (!named.empty()) return SocketAddress::parse(named);
    std::vector<SocketAddress> addresses = local_addresses();
    if (addresses.empty())
        throw std::runtime_error("this host has no address that Network Direct serves; is the loopback interface up?");
    return addresses.front();
}

Adapter::Adapter(const SocketAddress& address) : address_(address) {
    check(NdOpenAdapter(IID_IND2Adapter, address.data(), address.length(), adapter_.put()),
          "open the adapter " + address.host(), "NdOpenAdapter");
    ULONG bytes = sizeof limits_;
    limits_.InfoVersion = ND_VERSION_2;
    check(adapter_->Query(&limits_, &bytes), "read the limits of the adapter " + address.host(), "IND2Adapter::Query");
    check(adapter_->CreateOverlappedFile(&overlapped_file_), "prepare the adapter " + address.host(),
          "IND2Adapter::CreateOverlappedFile");
}

Adapter::~Adapter() {
    if (overlapped_file_ != nullptr) opennd_handle_close(overlapped_file_);
}

}  // namespace nd
