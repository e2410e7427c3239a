// SPDX-License-Identifier: MIT
//
// Test traffic stays on loopback addresses, but for scripts that make networks of their own.
#include "support/adapter.h"

#include <arpa/inet.h>

#include <cstdlib>
#include <cstring>

#include "support/status.h"

namespace opennd::support {

Startup::Startup() { require(NdStartup(), S_OK, "NdStartup"); }

Startup::~Startup() { EXPECT_TRUE(is(NdCleanup(), S_OK)); }

const char* loopback_host() {
    const char* const chosen = std::getenv("OPENND_TEST_ADDRESS");
    return chosen != nullptr ? chosen : "127.0.0.1";
}

SocketAddress loopback_address(std::uint16_t port) {
    const char* const text = loopback_host();
    SocketAddress address;
    address.ipv4.sin_family = std::strchr(text, ':') != nullptr ? AF_INET6 : AF_INET;
    address.ipv4.sin_port = htons(port);
    address.set_host(text, text);
    return address;
}

ComPtr<IND2Adapter> open_loopback_adapter() {
    const SocketAddress address = loopback_address();
    ComPtr<IND2Adapter> adapter;
    require(NdOpenAdapter(IID_IND2Adapter, as_sockaddr(address), sizeof address, adapter.out()), S_OK, "NdOpenAdapter");
    return adapter;
}

}  // namespace opennd::support
