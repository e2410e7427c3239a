// SPDX-License-Identifier: MIT
//
// Library: NdStartup and NdCleanup. Adapter: one open adapter with its overlapped file and its limits.
#pragma once

#include "network/api/api.h"
#include "network/api/of_one_api.h"
#include "network/ndk/adapter.h"
#include "network/socket_address.h"

#include <ndsupport.h>
#include <opennd.h>

#include <cstdint>
#include <optional>
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

// The addresses of this host that the library lists, in its order; those of loopback only where there is no other.
std::vector<SocketAddress> local_addresses();

// The local address from which remote is reached.
SocketAddress local_address_for(const SocketAddress& remote);

// The address a server uses: the one named, or the first of the host; the port by address_with_port().
SocketAddress server_address(const std::string& named, const std::optional<std::uint16_t>& option, std::uint16_t usual);

class Adapter {
public:
    Adapter(const SocketAddress& address, Api api);
    ~Adapter();
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;

    Api api() const { return api_; }
    // Null if it is of another interface.
    INDAdapter* nd1() const { return object_.nd1.get(); }
    IND2Adapter* nd2() const { return object_.nd2.get(); }
    NdkAdapter* ndk() const { return object_.ndk.get(); }
    // The overlapped file of version 2, where the program makes it; version 1's is the adapter's own.
    HANDLE overlapped_file() const { return overlapped_file_; }
    // In version 2's words, whichever it is.
    const ND2_ADAPTER_INFO& limits() const { return limits_; }
    const SocketAddress& address() const { return address_; }
    // All of the interface. Version 2 alone tells.
    std::vector<SocketAddress> all_addresses() const;

    // See method_of().
    std::string method(const char* name, const char* ndk_function) const { return method_of(api_, name, ndk_function); }

private:
    void open_nd1();
    void open_nd2();
    void open_ndk();

    SocketAddress address_;
    const Api api_;
    OfOneApi<INDAdapter, IND2Adapter, NdkAdapter> object_;
    HANDLE overlapped_file_ = nullptr;
    ND2_ADAPTER_INFO limits_ = {};
};

}  // namespace nd
