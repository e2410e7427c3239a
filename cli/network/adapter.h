// SPDX-License-Identifier: MIT
//
// Library: NdStartup and NdCleanup. Adapter: one open adapter with its overlapped file and its limits.
#pragma once

#include "network/com_ptr.h"
#include "network/socket_address.h"

#include <ndsupport.h>
#include <opennd.h>

#include <string>
#include <vector>

namespace nd {

class Library {
public:
    // transports: a list for opennd_transport_select; empty leaves the choice to the environment.
    explicit Library(const std::string& transports = {});
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
};

// The addresses of this host that Network Direct serves, in the library's order: loopback last.
std::vector<SocketAddress> local_addresses();

// The local address from which remote is reached.
SocketAddress local_address_for(const SocketAddress& remote);

// The adapter a server uses: the one named, or the first of the host.
SocketAddress server_address(const std::string& named);

class Adapter {
public:
    explicit Adapter(const SocketAddress& address);
    ~Adapter();
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;

    IND2Adapter* operator->() const { return adapter_.get(); }
    HANDLE overlapped_file() const { return overlapped_file_; }
    const ND2_ADAPTER_INFO& limits() const { return limits_; }
    const SocketAddress& address() const { return address_; }

private:
    SocketAddress address_;
    ComPtr<IND2Adapter> adapter_;
    HANDLE overlapped_file_ = nullptr;
    ND2_ADAPTER_INFO limits_ = {};
};

}  // namespace nd
