// SPDX-License-Identifier: MIT
//
// The two roles of a program of the tutorial: `server ADDRESS`, which prints the port that it listens at, and
// `client ADDRESS PORT`. Addresses are IPv4 here; Network Direct takes IPv6 as well.
#pragma once

#include "../object.h"

namespace tutorial {

using namespace example;

inline sockaddr_in address_of(const char* address, const char* port) {
    sockaddr_in result = loopback(static_cast<unsigned short>(std::atoi(port)));
    expect(inet_pton(AF_INET, address, &result.sin_addr) == 1, "this is not an IPv4 address");
    return result;
}

// The address of this host from which the server is reached.
inline sockaddr_in local_address(const sockaddr_in& server) {
    sockaddr_in local{};
    SIZE_T bytes = sizeof local;
    need(NdResolveAddress(generic(server), sizeof server, generic(local), &bytes), "NdResolveAddress");
    return local;
}

inline void tell_port(unsigned short port) {
    std::printf("listening at port %u\n", ntohs(port));
    std::fflush(stdout);
}

// Runs the role that the arguments name; `more` arguments follow those above. A failure ends the role, and all that it has
// made goes; then the program ends with 2.
template <typename Server, typename Client>
int run(int count, char* arguments[], int more, Server server, Client client) try {
    const std::string role = count > 1 ? arguments[1] : "";
    need(NdStartup(), "NdStartup");
    if (role == "server" && count == 3 + more)
        server(address_of(arguments[2], "0"));
    else if (role == "client" && count == 4 + more)
        client(address_of(arguments[2], arguments[3]));
    else
        expect(false, more == 0 ? "arguments: server ADDRESS, or client ADDRESS PORT"
                                : "arguments: server ADDRESS FILE, or client ADDRESS PORT FILE");
    need(NdCleanup(), "NdCleanup");
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}

}  // namespace tutorial
