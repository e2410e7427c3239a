// SPDX-License-Identifier: MIT
//
// The asking side of `nd ping`. Read ping_protocol.h first.
#include "interruption.h"
#include "network/connection/peer_text.h"
#include "pattern.h"
#include "ping/ping.h"
#include "ping/ping_protocol.h"
#include "ping/ping_rounds.h"

#include <chrono>
#include <random>
#include <stdexcept>

namespace nd {
namespace {

using Clock = std::chrono::steady_clock;

void connect(MessageChannel& channel, const PingOptions& options, const SocketAddress& server) {
    std::random_device random;
    PingRequest request = {};
    request.hello = make_hello(Purpose::ping, random());
    request.rounds = options.count;
    request.size = options.size;
    request.sequence = random();
    fill_pattern(request.pattern, sizeof request.pattern, request.sequence);
    PingAcceptance acceptance = {};
    ConnectWait wait(options.timeout_seconds);
    if (!from_private_data(channel.connection().connect(server, to_private_data(request), wait), acceptance) ||
        !acceptance.hello.is_for(Purpose::ping))
        throw std::runtime_error("the server at " + server.text() + " is not an `nd ping --server` of this version");
    verify_pattern(acceptance.pattern, sizeof acceptance.pattern, request.sequence + 1, "private data of the answer");
}

// Microseconds of the exchange, without filling and checking here.
double exchange(MessageChannel& channel, MemoryBuffer& buffer, const RemoteMemory& granted, std::uint64_t number) {
    fill_pattern(buffer.data(), buffer.size(), number);
    const PingRound round = {number, granted};

    const Clock::time_point start = Clock::now();
    channel.send(round);
    const PingAnswer answer = channel.receive<PingAnswer>();
    const std::chrono::duration<double, std::micro> spent = Clock::now() - start;

    if (answer.round != number) throw std::runtime_error("the server answered another round");
    if (answer.verified == 0) throw std::runtime_error("at the server: " + peer_text(answer.error));
    invert(buffer.data(), buffer.size());
    verify_pattern(buffer.data(), buffer.size(), number, "RDMA Write of round");
    return spent.count();
}

}  // namespace

bool ping_server(const PingOptions& options, const SocketAddress& server) {
    Adapter adapter(options.local_for(server), options.api.api());
    check_ping_size(adapter, options.size);
    MemoryBuffer buffer(adapter, options.size, MemoryKind::ordinary);
    MessageChannel channel(adapter);
    connect(channel, options, server);
    channel.stop_on_interrupt(false);  // a round that was begun is brought to its end
    announce_connection(server, channel.connection(), "private data verified both ways");

    const RemoteMemory granted = channel.grant(buffer);
    const bool verified =
        run_rounds(options, [&](std::uint32_t round) { return exchange(channel, buffer, granted, round); });
    if (channel.connection().lost()) return verified;
    if (interrupted() && !verified) channel.send(PingRound{});
    channel.connection().disconnect();
    return verified;
}

}  // namespace nd
