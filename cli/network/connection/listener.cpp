// SPDX-License-Identifier: MIT
//
// Listener. Read connection.h first.
#include "nd_error.h"
#include "network/connection/connection.h"

#include <netinet/in.h>

namespace nd {

Listener::Listener(Adapter& adapter, std::uint16_t port) : address_(adapter.address().with_port(port)) {
    const std::string attempted = "listen at " + address_.text();
    switch (adapter.api()) {
        case Api::nd1: listen_nd1(adapter, attempted); break;
        case Api::nd2: listen_nd2(adapter, attempted); break;
        case Api::ndk: listen_ndk(adapter, attempted); break;
    }
}

void Listener::listen_nd1(Adapter& adapter, const std::string& attempted) {
    constexpr INT kNoProtocol = 0;  // goes nowhere (docs/decisions/0011)
    USHORT port = 0;
    check(adapter.nd1()->Listen(0, kNoProtocol, htons(address_.port()), &port, object_.nd1.put_typed()), attempted,
          "INDAdapter::Listen");
    address_ = address_.with_port(ntohs(port));
}

void Listener::listen_nd2(Adapter& adapter, const std::string& attempted) {
    check(adapter.nd2()->CreateListener(IID_IND2Listener, adapter.overlapped_file(), object_.nd2.put()), attempted,
          "IND2Adapter::CreateListener");
    check(object_.nd2->Bind(address_.data(), address_.length()), attempted, "IND2Listener::Bind");
    check(object_.nd2->Listen(0), attempted, "IND2Listener::Listen");
    sockaddr_storage address = {};
    ULONG bytes = sizeof address;
    check(object_.nd2->GetLocalAddress(reinterpret_cast<sockaddr*>(&address), &bytes), "read the listener's address",
          "IND2Listener::GetLocalAddress");
    address_ = SocketAddress(reinterpret_cast<sockaddr*>(&address), bytes);
}

void Listener::listen_ndk(Adapter& adapter, const std::string& attempted) {
    check(NdkListener::make(*adapter.ndk(), object_.ndk), attempted, "NdkCreateListener");
    check(object_.ndk->Listen(address_), attempted, "NdkListen");
    sockaddr_storage address = {};
    ULONG bytes = sizeof address;
    check(object_.ndk->GetLocalAddress(reinterpret_cast<sockaddr*>(&address), &bytes), "read the listener's address",
          "NdkGetLocalAddress");
    address_ = SocketAddress(reinterpret_cast<sockaddr*>(&address), bytes);
}

}  // namespace nd
