// SPDX-License-Identifier: MIT
//
// The helper library and adapters for tests: started for as long as a test runs, loopback addresses, one open adapter.
#pragma once

#include <ndsupport.h>
#include <netinet/in.h>

#include <cstdint>

#include "support/com_ptr.h"
#include "support/socket_address.h"

namespace opennd::support {

// Keeps the helper library started while it lives.
class Startup {
public:
    Startup();
    Startup(const Startup&) = delete;
    Startup& operator=(const Startup&) = delete;
    ~Startup();
};

// 127.0.0.1, or OPENND_TEST_ADDRESS.
const char* loopback_host();
// Its address. The port is in host order, as everywhere in the tests.
SocketAddress loopback_address(std::uint16_t port = 0);

// Opens the adapter of 127.0.0.1. Needs a Startup.
ComPtr<IND2Adapter> open_loopback_adapter();

}  // namespace opennd::support
