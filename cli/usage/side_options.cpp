// SPDX-License-Identifier: MIT
//
// Read side_options.h first.
#include "usage/side_options.h"

#include "network/adapter.h"
#include "usage/one_of.h"
#include "usage/within.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace nd {
namespace {

constexpr Api kApis[] = {Api::nd1, Api::nd2, Api::ndk};

void define_api_options(CLI::App& command, ApiOptions& options) {
    std::vector<std::string> all;
    for (Api each : kApis) all.emplace_back(name_of(each));
    const CLI::Validator names = one_of(all);
    command
        .add_option("--api", options.own,
                    "Interface of Network Direct to call: nd2 (version 2: IND2Adapter ...), nd1 (version 1: INDAdapter "
                    "...) or ndk (kernel code's: NDK_ADAPTER ...); the other side may call any")
        ->check(names)
        ->capture_default_str();
    command
        .add_option("--peer-api", options.peer, "The interface that a server started here calls (default: as --api)")
        ->check(names);
}

void define_timeout_option(CLI::App& command, double& seconds) {
    command
        .add_option("--timeout", seconds,
                    "Give up if the server has not taken the connection after this time (default: when the transport "
                    "gives up)")
        ->type_name("SECONDS")
        ->check(within(0.1, 86400));
}

}  // namespace

// Only names of it come here.
Api ApiOptions::api() const {
    return *std::find_if(std::begin(kApis), std::end(kApis), [this](Api each) { return own == name_of(each); });
}

void ApiOptions::check(bool server_started_here) const {
    if (!peer.empty() && !server_started_here)
        throw std::invalid_argument("--peer-api is for a server started here; a server elsewhere has its own --api");
}

SocketAddress SideOptions::local_for(const SocketAddress& server_to_ask) const {
    return local.empty() ? local_address_for(server_to_ask) : SocketAddress::parse(local);
}

SocketAddress SideOptions::local_for_self() const { return SocketAddress::parse(local.empty() ? "127.0.0.1" : local); }

std::vector<std::string> SideOptions::server_arguments(const char* command, const SocketAddress& host,
                                                       std::uint64_t memory) const {
    std::vector<std::string> arguments = {command,   "--server",     "--client-memory", std::to_string(memory),
                                          "--local", host.host(),    "--port",          "0",
                                          "--api",   api.peer_name()};
    if (!transport.empty()) arguments.insert(arguments.end(), {"--transport", transport});
    return arguments;
}

void define_side_options(CLI::App& command, SideOptions& options, const SideWords& words) {
    CLI::Option* address = command.add_option("ADDRESS", options.server_address, words.address);
    CLI::Option* self = command.add_flag("--self", options.self, words.self);
    CLI::Option* server = command.add_flag("--server", options.server, words.server);
    self->excludes(address)->excludes(server);
    server->excludes(address);
    command.add_flag("--persist", options.persist, "With --server: serve clients until interrupted")->needs(server);
    command
        .add_option("--client-memory", options.client_memory,
                    "With --server: the most bytes that a client may have it allocate; K, M, G mean powers of 1024")
        ->type_name("BYTES")
        ->capture_default_str()
        ->transform(CLI::AsSizeValue(false).description(""))
        ->needs(server);
    command
        .add_option("--local", options.local,
                    "Address of the adapter to use; by default the one that reaches ADDRESS, with --server the first "
                    "of the host, with --self 127.0.0.1")
        ->type_name("ADDRESS");
    command
        .add_option("-p,--port", options.port,
                    "Port of the server, which ADDRESS may name too; 0 with --server chooses a free one")
        ->type_name("PORT")
        ->default_str(std::to_string(words.port))
        ->check(within(0, 65535));
    define_timeout_option(command, options.timeout_seconds);
    define_transport_option(command, options.transport);
    define_api_options(command, options.api);
    command.add_option("--ready-descriptor", options.ready_descriptor)->group("");
}

void define_transport_option(CLI::App& command, std::string& transports) {
    command
        .add_option("--transport", transports,
                    "Transports to choose from, in order, as loopback,shm; or to leave out, as ^loopback")
        ->type_name("LIST")
        ->check(list_of({"loopback", "shm", "iwarp", "verbs", "verbs+shm"}));
}

}  // namespace nd
