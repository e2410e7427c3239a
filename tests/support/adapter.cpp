// SPDX-License-Identifier: MIT
//
// Test traffic stays on loopback addresses, but for scripts that make networks of their own.
#include "support/adapter.h"

#include <arpa/inet.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "support/status.h"

namespace opennd::support {

Startup::Startup() { require(NdStartup(), S_OK, "NdStartup"); }

Startup::~Startup() { EXPECT_TRUE(is(NdCleanup(), S_OK)); }

sockaddr_in loopback_address(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const char* const chosen = std::getenv("OPENND_TEST_ADDRESS");
    if (chosen != nullptr && inet_pton(AF_INET, chosen, &address.sin_addr) != 1)
        throw std::runtime_error("OPENND_TEST_ADDRESS is no IPv4 address: " + std::string(chosen));
    return address;
}

ComPtr<IND2Adapter> open_loopback_adapter() {
    const sockaddr_in address = loopback_address();
    ComPtr<IND2Adapter> adapter;
    require(NdOpenAdapter(IID_IND2Adapter, as_sockaddr(address), sizeof address, adapter.out()), S_OK, "NdOpenAdapter");
    return adapter;
}

}  // namespace opennd::support
