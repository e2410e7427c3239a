// SPDX-License-Identifier: MIT
//
// A server that keeps a piece of memory, and a client that reads and writes it, over SMB Direct. README.md in the folder above
// tells the way through the sources.
//
//     smb_direct server ADDRESS [nd1|nd2]                 prints its port; serves one client
//     smb_direct client ADDRESS PORT [nd1|nd2]
//     smb_direct both ADDRESS [nd1|nd2] [nd1|nd2]         server and client in one process
#include "store.h"

#include <cstdio>
#include <future>
#include <thread>

namespace {

using namespace smb_direct;

Connection::MakeQueue version_named(const std::string& name) {
    expect(name == "nd1" || name == "nd2", "the versions are nd1 and nd2");
    return name == "nd1" ? make_nd1_queue : make_nd2_queue;
}

sockaddr_in address_of(const std::string& host, const std::string& port = "0") {
    sockaddr_in address = example::loopback(static_cast<unsigned short>(std::stoi(port)));
    expect(inet_pton(AF_INET, host.c_str(), &address.sin_addr) == 1, "this is not an IPv4 address");
    return address;
}

// The address of this host from which the server is reached.
sockaddr_in local_address(const sockaddr_in& server) {
    sockaddr_in local{};
    SIZE_T bytes = sizeof local;
    need(NdResolveAddress(generic(server), sizeof server, generic(local), &bytes), "NdResolveAddress");
    return local;
}

void server(const sockaddr_in& local, Connection::MakeQueue version, const std::function<void(unsigned short)>& tell) {
    Connection connection(version, local, Role::responder, store_limits(), kLargest);
    connection.accept(tell);
    const ServerReport report = serve_store(connection);
    std::printf("server: %u requests, %u windows invalidated\n", report.requests, report.windows_invalidated);
    connection.disconnect();
}

void client(const sockaddr_in& server, Connection::MakeQueue version) {
    Connection connection(version, local_address(server), Role::initiator, store_limits(), kLargest);
    connection.connect(server);
    for (const auto& [channel, name] : {std::pair(kNone, "in messages"), std::pair(kRdma, "by RDMA"),
                                        std::pair(kRdmaInvalidate, "by RDMA, to be invalidated by the server")})
        std::printf("client: %s: %lu bytes written, read and compared\n", name, use_store(connection, channel));
    connection.disconnect();
}

void both(const sockaddr_in& local, Connection::MakeQueue server_version, Connection::MakeQueue client_version) {
    std::promise<unsigned short> port;
    auto serving = std::async(std::launch::async, [&] {
        bool told = false;
        try {
            server(local, server_version, [&](unsigned short free) { port.set_value(free), told = true; });
        } catch (...) {
            if (!told) port.set_exception(std::current_exception());
            throw;
        }
    });
    sockaddr_in address = local;
    address.sin_port = htons(port.get_future().get());
    client(address, client_version);
    serving.get();
}

void tell_port(unsigned short port) {
    std::printf("listening at port %u\n", port);
    std::fflush(stdout);
}

void run(const std::vector<std::string>& words) {
    const auto version = [&](std::size_t at) { return version_named(words.size() > at ? words[at] : "nd2"); };
    const std::string role = words.empty() ? "" : words[0];
    if (role == "server" && words.size() >= 2 && words.size() <= 3)
        server(address_of(words[1]), version(2), tell_port);
    else if (role == "client" && words.size() >= 3 && words.size() <= 4)
        client(address_of(words[1], words[2]), version(3));
    else if (role == "both" && words.size() >= 2 && words.size() <= 4)
        both(address_of(words[1]), version(2), version(3));
    else
        expect(false, "arguments: server ADDRESS, client ADDRESS PORT, or both ADDRESS; behind them nd1 or nd2");
}

}  // namespace

int main(int count, char* arguments[]) try {
    need(NdStartup(), "NdStartup");
    run({arguments + 1, arguments + count});
    need(NdCleanup(), "NdCleanup");
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
