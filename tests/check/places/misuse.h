// SPDX-License-Identifier: MIT
//
// A call that the checking layer tells of: CHECK-STARTUP.
#pragma once

#include <arpa/inet.h>
#include <ndspi.h>
#include <ndsupport.h>
#include <netinet/in.h>
#include <sys/socket.h>

// Inlined wherever it is called: the place that it is told at stands in this file, and the program's around it.
[[gnu::always_inline]] inline HRESULT open_before_startup() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* const local = reinterpret_cast<sockaddr*>(&address);
    void* adapter = nullptr;
    return NdOpenAdapter(IID_IND2Adapter, local, sizeof address, &adapter);  // place: call
}
