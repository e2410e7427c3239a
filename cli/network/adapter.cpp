// SPDX-License-Identifier: MIT
//
// Read adapter.h first.
#include "network/adapter.h"

#include "nd_error.h"

#include <cstddef>
#include <stdexcept>

namespace nd {
namespace {

// Every limit of version 1 fits: the values are those of version 2.
ULONG narrow(SIZE_T value) { return static_cast<ULONG>(value); }

ND2_ADAPTER_INFO in_words_of_version_2(const ND_ADAPTER_INFO& info) {
    ND2_ADAPTER_INFO limits = {};
    limits.InfoVersion = ND_VERSION_2;
    limits.VendorId = static_cast<UINT16>(info.VendorId);
    limits.DeviceId = static_cast<UINT16>(info.DeviceId);
    limits.MaxRegistrationSize = info.MaxRegistrationSize;
    limits.MaxWindowSize = info.MaxWindowSize;
    limits.MaxInitiatorSge = narrow(info.MaxOutboundSge);
    limits.MaxReceiveSge = narrow(info.MaxInboundSge);
    limits.MaxReadSge = narrow(info.MaxOutboundSge);
    limits.MaxTransferLength = narrow(info.MaxOutboundLength);
    limits.MaxInlineDataSize = narrow(info.MaxInlineData);
    limits.MaxInboundReadLimit = narrow(info.MaxInboundReadLimit);
    limits.MaxOutboundReadLimit = narrow(info.MaxOutboundReadLimit);
    limits.MaxReceiveQueueDepth = narrow(info.MaxInboundRequests);
    limits.MaxInitiatorQueueDepth = narrow(info.MaxOutboundRequests);
    limits.MaxCompletionQueueDepth = narrow(info.MaxCqEntries);
    limits.InlineRequestThreshold = narrow(info.MaxInlineData);  // version 1 names no lower one
    limits.LargeRequestThreshold = narrow(info.LargeRequestThreshold);
    limits.MaxCallerData = narrow(info.MaxCallerData);
    limits.MaxCalleeData = narrow(info.MaxCalleeData);
    return limits;
}

// The addresses of query(list, bytes); `what` and `method` as for check().
template <typename Size, typename Query>
std::vector<SocketAddress> read_addresses(const char* what, const char* method, Query&& query) {
    std::vector<std::byte> buffer;
    Size bytes = 0;
    HRESULT status = query(nullptr, &bytes);
    while (status == ND_BUFFER_OVERFLOW) {  // an address may appear between the two calls
        buffer.resize(bytes);
        status = query(reinterpret_cast<SOCKET_ADDRESS_LIST*>(buffer.data()), &bytes);
    }
    check(status, what, method);

    std::vector<SocketAddress> addresses;
    if (buffer.empty()) return addresses;  // NDS-LIST-02: nothing to list is a success without a list
    const auto* list = reinterpret_cast<const SOCKET_ADDRESS_LIST*>(buffer.data());
    for (INT i = 0; i < list->iAddressCount; i++) {
        const SOCKET_ADDRESS& entry = list->Address[i];
        addresses.emplace_back(entry.lpSockaddr, static_cast<socklen_t>(entry.iSockaddrLength));
    }
    return addresses;
}

}  // namespace

Library::Library(const std::string& transports) {
    if (!transports.empty())
        check(opennd_transport_select(transports.c_str()), "use the transports '" + transports + "'",
              "opennd_transport_select");
    check(NdStartup(), "start Network Direct", "NdStartup");
}

Library::~Library() { NdCleanup(); }

std::vector<SocketAddress> local_addresses() {
    return read_addresses<SIZE_T>("list the addresses of this host", "NdQueryAddressList",
                                  [](SOCKET_ADDRESS_LIST* list, SIZE_T* bytes) {
                                      return NdQueryAddressList(ND_QUERY_EXCLUDE_NDv1_ADDRESSES, list, bytes);
                                  });
}

SocketAddress local_address_for(const SocketAddress& remote) {
    sockaddr_storage local = {};
    SIZE_T bytes = sizeof local;
    check(NdResolveAddress(remote.data(), remote.length(), reinterpret_cast<sockaddr*>(&local), &bytes),
          "find the adapter that reaches " + remote.host(), "NdResolveAddress");
    return SocketAddress(reinterpret_cast<sockaddr*>(&local), static_cast<socklen_t>(bytes));
}

SocketAddress server_address(const std::string& named, const std::optional<std::uint16_t>& option,
                             std::uint16_t usual) {
    if (!named.empty()) return address_with_port(named, option, usual);
    std::vector<SocketAddress> addresses = local_addresses();
    if (addresses.empty())
        throw std::runtime_error("this host has no address that Network Direct serves; is the loopback interface up?");
    return addresses.front().with_port(option.value_or(usual));
}

Adapter::Adapter(const SocketAddress& address, Api api) : address_(address), api_(api) {
    switch (api) {
        case Api::nd1: open_nd1(); break;
        case Api::nd2: open_nd2(); break;
        case Api::ndk: open_ndk(); break;
    }
}

void Adapter::open_nd1() {
    check(NdOpenV1Adapter(address_.data(), address_.length(), object_.nd1.put_typed()),
          "open the adapter " + address_.host(), "NdOpenV1Adapter");
    ND_ADAPTER_INFO info = {};
    SIZE_T bytes = sizeof info;
    check(nd1()->Query(ND_VERSION_1, &info, &bytes), "read the limits of the adapter " + address_.host(),
          "INDAdapter::Query");
    limits_ = in_words_of_version_2(info);
}

void Adapter::open_nd2() {
    check(NdOpenAdapter(IID_IND2Adapter, address_.data(), address_.length(), object_.nd2.put()),
          "open the adapter " + address_.host(), "NdOpenAdapter");
    ULONG bytes = sizeof limits_;
    limits_.InfoVersion = ND_VERSION_2;
    check(nd2()->Query(&limits_, &bytes), "read the limits of the adapter " + address_.host(), "IND2Adapter::Query");
    check(nd2()->CreateOverlappedFile(&overlapped_file_), "prepare the adapter " + address_.host(),
          "IND2Adapter::CreateOverlappedFile");
}

void Adapter::open_ndk() {
    object_.ndk = std::make_unique<NdkAdapter>(address_);
    limits_ = ndk()->limits();
}

std::vector<SocketAddress> Adapter::all_addresses() const {
    return read_addresses<ULONG>(
        "list the addresses of an adapter", "IND2Adapter::QueryAddressList",
        [this](SOCKET_ADDRESS_LIST* list, ULONG* bytes) { return nd2()->QueryAddressList(list, bytes); });
}

Adapter::~Adapter() {
    if (overlapped_file_ != nullptr) opennd_handle_close(overlapped_file_);
}

}  // namespace nd
